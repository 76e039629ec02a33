import Glibc
import KeyDragCore
import KeyDragDesktop
import KeyDragX11

/// What one place says of what is carried.
enum VerdictBenchmark {
  static let benchmark = Benchmark(
    name: "verdict", about: "what one place says, beside a bare exchange and the quiet after it"
  ) { sizes, _ in
    let floor = try DesktopFloor()
    let window = try floor.start(MeasuredWindows.fields)
    defer { window.end() }
    let world = try floor.world()
    defer { world.close() }
    let listing = try await floor.window("Fields", of: world, having: "Body")
    let point = try floor.point("Body", in: listing)
    guard let place = await world.currentLocation(of: point.id)?.rectangle?.center else {
      throw BenchmarkError("the field is nowhere")
    }
    let bare = try floor.helper(
      exchange, String(try await floor.windowID("Fields")), String(place.x), String(place.y))
    guard try bare.line() == "ready" else { throw BenchmarkError("no bare exchange") }
    let quiet = Double(XdndHandshake.Timing().quiet) / 1000
    var times: [(own: Double, peer: Double)] = []
    for _ in 0..<(3 * sizes.pairs) {
      // The place has been left by then, and is asked as one that nobody is over.
      usleep(50_000)
      try bare.write("\n")
      let line = try bare.line()
      guard let peer = Double(line) else { throw BenchmarkError("the exchange says \(line)") }
      let stop = DropStop(point.id)
      let inquiry = ProposalRequest(items: [NoteGoods.item], wish: .copy, stops: [stop])
      let answers = Arrivals<DropProposal?>()
      let start = Clock.now
      // As the loop asks it: the place is left when it has answered.
      world.perform(.ask(inquiry), id: RequestID(times.count + 1)) { report in
        guard case .answered(_, let all) = report else { return answers.add(nil) }
        answers.add(all.first?.proposal)
      }
      let proposal = answers.next()
      let own = Clock.now - start
      guard let proposal, case .all = proposal.acceptance else {
        throw BenchmarkError(
          "round \(times.count): the field answers \(String(describing: proposal))")
      }
      times.append((own, peer + quiet))
    }
    return [
      .pairs(
        "verdict of one place", Pairs(times), peer: "bare exchange and quiet", atMost: 2)
    ]
  }

  /// Enters a window, says where it is, waits for the first status and leaves; writes the seconds.
  /// The selection stays with the drag that is measured beside it: nobody reads it for that.
  private static let exchange = """
    import ctypes, sys, time
    x11 = ctypes.CDLL("libX11.so.6")
    target, x, y = map(int, sys.argv[1:])
    ulong = ctypes.c_ulong
    x11.XOpenDisplay.restype = ctypes.c_void_p
    for name in ("XInternAtom", "XDefaultRootWindow", "XCreateSimpleWindow"):
        getattr(x11, name).restype = ulong

    class Message(ctypes.Structure):
        _fields_ = [("type", ctypes.c_int), ("serial", ulong), ("sent", ctypes.c_int),
                    ("display", ctypes.c_void_p), ("window", ulong), ("kind", ulong),
                    ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                    ("rest", ctypes.c_char * 128)]

    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    root = ulong(x11.XDefaultRootWindow(display))

    def atom(name):
        return x11.XInternAtom(display, name.encode(), 0)

    own = x11.XCreateSimpleWindow(display, root, 0, 0, 1, 1, 0, ulong(0), ulong(0))

    def send(kind, *data):
        message = Message(type=33, window=target, kind=atom(kind), format=32)
        message.data[:] = list(data) + [0] * (5 - len(data))
        x11.XSendEvent(display, ulong(target), 0, ctypes.c_long(0), ctypes.byref(message))
        x11.XFlush(display)

    text, status = atom("UTF8_STRING"), atom("XdndStatus")
    copy, enter = atom("XdndActionCopy"), atom("XdndEnter")
    event = Message()
    print("ready", flush=True)
    for line in sys.stdin:
        start = time.monotonic()
        send("XdndEnter", own, 5 << 24, text)
        send("XdndPosition", own, 0, x << 16 | y, 0, copy)
        while True:
            x11.XNextEvent(display, ctypes.byref(event))
            if event.type == 33 and event.kind == status:
                break
        passed = time.monotonic() - start
        send("XdndLeave", own)
        x11.XSync(display, 0)
        print(passed, flush=True)
    """
}
