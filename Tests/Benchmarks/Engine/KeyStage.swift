import Dispatch
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import KeyDragTerminal
import Synchronization
import SystemPackage

/// The whole way of a key: bytes of a terminal, decoder, loop, real folders, voice, screen.
final class KeyStage {
  private let runner: Runner
  private let world: FilesWorld
  private let painted: PaintedScreen
  private let ended = DispatchSemaphore(value: 0)
  private var decoder: KeyDecoder

  /// Begins a run over `folder` and returns when it is listed and painted.
  init(_ folder: FilePath, voice: any Voice) throws {
    guard let decoder = KeyDecoder(terminal: "xterm-256color") else {
      throw BenchmarkError("no key decoder")
    }
    self.decoder = decoder
    world = LiveWorld.make(folder)
    painted = PaintedScreen()
    var outputs = Outputs()
    outputs.voice = voice
    outputs.screen = painted
    runner = Runner(
      session: Session(roots: world.roots), world: world, outputs: outputs, phrases: Phrasebook())
    let (runner, ended) = (runner, ended)
    Task {
      _ = await runner.run([.resized(rows: 20), .start])
      ended.signal()
    }
    guard painted.waits(until: { !$0.rows.isEmpty }) else {
      throw BenchmarkError("nothing was listed")
    }
  }

  /// Presses a key; returns the moment before its bytes were decoded.
  @discardableResult
  func press(_ bytes: [UInt8]) -> Double {
    painted.forget()
    let start = Clock.now
    var inputs = decoder.decode(bytes)
    if decoder.needsForce { inputs += decoder.force() }
    for input in inputs {
      switch input {
      case .stroke(let stroke): runner.send(.stroke(stroke))
      case .text(let text): runner.send(.text(text))
      case .places(let places): runner.send(.places(places))
      case .tooLongPaste: runner.send(.tooLongPaste)
      case .status: break
      }
    }
    return start
  }

  /// Waits until the screen shows what the last key led to and nothing is asked any more.
  func settle(until isTrue: @escaping @Sendable (ScreenContents) -> Bool = { _ in true }) throws {
    guard painted.waits(until: isTrue) else { throw BenchmarkError("a key led to nothing") }
  }

  func close() {
    runner.send(.command(.quit))
    ended.wait()
    world.close()
  }
}

/// Keys as xterm sends them.
enum KeyBytes {
  static let down = Array("\u{1B}[B".utf8)
  static let up = Array("\u{1B}[A".utf8)
  static let tab: [UInt8] = [9]
  static let backTab = Array("\u{1B}[Z".utf8)
  static let space: [UInt8] = [32]
  static let escape: [UInt8] = [27]
}

/// A screen that remembers what it was shown last.
private final class PaintedScreen: Screen {
  private let contents = Mutex<ScreenContents?>(nil)
  private let shown = DispatchSemaphore(value: 0)

  func visibleRows(for contents: ScreenContents) -> Int { 20 }

  func show(_ contents: ScreenContents) {
    self.contents.withLock { $0 = contents }
    shown.signal()
  }

  func hold(_ contents: ScreenContents) {}

  func repaint() {}

  func forget() {
    while shown.wait(timeout: .now()) == .success {}
    contents.withLock { $0 = nil }
  }

  func waits(until isTrue: (ScreenContents) -> Bool) -> Bool {
    while true {
      if let now = contents.withLock({ $0 }), isTrue(now) { return true }
      guard shown.wait(timeout: .now() + 20) == .success else { return false }
    }
  }
}
