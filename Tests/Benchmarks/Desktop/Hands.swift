/// Keys and a pointer of XTEST, moved line by line without starting a program for each.
final class Hands {
  private let helper: Child

  init(_ floor: DesktopFloor) throws {
    helper = try floor.helper(Self.source)
    _ = try helper.line()
  }

  /// Presses the keys together, and gives the moment at which the last went down.
  @discardableResult
  func press(_ keys: String...) throws -> Double {
    try tell("key " + keys.joined(separator: " "))
  }

  /// Drags; gives the moment at which the button went down.
  func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) throws -> Double {
    try tell("drag \(start.x) \(start.y) \(end.x) \(end.y)")
  }

  func move(to place: (x: Int, y: Int)) throws { try tell("move \(place.x) \(place.y)") }

  @discardableResult
  private func tell(_ words: String) throws -> Double {
    try helper.write(words + "\n")
    let line = try helper.line()
    guard let time = Double(line) else { throw BenchmarkError("the hands say \(line)") }
    return time
  }

  /// The clock is the same monotonic one. No hand moves faster. A drag is made as programs need it: several
  /// motions, a pause at the end.
  private static let source = """
    import ctypes, sys, time
    x11, tst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XStringToKeysym.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    zero = ctypes.c_ulong(0)

    def code(name):
        return x11.XKeysymToKeycode(display, ctypes.c_ulong(x11.XStringToKeysym(name.encode())))

    def key(number, down):
        tst.XTestFakeKeyEvent(display, number, down, zero)
        x11.XFlush(display)

    def button(down):
        tst.XTestFakeButtonEvent(display, 1, down, zero)
        x11.XFlush(display)

    def move(x, y):
        tst.XTestFakeMotionEvent(display, -1, round(x), round(y), zero)
        x11.XFlush(display)

    print("ready", flush=True)
    for line in sys.stdin:
        words = line.split()
        if words[0] == "key":
            codes = [code(name) for name in words[1:]]
            for number in codes:
                time.sleep(0.012)
                key(number, 1)
            print(time.monotonic(), flush=True)
            for number in reversed(codes):
                time.sleep(0.012)
                key(number, 0)
        elif words[0] == "move":
            print(time.monotonic(), flush=True)
            move(float(words[1]), float(words[2]))
        else:
            x, y, right, lower = map(float, words[1:])
            move(x, y)
            time.sleep(0.02)
            pressed = time.monotonic()
            button(1)
            for step in range(1, 11):
                time.sleep(0.02)
                move(x + (right - x) * step / 10, y + (lower - y) * step / 10)
            time.sleep(0.15)
            button(0)
            print(pressed, flush=True)
    """
}
