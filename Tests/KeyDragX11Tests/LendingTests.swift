import Glibc
import KeyDragCore
import KeyDragThreads
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite(
  "Lending the clipboard", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct LendingTests {
  private func keeper(
    on desktop: PrivateDesktop, patience: Milliseconds = 10_000
  ) throws -> ClipboardCoordinator {
    var timing = SelectionFetch.Timing()
    (timing.silence, timing.whole) = (patience, 2 * patience)
    return ClipboardCoordinator(display: desktop.environment["DISPLAY"], timing: timing)
  }

  private func lend(
    _ keeper: ClipboardCoordinator, _ forms: [SelectedForm]
  ) async -> Result<any ClipboardLoan, Reason> {
    await Result { () async throws(Reason) in try await keeper.lend(forms) }
  }

  @Test(
    "A program pastes what is lent, and after it what was there before", arguments: [3, 3_000_000])
  func lent(length: Int) async throws {
    let desktop = try PrivateDesktop()
    let keeper = try keeper(on: desktop)
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    let loan = try await lend(
      keeper, [("text/uri-list", [UInt8](repeating: 65, count: length))]
    ).get()
    #expect(
      try SelectionPeer.paste("text/uri-list", on: desktop) == "\(length) \(65 * length)")
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop) == "none")
    before.process.end()
    #expect(await loan.giveBack())
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
    #expect(try SelectionPeer.paste("text/uri-list", on: desktop) == "none")
    // A second time there is nothing to give back.
    #expect(await !loan.giveBack())
  }

  @Test("What a person copies is pasted by any program, read back, and replaced by a newer copy")
  func put() async throws {
    let desktop = try PrivateDesktop()
    let keeper = try keeper(on: desktop)
    #expect(await read(keeper, ["UTF8_STRING"]) == "nothing-there")
    let forms: [SelectedForm] = [("text/uri-list", [65, 66]), ("UTF8_STRING", [67])]
    try await keeper.put(forms)
    #expect(try SelectionPeer.paste("text/uri-list", on: desktop) == "2 131")
    #expect(await read(keeper, ["image/png", "UTF8_STRING", "text/uri-list"]) == "C AB")
    #expect(await read(keeper, ["image/png"]) == "wrong-type")
    let newer = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "newer"], on: desktop)
    let found = await read(keeper, ["text/uri-list", "UTF8_STRING"])
    #expect(found == "newer")
    _ = newer
  }

  private func read(_ keeper: ClipboardCoordinator, _ forms: [String]) async -> String {
    let result = await Result { () async throws(Reason) in try await keeper.read(forms) }
    return switch result {
    case .success(let forms):
      forms.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: " ")
    case .failure(let reason): reason.rawValue
    }
  }

  @Test("What nobody has taken is told, and an empty clipboard is empty again")
  func untaken() async throws {
    let desktop = try PrivateDesktop()
    let keeper = try keeper(on: desktop)
    let loan = try await lend(keeper, [("UTF8_STRING", [65])]).get()
    #expect(await !loan.giveBack())
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop) == "none")
  }

  @Test("What another program copies meanwhile stays in the clipboard")
  func overtaken() async throws {
    let desktop = try PrivateDesktop()
    let keeper = try keeper(on: desktop)
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    let loan = try await lend(keeper, [("UTF8_STRING", [65])]).get()
    let other = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "newer"], on: desktop)
    #expect(await !loan.giveBack())
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("5 "))
    _ = (before, other)
  }

  @Test("A clipboard that can't be kept is not touched")
  func unkept() async throws {
    let desktop = try PrivateDesktop()
    let keeper = try keeper(on: desktop, patience: 500)
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    before.process.signal(SIGSTOP)
    guard case .failure(.notResponding) = await lend(keeper, [("UTF8_STRING", [65])]) else {
      Issue.record("it was lent")
      return
    }
    before.process.signal(SIGCONT)
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
  }

  @Test("The next one waits until it was given back, also by who has forgotten it")
  func turns() async throws {
    let desktop = try PrivateDesktop()
    let keeper = try keeper(on: desktop)
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    var first: (any ClipboardLoan)? = try await lend(keeper, [("UTF8_STRING", [65])]).get()
    withExtendedLifetime(first) {}
    first = nil
    let second = try await lend(keeper, [("UTF8_STRING", [66, 66])]).get()
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop) == "2 132")
    #expect(await second.giveBack())
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
    _ = before
  }
}
