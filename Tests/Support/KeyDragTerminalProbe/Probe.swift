import Glibc
import KeyDragCore
import KeyDragTerminal

/// A program on a terminal that tells on descriptor 3 what reached it, a line each, and does what its
/// keys say: paint, flood, crash, end.
@main
enum Probe {
  private static let events: Int32 = 3

  static func main() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { exit(70) }
    let (waiting, waking) = (ends[0], ends[1])
    let isStubborn = getenv("PROBE_STUBBORN") != nil
    let box = ScreenBox()
    do {
      let terminal = try Terminal.open(
        name: getenv("TERM").map { String(cString: $0) } ?? "dumb", style: .plain
      ) { input in
        tell("\(describe(input))")
        if case .stroke(let stroke) = input { box.act(on: stroke) }
        if endsProgram(input), !isStubborn { write(waking, "q", 1) }
      }
      box.begin(TerminalScreen(terminal: terminal))
      tell("ready \(terminal.size.columns)x\(terminal.size.rows)")
      var byte: UInt8 = 0
      while read(waiting, &byte, 1) < 0, errno == EINTR {}
      terminal.close(leaving: "Goodbye from the probe.")
      tell("left")
    } catch {
      tell("error \(error)")
      exit(64)
    }
  }

  static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(events, $0.baseAddress, $0.count) }
  }

  private static func endsProgram(_ input: TerminalInput) -> Bool {
    switch input {
    case .stroke(let stroke): stroke == KeyStroke(.character("q"))
    case .terminate, .closed: true
    case .text, .places, .tooLongPaste, .resized, .resumed: false
    }
  }

  private static func describe(_ input: TerminalInput) -> String {
    switch input {
    case .stroke(let stroke): "stroke \(stroke.key) \(stroke.modifiers.rawValue)"
    case .text(let text): "text \(text)"
    case .places(let places): "places \(places)"
    case .tooLongPaste: "too long"
    case .resized(let columns, let rows): "resized \(columns)x\(rows)"
    case .resumed: "resumed"
    case .terminate(let signal): "terminate \(signal)"
    case .closed: "closed"
    }
  }
}
