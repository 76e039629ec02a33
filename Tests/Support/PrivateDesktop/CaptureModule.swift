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
  static func program(pipe: String) -> String {
    #"""
    #!/usr/bin/python3 -IS
    import html, os, re, sys

    pipe = os.open("\#(pipe)", os.O_WRONLY)
    answers = {"AUDIO": ("207 OK", "203 OK"), "LOGLEVEL": ("207 OK", "203 OK"),
               "SET": ("203 OK", "203 OK"), "INIT": ("299-captures\n299 OK", None),
               "DEBUG": ("200 OK", None), "QUIT": ("210 OK", None),
               "LIST": ("200-capture\ten\tnone\n200 OK", None)}

    def say(line):
        sys.stdout.buffer.write(line.encode() + b"\n")
        sys.stdout.buffer.flush()

    def block():
        lines = []
        for line in sys.stdin.buffer:
            line = line.decode(errors="replace").rstrip("\r\n")
            if line == ".":
                break
            lines.append(line[1:] if line.startswith("..") else line)
        return " ".join(lines)

    for line in sys.stdin.buffer:
        word = (line.decode(errors="replace").split() or [""])[0]
        if word in ("SPEAK", "CHAR", "KEY", "SOUND_ICON"):
            say("202 OK")
            text = html.unescape(re.sub(r"<[^>]*>", "", block())).strip()
            say("200 OK")
            say("701 BEGIN")
            if text:
                os.write(pipe, text.encode() + b"\n")
            say("702 END")
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
