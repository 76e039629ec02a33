import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

/// Reads the clipboard, as a borrower does.
private struct ClipboardReader {
  private let worker: WorkerThread<SelectionCoordinator>

  init(_ display: String?, timing: SelectionFetch.Timing = .patient) throws {
    worker = try WorkerThread(display, timing)
  }

  func read(_ forms: [String], most: Int = .max) async -> Result<[SelectedForm], Reason> {
    await Result { () async throws(Reason) in
      try await answered { reply in
        let isTaken = worker.post { desk in
          desk.read(forms: forms.isEmpty ? nil : forms, limits: .init(most: most)) {
            reply($0.map(desk.names(of:)))
          }
        }
        if !isTaken { reply(.failure(.noDisplay)) }
      }
    }
  }
}

extension SelectionFetch.Timing {
  /// For programs that answer, however busy the computer is.
  fileprivate static let patient: SelectionFetch.Timing = {
    var timing = SelectionFetch.Timing()
    (timing.silence, timing.whole) = (10_000, 20_000)
    return timing
  }()
}

extension ClipboardCoordinator {
  fileprivate convenience init(
    on desktop: PrivateDesktop, timing: SelectionFetch.Timing = .patient
  ) {
    self.init(display: desktop.environment["DISPLAY"], timing: timing)
  }
}

extension Result<[SelectedForm], Reason> {
  /// "UTF8_STRING 5" for each form: its name and its length.
  fileprivate var summary: [String] {
    switch self {
    case .success(let forms): forms.map { "\($0.contentType) \($0.bytes.count)" }
    case .failure(let reason): [reason.rawValue]
    }
  }
}

@Suite(
  "Reading what a program has selected", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct SelectionTests {
  @Test("Several forms are read in the order that was asked for, small and large, and all at wish")
  func forms() async throws {
    let desktop = try PrivateDesktop()
    let reader = try ClipboardReader(desktop.environment["DISPLAY"])
    #expect(await reader.read([]).summary == ["nothing-there"])
    let peer = try SelectionPeer(
      "CLIPBOARD", ["UTF8_STRING": "Grüße", "image/png": "*3000000", "text/html": "!"],
      on: desktop)
    let all = await reader.read(["image/png", "audio/wav", "UTF8_STRING", "text/html"])
    #expect(all.summary == ["image/png 3000000", "UTF8_STRING 7"])
    let picture = try #require(try all.get().first?.bytes)
    #expect(picture.enumerated().allSatisfy { Int($1) == $0 % 251 })
    #expect(try all.get().last.map { String(decoding: $0.bytes, as: UTF8.self) } == "Grüße")
    #expect(
      await reader.read([]).summary.sorted() == ["UTF8_STRING 7", "image/png 3000000"])
    _ = peer
  }

  @Test(
    "What can't be had has a reason, and the next question is answered",
    arguments: [
      (["audio/wav"], Int.max, "wrong-type"), (["text/html"], .max, "program-failed"),
      (["image/png"], 1_000_000, "too-big"), (["UTF8_STRING"], .max, "too-big"),
      (["x/end"], .max, "gone"), ([""], .max, "wrong-type"),
    ])
  func failures(forms: [String], most: Int, reason: String) async throws {
    let desktop = try PrivateDesktop()
    let reader = try ClipboardReader(desktop.environment["DISPLAY"])
    let peer = try SelectionPeer(
      "CLIPBOARD",
      ["UTF8_STRING": "*1048577", "image/png": "*3000000", "text/html": "!", "x/end": "end"],
      on: desktop)
    #expect(await reader.read(forms, most: most).summary == [reason])
    let other = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "then"], on: desktop)
    #expect(await reader.read(["UTF8_STRING"]).summary == ["UTF8_STRING 4"])
    _ = (peer, other)
  }

  @Test("A stopped program is not waited for, and is not harmed when it wakes")
  func stopped() async throws {
    let desktop = try PrivateDesktop()
    let reader = try ClipboardReader(desktop.environment["DISPLAY"], timing: .init())
    let peer = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "late"], on: desktop)
    peer.process.signal(SIGSTOP)
    let start = ContinuousClock.now
    #expect(await reader.read(["UTF8_STRING"]).summary == ["not-responding"])
    #expect(ContinuousClock.now - start < .seconds(5))
    peer.process.signal(SIGCONT)
    let patient = try ClipboardReader(desktop.environment["DISPLAY"])
    #expect(await patient.read(["UTF8_STRING"]).summary == ["UTF8_STRING 4"])
  }

  @Test("Questions that come together wait for each other, and each is answered")
  func together() async throws {
    let desktop = try PrivateDesktop()
    let reader = try ClipboardReader(desktop.environment["DISPLAY"], timing: .init())
    let peer = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "text"], on: desktop)
    peer.process.signal(SIGSTOP)
    let (answers, tell) = AsyncStream.makeStream(of: [String].self)
    for _ in 0..<3 { Task.immediate { tell.yield(await reader.read([]).summary) } }
    var heard = answers.makeAsyncIterator()
    for _ in 0..<3 { #expect(await heard.next() == ["not-responding"]) }
  }

  @Test("Without a display every question is answered")
  func noDisplay() async throws {
    var desktop: PrivateDesktop? = try PrivateDesktop()
    let reader = try ClipboardReader(desktop?.environment["DISPLAY"])
    desktop = nil
    #expect(await reader.read([]).summary == ["no-display"])
    #expect(await reader.read([]).summary == ["no-display"])
  }
}

@Suite(
  "Borrowing the clipboard", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct ClipboardTests {
  private func borrow(
    _ keeper: ClipboardCoordinator, _ forms: [String], copy: @escaping @Sendable () -> Void
  ) async -> [String] {
    await Result { () async throws(Reason) in
      try await keeper.borrow(forms: forms, most: .max, copy: copy)
    }.summary
  }

  /// Has a program copy, as its own command would.
  private func copy(_ peer: SelectionPeer) -> @Sendable () -> Void {
    let id = peer.process.id
    return { kill(id, SIGUSR1) }
  }

  @Test("What a program copies is read, and what was there before is there again, large or small")
  func putBack() async throws {
    let desktop = try PrivateDesktop()
    let keeper = ClipboardCoordinator(on: desktop)
    let before = try SelectionPeer(
      "CLIPBOARD", ["UTF8_STRING": "before", "image/png": "*3000000"], on: desktop)
    let was = try SelectionPeer.paste("image/png", on: desktop)
    let program = try SelectionPeer(
      "CLIPBOARD", ["text/uri-list": "file:///tmp/a"], isOwner: false, on: desktop)
    #expect(await borrow(keeper, ["text/uri-list"], copy: copy(program)) == ["text/uri-list 13"])
    // Its owner need not live for that.
    before.process.end()
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
    #expect(try SelectionPeer.paste("image/png", on: desktop) == was)
    #expect(try SelectionPeer.paste("text/uri-list", on: desktop) == "none")
    // And again, from what is kept already.
    #expect(await borrow(keeper, [], copy: copy(program)) == ["text/uri-list 13"])
    #expect(try SelectionPeer.paste("image/png", on: desktop) == was)
    let targets = try SelectionPeer.paste("targets", on: desktop)
    #expect(
      targets.hasSuffix("UTF8_STRING image/png") || targets.hasSuffix("image/png UTF8_STRING"))
    #expect(!targets.contains("DELETE"))
  }

  @Test("An empty clipboard is empty again, and a program that copies later is left alone")
  func emptyBefore() async throws {
    let desktop = try PrivateDesktop()
    let keeper = ClipboardCoordinator(on: desktop)
    let program = try SelectionPeer(
      "CLIPBOARD", ["UTF8_STRING": "new"], isOwner: false, on: desktop)
    #expect(await borrow(keeper, ["UTF8_STRING"], copy: copy(program)) == ["UTF8_STRING 3"])
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop) == "none")
    let other = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "other"], on: desktop)
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("5 "))
    _ = other
  }

  @Test("A program that copies nothing leaves the clipboard as it is")
  func nothingCopied() async throws {
    let desktop = try PrivateDesktop()
    let keeper = ClipboardCoordinator(on: desktop)
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    #expect(await borrow(keeper, [], copy: {}) == ["nothing-there"])
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
    _ = before
  }

  @Test("A clipboard that can't be kept is not touched: the program is not asked to copy")
  func unkept() async throws {
    let desktop = try PrivateDesktop()
    let keeper = ClipboardCoordinator(on: desktop, timing: .init())
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    before.process.signal(SIGSTOP)
    #expect(
      await borrow(keeper, []) { Issue.record("asked to copy") } == ["not-responding"])
    before.process.signal(SIGCONT)
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
  }

  @Test("A copy that can't be read is put back all the same")
  func unreadable() async throws {
    let desktop = try PrivateDesktop()
    let keeper = ClipboardCoordinator(on: desktop)
    let before = try SelectionPeer("CLIPBOARD", ["UTF8_STRING": "before"], on: desktop)
    let program = try SelectionPeer(
      "CLIPBOARD", ["text/html": "!"], isOwner: false, on: desktop)
    #expect(await borrow(keeper, ["text/html"], copy: copy(program)) == ["program-failed"])
    #expect(try SelectionPeer.paste("UTF8_STRING", on: desktop).hasPrefix("6 "))
    _ = before
  }
}
