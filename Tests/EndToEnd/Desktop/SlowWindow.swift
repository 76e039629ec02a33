import Glibc
import PrivateDesktop

/// A window of no toolkit that takes texts, and of a long one a portion for each signal only: its drops
/// take as long as a test wants, with nobody waiting by the clock.
final class SlowWindow {
  let process: KeptProcess

  init(_ title: String, on desktop: PrivateDesktop) throws {
    process = try desktop.start(["/usr/bin/python3", "-u", "-c", Self.program, title])
    _ = try process.line()
  }

  /// Takes the next portion; returns how much it has then.
  @discardableResult
  func takePortion() throws -> String {
    process.signal(SIGUSR1)
    return try process.line()
  }

  /// Waits until it has begun to take something.
  func begins() throws { while try process.line() != "begun" {} }

  /// XDND (version 5) and INCR (ICCCM section 2.7.2) by the library of X alone.
  private static let program = """
    import ctypes, signal, sys
    # A signal that comes before it is waited for is kept.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    x = ctypes.CDLL("libX11.so.6")
    for name in ("XOpenDisplay", "XDefaultRootWindow", "XCreateSimpleWindow", "XInternAtom"):
        getattr(x, name).restype = ctypes.c_void_p if name == "XOpenDisplay" else ctypes.c_ulong
    D = ctypes.c_void_p(x.XOpenDisplay(None))
    L = ctypes.c_ulong
    def atom(name): return x.XInternAtom(D, name.encode(), 0)
    class Message(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", L), ("sent", ctypes.c_int),
                    ("display", ctypes.c_void_p), ("window", L), ("kind", L),
                    ("format", ctypes.c_int), ("words", ctypes.c_long * 5)]
    class Notice(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", L), ("sent", ctypes.c_int),
                    ("display", ctypes.c_void_p), ("requestor", L), ("selection", L),
                    ("target", L), ("property", L), ("time", L)]
    class Change(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", L), ("sent", ctypes.c_int),
                    ("display", ctypes.c_void_p), ("window", L), ("atom", L), ("time", L),
                    ("state", ctypes.c_int)]
    class Event(ctypes.Union):
        _fields_ = [("type", ctypes.c_int), ("message", Message), ("notice", Notice),
                    ("change", Change), ("pad", ctypes.c_long * 24)]
    W = L(x.XCreateSimpleWindow(D, L(x.XDefaultRootWindow(D)), 500, 400, 300, 200, 0, L(0), L(0)))
    x.XSelectInput(D, W, ctypes.c_long(1 << 22))
    x.XStoreName(D, W, sys.argv[1].encode())
    version = (L * 1)(5)
    x.XChangeProperty(D, W, L(atom("XdndAware")), L(4), 32, 0, ctypes.byref(version), 1)
    x.XMapWindow(D, W)
    x.XSync(D, 0)
    print("shown")
    wanted = atom("UTF8_STRING")
    def tell(source, kind, *words):
        event = Event()
        m = event.message
        m.type, m.display, m.window, m.kind, m.format = 33, D, source, atom(kind), 32
        for index, word in enumerate((W.value,) + words): m.words[index] = word
        x.XSendEvent(D, L(source), 0, ctypes.c_long(0), ctypes.byref(event))
        x.XFlush(D)
    def read(place):
        kind, form, count, rest = L(), ctypes.c_int(), L(), L()
        data = ctypes.c_void_p()
        x.XGetWindowProperty(D, W, L(place), ctypes.c_long(0), ctypes.c_long(1 << 20), 1, L(0),
                             ctypes.byref(kind), ctypes.byref(form), ctypes.byref(count),
                             ctypes.byref(rest), ctypes.byref(data))
        got = ctypes.string_at(data, count.value) if form.value == 8 else b""
        if data: x.XFree(data)
        return kind.value, got
    event, source, text, place, isTaking = Event(), 0, b"", atom("HERE"), False
    def finish(isDone):
        print(("took %d" % len(text)) if isDone else "nothing")
        tell(source, "XdndFinished", 1 if isDone else 0, atom("XdndActionCopy") if isDone else 0)
    while True:
        x.XNextEvent(D, ctypes.byref(event))
        if event.type == 33:
            m = event.message
            if m.kind == atom("XdndPosition"):
                tell(m.words[0], "XdndStatus", 1, 0, 0, atom("XdndActionCopy"))
            elif m.kind == atom("XdndDrop"):
                source = m.words[0]
                x.XConvertSelection(D, L(atom("XdndSelection")), L(wanted), L(place), W,
                                    L(m.words[2]))
                x.XFlush(D)
        elif event.type == 31:
            text, isTaking = b"", False
            if event.notice.property == 0:
                finish(False)
                continue
            print("begun")
            signal.sigwait([signal.SIGUSR1])
            # Reading deletes it, which asks for the first portion.
            kind, text = read(place)
            isTaking = kind == atom("INCR")
            x.XFlush(D)
            if isTaking: print("0")
            else: finish(True)
        elif event.type == 28 and event.change.atom == place and event.change.state == 0:
            if not isTaking: continue
            signal.sigwait([signal.SIGUSR1])
            kind, part = read(place)
            text += part
            isTaking = bool(part)
            x.XFlush(D)
            if part: print(len(text))
            else: finish(True)
    """
}
