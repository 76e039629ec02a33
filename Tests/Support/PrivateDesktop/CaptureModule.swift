/// An output module of speech-dispatcher that writes down what it should speak.
///
/// The protocol: a command on a line of its own; settings and texts follow it up to a line with a
/// full stop. Each answer is a number and words.
enum CaptureModule {
  static func settings(program: String) -> String {
    """
    AddModule "capture" "\(program)" ""
    DefaultModule capture
    SymbolsPreproc "none"
    DefaultPunctuationMode "none"
    LogLevel 0

    """
  }

  /// One line for each text, its markup taken away.
  ///
  /// A line is a letter, the moment on the machine's steady clock, and the text: `b` at its beginning,
  /// and at its end `e`, or `c` where that came early.
  ///
  /// - Parameter pace: how long a character takes to be said, in milliseconds.
  static func program(pipe: String, pace: Int) -> String {
    #"""
    #!/usr/bin/python3 -IS
    import html, os, re, sys, threading, time

    pipe = os.open("\#(pipe)", os.O_WRONLY)
    pace = \#(pace) / 1000
    said = None
    answers = {"AUDIO": ("207 OK", "203 OK"), "LOGLEVEL": ("207 OK", "203 OK"),
               "SET": ("203 OK", "203 OK"), "INIT": ("299-captures\n299 OK", None),
               "DEBUG": ("200 OK", None), "QUIT": ("210 OK", None),
               "LIST": ("200-capture\ten\tnone\n200 OK", None)}

    def say(line):
        os.write(1, line.encode() + b"\n")

    def block():
        lines = []
        for line in sys.stdin.buffer:
            line = line.decode(errors="replace").rstrip("\r\n")
            if line == ".":
                break
            lines.append(line[1:] if line.startswith("..") else line)
        return " ".join(lines)

    def note(kind, text):
        if text:
            os.write(pipe, f"{kind} {time.monotonic():.3f} {text}\n".encode())

    def end(text, stop):
        note("b", text)
        isCut = stop.wait(len(text) * pace) if pace else False
        note("c" if isCut else "e", text)
        say("703 STOP" if isCut else "702 END")

    for line in sys.stdin.buffer:
        word = (line.decode(errors="replace").split() or [""])[0]
        if word in ("SPEAK", "CHAR", "KEY", "SOUND_ICON"):
            say("202 OK")
            # A character without a sound, which espeak-ng does not say either.
            text = html.unescape(re.sub(r"<[^>]*>|\u2060", "", block())).strip()
            say("200 OK")
            say("701 BEGIN")
            said = threading.Event()
            if pace:
                threading.Thread(target=end, args=(text, said), daemon=True).start()
            else:
                end(text, said)
        elif word in ("STOP", "PAUSE") and said:
            said.set()
        elif word in answers:
            first, last = answers[word]
            say(first)
            if last:
                block()
                say(last)
            if word == "QUIT":
                break

    """#
  }
}
