import Glibc
import KeyDragCore
import KeyDragTerminal
import Synchronization

/// Names a terminal may show in other columns than one expects, or obey.
private let hardNames = [
  "e\u{301}te\u{301}.txt", "名前とても長い名前とても長い.txt", "👩‍👩‍👧.png", "שלום עולם.txt",
  "مرحبا.txt", "a\u{1B}[2Jb", "new\nline", "\u{9B}31m", "\u{202E}txt.exe",
  String(repeating: "x", count: 300) + ".tar.gz",
]

/// The probe's screen, and what its keys do with it.
final class ScreenBox: Sendable {
  private struct State {
    var screen: TerminalScreen?
    var current = 0
    var message = "Space picks up."
    var names = (0..<10).map { "file \($0).txt" }
  }

  private let state = Mutex(State())

  func begin(_ screen: TerminalScreen) {
    state.withLock {
      $0.screen = screen
      screen.show(contents($0))
    }
  }

  func act(on stroke: KeyStroke) {
    guard stroke.modifiers.isEmpty else { return }
    switch stroke.key {
    case .down: change { $0.current = min($0.current + 1, 9) }
    case .up: change { $0.current = max($0.current - 1, 0) }
    case .character("r"): change { _ in }
    case .character("l"): state.withLock { $0.screen?.repaint() }
    case .character("h"): change { $0.names = hardNames }
    case .character("f"): flood()
    case .character("a"): abort()
    case .character("s"): UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case .character("t"): change { $0.current = [1, 2][Int(getpid())] }
    case .character("e"): exit(3)
    default: break
    }
  }

  /// More than any terminal takes while nobody reads it.
  private func flood() {
    for number in 1...5000 {
      change { $0.message = "Flood \(number). " + String(repeating: "-", count: number % 90) }
    }
    Probe.tell("flooded")
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.screen?.show(contents(state))
    }
  }

  private func contents(_ state: State) -> ScreenContents {
    let rows = state.names.enumerated().map { index, name in
      ScreenRow(name: name, note: "text document", isMarked: index == 2, depth: index % 2)
    }
    var contents = ScreenContents(
      title: "Inbox, 10 items", rows: rows, firstRow: 0, current: state.current,
      carried: "2 items: a.txt, b.txt, move", deliveries: [ScreenDelivery("Copying c.iso, 43 %")],
      message: state.message)
    let fitting = state.screen?.visibleRows(for: contents) ?? 1
    contents.firstRow = max(0, min(state.current - fitting / 2, rows.count - fitting))
    contents.rows = Array(rows.dropFirst(contents.firstRow).prefix(fitting))
    contents.current = state.current - contents.firstRow
    return contents
  }
}
