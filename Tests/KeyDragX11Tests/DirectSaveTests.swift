import KeyDragCore
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragX11

/// Targets of the Direct Save Protocol, good ones and others.
@Suite(
  "A file written where the target of a drag says", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(2)), .enabled(if: DropTarget.obstacle == nil))
struct DirectSaveTests {
  private let point = ScreenPoint(x: 5, y: 5)

  /// Keeps the addresses that were asked for.
  private final class Writer: Sendable {
    private let addresses = Mutex<[[UInt8]]>([])
    private let answer: DirectSave.Answer

    init(_ answer: DirectSave.Answer) { self.answer = answer }

    var asked: [[UInt8]] { addresses.withLock { $0 } }

    var form: DragForm {
      DragForm(
        DirectSave(name: "words.txt") { [self] address in
          addresses.withLock { $0.append(address) }
          return answer
        })
    }
  }

  /// The steps of a target.
  private enum Step {
    static func type(_ hands: RudeTarget.Hands) -> XAtom {
      hands.server.atoms([DirectSave.type])[0]
    }

    static func address(_ bytes: [UInt8], _ source: XWindow, _ hands: RudeTarget.Hands) {
      let plain = hands.server.atoms(["text/plain"])[0]
      hands.server.setProperty(type(hands), of: source, type: plain, format: 8, bytes: bytes)
    }

    static func ask(_ hands: RudeTarget.Hands) {
      hands.server.convert(
        hands.atoms.selection, to: type(hands), property: type(hands), of: hands.window, time: 0)
    }

    static func name(_ source: XWindow, _ hands: RudeTarget.Hands) -> String {
      let bytes = hands.server.property(type(hands), of: source, format: 8, longest: 1_024)?.bytes
      return String(decoding: bytes ?? [], as: UTF8.self)
    }

    static func answer(_ property: XAtom, _ hands: RudeTarget.Hands) -> String {
      guard property != .none else { return "none" }
      let bytes = hands.server.property(property, of: hands.window, format: 8, longest: 8)?.bytes
      return String(decoding: bytes ?? [], as: UTF8.self)
    }
  }

  /// Lines that a target notes, in order.
  private final class Record: Sendable {
    private let lines = Mutex<[String]>([])
    func note(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  /// A target that names an address at the drop, and ends as its answer says.
  ///
  /// - Parameter address: `nil` for one that leaves the property as it is.
  private func target(
    _ stage: TargetStage, naming address: [UInt8]?, _ record: Record
  ) throws -> RudeTarget {
    let sources = Mutex(XWindow.none)
    return try RudeTarget(on: stage.display) { hands, event, message in
      switch (message, event) {
      case (.position(let source, _, _, _), _): hands.accept(source)
      case (.drop(let source, _), _):
        sources.withLock { $0 = source }
        record.note(Step.name(source, hands))
        if let address { Step.address(address, source, hands) }
        Step.ask(hands)
      case (_, .selectionNotified(_, _, let property, _)):
        let answer = Step.answer(property, hands)
        record.note(answer)
        let source = sources.withLock { $0 }
        if answer == "S" {
          hands.finish(source)
        } else {
          hands.tell(.finished(target: hands.window, .failed(.programFailed)), to: source)
        }
      default: break
      }
    }
  }

  @Test("H24 A target is proposed a name, names an address, and is told that the file is there")
  func saved() async throws {
    let stage = try TargetStage()
    let (writer, record) = (Writer(.saved), Record())
    let address = Array("file:///tmp/words.txt".utf8)
    let target = try target(stage, naming: address, record)
    let drag = try stage.drag([TargetStage.link, writer.form])
    #expect(await drag.ask(target.id, at: point) == .accepts(.copy))
    #expect(writer.asked == [])
    #expect(await drag.drop() == .accepts(.copy))
    #expect(writer.asked == [address])
    #expect(record.all == ["words.txt", "S"])
  }

  @Test(
    "T02 What could not be written is told by the protocol's letter, and has not landed",
    arguments: [(DirectSave.Answer.elsewhere, "F"), (.failed, "E")])
  func refused(answer: DirectSave.Answer, letter: String) async throws {
    let stage = try TargetStage()
    let (writer, record) = (Writer(answer), Record())
    let target = try target(stage, naming: Array("file://elsewhere/words.txt".utf8), record)
    let drag = try stage.drag([writer.form])
    #expect(await drag.ask(target.id, at: point) == .accepts(.copy))
    #expect(await drag.drop() == .failed(.programFailed))
    #expect(record.all == ["words.txt", letter])
  }

  @Test("A target that names no address has the writer see the bare name")
  func silent() async throws {
    let stage = try TargetStage()
    let (writer, record) = (Writer(.elsewhere), Record())
    let target = try target(stage, naming: nil, record)
    let drag = try stage.drag([writer.form])
    #expect(await drag.ask(target.id, at: point) == .accepts(.copy))
    #expect(await drag.drop() == .failed(.programFailed))
    #expect(writer.asked == [Array("words.txt".utf8)])
  }

  @Test("An address without end is cut, and what is no text is handed on as it is")
  func oversized() async throws {
    let stage = try TargetStage()
    let writer = Writer(.failed)
    let target = try target(
      stage, naming: [UInt8](repeating: 0xFF, count: 200_000), Record())
    let drag = try stage.drag([writer.form])
    #expect(await drag.ask(target.id, at: point) == .accepts(.copy))
    #expect(await drag.drop() == .failed(.programFailed))
    let asked = try #require(writer.asked.first)
    // Longer than any that is read, so that it is taken for none.
    #expect(asked.count > DirectSave.longestAddress && asked.count < 5_000)
  }

  @Test("T01 Nothing is written for a question, and the next target is proposed the name anew")
  func hovering() async throws {
    let stage = try TargetStage()
    let (writer, record) = (Writer(.saved), Record())
    let early = try RudeTarget(on: stage.display) { hands, event, message in
      if case .position(let source, _, _, _) = message {
        Step.address(Array("file:///tmp/early.txt".utf8), source, hands)
        Step.ask(hands)
        hands.accept(source)
      }
      if case .selectionNotified(_, _, let property, _) = event {
        record.note(Step.answer(property, hands))
      }
    }
    let address = Array("file:///tmp/words.txt".utf8)
    let later = try target(stage, naming: address, record)
    let drag = try stage.drag([writer.form])
    #expect(await drag.ask(early.id, at: point) == .accepts(.copy))
    #expect(await drag.ask(later.id, at: point) == .accepts(.copy))
    #expect(await drag.drop() == .accepts(.copy))
    #expect(writer.asked == [address])
    #expect(record.all.suffix(2) == ["words.txt", "S"])
    #expect(record.all.dropLast(2).allSatisfy { $0 == "none" })
  }
}
