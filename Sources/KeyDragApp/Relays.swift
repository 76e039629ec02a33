import Dispatch
import Glibc
import KeyDragCore
import KeyDragRuntime
import KeyDragTerminal
import Synchronization

/// Passes a terminal's inputs to the event loop, buffering those that precede it.
package final class TerminalRelay: Sendable {
  private struct Inputs {
    var send: (@Sendable (RunnerEvent) -> Void)?
    var early: [RunnerEvent] = []
  }

  private let state = Mutex(Inputs())

  package init() {}

  package func connect(_ runner: Runner) {
    state.withLock { state in
      state.early.forEach(runner.send)
      state.early = []
      state.send = runner.send
    }
  }

  package func take(_ input: TerminalInput) {
    let event: RunnerEvent =
      switch input {
      case .stroke(let stroke): .stroke(stroke)
      case .text(let text): .text(text)
      case .places(let places): .places(places)
      case .tooLongPaste: .tooLongPaste
      case .resized(_, let rows): .resized(rows: max(rows - 4, 1))
      case .resumed: .resumed
      case .terminate(let signal): .terminate(signal: signal)
      case .closed: .terminate(signal: SIGHUP)
      }
    state.withLock { state in
      if let send = state.send { send(event) } else { state.early.append(event) }
    }
  }
}

extension TerminalScreen: Screen {
  /// In the colours of the person's `ls`.
  convenience init(_ terminal: Terminal) {
    let environment = ProcessEnvironment.read()
    self.init(
      terminal: terminal, colors: environment["LS_COLORS"].map { KindColors($0) } ?? KindColors(),
      environment: environment)
  }
}

/// Messages as lines on a terminal without a screen.
final class TerminalLines: TextOutput {
  private let terminal: Terminal

  init(terminal: Terminal) { self.terminal = terminal }

  func write(_ line: String) -> Bool {
    terminal.write(line: line)
    return true
  }
}

/// TERM, HUP and INT without a terminal: cancels what runs, which the journal records.
package struct SignalRelay {
  private let sources: [any DispatchSourceSignal]

  package init(send: @escaping @Sendable (RunnerEvent) -> Void) {
    let queue = DispatchQueue(label: "keydrag.signals")
    let ready = DispatchGroup()
    sources = [SIGTERM, SIGHUP, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { send(.terminate(signal: number)) }
      ready.enter()
      source.setRegistrationHandler { ready.leave() }
      source.resume()
      return source
    }
    // Until then a signal is ignored, but a caller who knows that the run is ready may send one.
    ready.wait()
  }

  package func cancel() { for source in sources { source.cancel() } }
}

/// Reads a key script from standard input as it arrives, on a thread of its own.
package enum ScriptReader {
  package static func start(_ send: @escaping @Sendable (RunnerEvent) -> Void) {
    DispatchQueue(label: "keydrag.script").async {
      var script = KeyScript()
      var buffer = [UInt8](repeating: 0, count: 4096)
      var pending: [UInt8] = []
      do {
        while true {
          let count = read(STDIN_FILENO, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          pending += buffer[..<count]
          // Whole lines only, so that no character is split.
          guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { continue }
          let words = try script.read(String(decoding: pending[...end], as: UTF8.self))
          pending.removeSubrange(...end)
          send(.script(words))
        }
        send(.script(try script.read(String(decoding: pending, as: UTF8.self))))
        send(.script(try script.finish()))
        send(.scriptEnded)
      } catch let error as ScriptError {
        send(.scriptFailed(error))
      } catch {
        send(.scriptEnded)
      }
    }
  }
}

extension World {
  /// Closes it on a thread of its own: pending writes end on Swift's threads, which must not wait
  /// for them.
  package func closed() async {
    await withCheckedContinuation { done in
      DispatchQueue(label: "keydrag.close").async {
        self.close()
        done.resume()
      }
    }
  }
}
