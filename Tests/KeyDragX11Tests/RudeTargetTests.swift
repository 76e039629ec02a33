import KeyDragCore
import KeyDragThreads
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

/// A window whose program answers as a test wants it to, against every rule.
final class RudeTarget {
  /// What its thread works with.
  struct Hands {
    let server: XServer
    let atoms: XdndAtoms
    let window: XWindow

    func tell(_ message: XdndMessage, to source: XWindow) {
      let (type, words) = message.encoded(atoms)
      server.send(type, words, about: source, to: source)
    }

    func accept(_ source: XWindow, as window: XWindow? = nil) {
      tell(.status(target: window ?? self.window, .accepts(.copy)), to: source)
    }

    func finish(
      _ source: XWindow, as window: XWindow? = nil, _ operation: DragOperation = .copy
    ) {
      tell(.finished(target: window ?? self.window, .accepts(operation)), to: source)
    }
  }

  let id: WindowID
  private let thread: EventLoop

  init(
    on display: String?, prepare: (Hands) -> Void = { _ in },
    _ answer: @escaping @Sendable (Hands, XServer.Event, XdndMessage?) -> Void
  ) throws {
    let server = try XServer(display: display)
    let atoms = try #require(XdndAtoms(server.atoms(XdndAtoms.names)))
    let hands = Hands(server: server, atoms: atoms, window: server.makeHiddenWindow())
    server.setWords(atoms.aware, of: hands.window, type: XAtom(rawValue: 4), [5])
    prepare(hands)
    _ = try server.time(by: hands.window, property: atoms.timestamp)
    id = WindowID(hands.window.rawValue, on: server.name)
    let thread = try #require(EventLoop())
    self.thread = thread
    let box = ThreadConfined(hands)
    try #require(
      BackgroundThread.start {
        thread.run(reading: box.value.server.descriptor, deadline: { nil }) {
          let hands = box.value
          while let event = hands.server.nextEvent() {
            var message: XdndMessage?
            if case .message(let type, _, let words) = event {
              message = XdndMessage(type: type, words: words, atoms: hands.atoms)
            }
            answer(hands, event, message)
          }
          hands.server.flush()
          return !hands.server.isLost
        }
      })
  }

  deinit { thread.stop() }
}

/// Counts, from any thread.
private actor Count {
  private(set) var value = 0
  func add() { value += 1 }
}

@Suite(
  "A drag into windows that keep no rule", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(2)),
  .enabled(if: DropTarget.obstacle == nil))
struct RudeTargetTests {
  private let point = ScreenPoint(x: 5, y: 5)

  private func timing(patience: Milliseconds = 300) -> XdndHandshake.Timing {
    var timing = XdndHandshake.Timing()
    timing.patience = patience
    return timing
  }

  @Test("Answers that never stop are cut off, and the last one counts")
  func flood() async throws {
    let stage = try TargetStage()
    let flood = try RudeTarget(on: stage.display) { hands, event, message in
      switch (message, event) {
      case (.position(let source, _, _, _), _):
        // Each change of its own property wakes it again, until it is left.
        hands.accept(source)
        hands.server.setWords(
          hands.atoms.typeList, of: hands.window, type: XAtom(rawValue: 4), [source.rawValue])
      case (_, .propertySet(let window, hands.atoms.typeList, _)):
        let source = hands.server.words(hands.atoms.typeList, of: window, most: 1).first ?? 0
        guard source != 0 else { return }
        for _ in 0..<20 { hands.accept(XWindow(rawValue: source)) }
        hands.server.setWords(
          hands.atoms.typeList, of: window, type: XAtom(rawValue: 4), [source])
      case (.leave, _):
        hands.server.setWords(hands.atoms.typeList, of: hands.window, type: XAtom(rawValue: 4), [0])
      default: break
      }
    }
    let polite = try ToolkitTarget(.gtk3, on: stage.desktop)
    let window = try stage.window(of: polite.process)
    let drag = try stage.drag()
    #expect(await drag.ask(flood.id, at: point) == .accepts(.copy))
    #expect(await drag.ask(window.id, at: window.taking) == .accepts(.copy))
    #expect(await drag.drop() == .accepts(.copy))
    #expect(try polite.received() == "file:///tmp/a.txt copy")
  }

  @Test("An answer or an end for another window is none")
  func otherWindow() async throws {
    let stage = try TargetStage()
    let confused = try RudeTarget(on: stage.display) { hands, _, message in
      if case .position(let source, _, _, _) = message {
        hands.accept(source, as: XWindow(rawValue: 77))
        hands.finish(source)
      }
    }
    let drag = try stage.drag(timing: timing())
    #expect(await drag.ask(confused.id, at: point) == .silent)
    let late = try RudeTarget(on: stage.display) { hands, _, message in
      switch message {
      case .position(let source, _, _, _): hands.accept(source)
      case .drop(let source, _): hands.finish(source, as: XWindow(rawValue: 77))
      default: break
      }
    }
    #expect(await drag.ask(late.id, at: point) == .accepts(.copy))
    #expect(await drag.drop() == .silent)
  }

  @Test("Who says that it moved what was only to be copied is told as it says, and no more")
  func otherOperation() async throws {
    let stage = try TargetStage()
    let liar = try RudeTarget(on: stage.display) { hands, _, message in
      switch message {
      case .position(let source, _, _, _): hands.accept(source)
      case .drop(let source, _):
        hands.finish(source, .move)
        hands.finish(source)
      default: break
      }
    }
    let drag = try stage.drag()
    #expect(await drag.ask(liar.id, at: point) == .accepts(.copy))
    #expect(await drag.drop() == .accepts(.move))
    // The second end is of no drop.
    #expect(await drag.ask(liar.id, at: point) == .accepts(.copy))
  }

  @Test("Who takes the selection in the middle ends the drag")
  func selection() async throws {
    let stage = try TargetStage()
    let thief = try RudeTarget(on: stage.display) { hands, _, message in
      if case .enter = message {
        _ = hands.server.own(hands.atoms.selection, by: hands.window, time: 0)
      }
    }
    let drag = try stage.drag()
    #expect(await drag.ask(thief.id, at: point) == .refuses(.interrupted))
    #expect(await drag.drop() == .failed(.programFailed))
  }

  @Test("Who asks for the data a thousand times is served so often as is bearable")
  func greedy() async throws {
    let stage = try TargetStage()
    let loads = Count()
    let (never, end) = AsyncStream.makeStream(of: [UInt8].self)
    defer { end.finish() }
    let form = DragForm("text/uri-list") {
      await loads.add()
      return await never.first { _ in true }
    }
    let greedy = try RudeTarget(on: stage.display) { hands, _, message in
      guard case .position(let source, _, _, _) = message else { return }
      let type = hands.server.atoms(["text/uri-list"])[0]
      for number in 0..<1_000 {
        hands.server.convert(
          hands.atoms.selection, to: type, property: XAtom(rawValue: UInt32(1 + number % 60)),
          of: hands.window, time: 0)
      }
      hands.accept(source)
    }
    let drag = try stage.drag([form])
    #expect(await drag.ask(greedy.id, at: point) == .accepts(.copy))
    #expect(await loads.value <= 64)
  }

  @Test("Who is not asked gets no data")
  func stranger() async throws {
    let stage = try TargetStage()
    let (notices, tell) = AsyncStream.makeStream(of: XAtom.self)
    let nosy = try RudeTarget(on: stage.display) { hands, event, message in
      if case .leave = message {
        let type = hands.server.atoms(["text/uri-list"])[0]
        hands.server.convert(
          hands.atoms.selection, to: type, property: type, of: hands.window, time: 0)
      }
      if case .selectionNotified(_, _, let property, _) = event { tell.yield(property) }
      if case .position(let source, _, _, _) = message { hands.accept(source) }
    }
    let drag = try stage.drag()
    #expect(await drag.ask(nosy.id, at: point) == .accepts(.copy))
    drag.leave()
    var heard = notices.makeAsyncIterator()
    #expect(await heard.next() == XAtom.none)
  }

  @Test("Properties larger than any program needs are cut, and mislead nobody")
  func oversized() async throws {
    let stage = try TargetStage()
    let words = [UInt32](repeating: 5, count: 60_000)
    let large = try RudeTarget(
      on: stage.display,
      prepare: { hands in
        let names = hands.server.atoms(["_NET_WM_NAME", "WM_CLASS", "_NET_WM_PID", "WM_STATE"])
        hands.server.setWords(hands.atoms.aware, of: hands.window, type: XAtom(rawValue: 4), words)
        // A proxy that is none.
        hands.server.setWords(hands.atoms.proxy, of: hands.window, type: XAtom(rawValue: 33), words)
        for name in names.prefix(2) {
          hands.server.setProperty(
            name, of: hands.window, type: XAtom(rawValue: 31), format: 8,
            bytes: [UInt8](repeating: 65, count: 200_000))
        }
        for name in names.suffix(2) {
          hands.server.setWords(name, of: hands.window, type: XAtom(rawValue: 6), words)
        }
      },
      { hands, _, message in
        if case .position(let source, _, _, _) = message { hands.accept(source) }
      })
    let facts = try #require(stage.windows.all().first { $0.id == large.id })
    #expect((1...4_096).contains(facts.title.utf8.count))
    #expect((1...4_096).contains(facts.className.utf8.count))
    let drag = try stage.drag()
    #expect(await drag.ask(large.id, at: point) == .accepts(.copy))
  }
}
