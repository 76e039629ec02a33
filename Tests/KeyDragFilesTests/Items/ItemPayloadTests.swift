import Glibc
import KeyDragCore
import KeyDragTypes
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

/// An app that holds items, and gives what everyone may have of them.
private final class App: ItemLoading {
  private let providers = Mutex<[DragSourceID: ItemProvider]>([:])
  private let types = SystemContentTypes()

  func pickUp(_ provider: ItemProvider) -> DragItem {
    let id = providers.withLock { providers in
      let id = DragSourceID(UInt64(providers.count + 1))
      providers[id] = provider
      return id
    }
    return DragItem(
      source: id, name: provider.suggestedName, kind: .object, types: provider.contentTypes,
      typeName: "", container: ContainerID(1), tree: nil)
  }

  private func provider(_ source: DragSourceID) -> ItemProvider? {
    providers.withLock { $0[source] }
  }

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }

  func typesForEveryone(of item: DragItem) -> [String] {
    provider(item.source)?.typesForEveryone ?? []
  }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let provider = provider(source), provider.typesForEveryone.contains(contentType) else {
      throw Reason.wrongType
    }
    let gate = LoadGate(types: types)
    return ItemStream(try await provider.opened(by: gate).load(contentType, progress: progress))
  }
}

@Suite("Items of an app, as other programs are given them", .timeLimit(.minutes(2)))
struct ItemPayloadTests {
  private let bench: Bench
  private let app = App()
  private let held: ItemPayload
  private let loads = Loads()

  /// The forms that were loaded, in order.
  private final class Loads: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
  }

  init() throws {
    bench = try Bench()
    held = ItemPayload(types: SystemContentTypes(), courier: bench.courier, folder: bench.a)
  }

  private func form(
    _ type: String, _ text: String, _ visibility: Representation.Visibility = .everyone
  ) -> Representation {
    Representation(type, visibility: visibility) { [loads] _ in
      loads.add(type)
      return Array(text.utf8)
    }
  }

  /// Something of the app, picked up.
  private func pickUp(_ name: String, _ forms: Representation...) throws -> DragItem {
    app.pickUp(try ItemProvider(suggestedName: name, representations: forms))
  }

  private func bytes(_ type: String, of items: [DragItem]) async throws -> String? {
    let form = try #require(held.forms(of: items).first { $0.contentType == type })
    return await form.load().map { String(decoding: $0, as: UTF8.self) }
  }

  private func bytes(_ form: DragForm?) async -> [UInt8]? {
    await form?.load()
  }

  /// The regular files that were made for programs.
  private var made: [FilePath] {
    var found: [FilePath] = []
    var folders = [bench.a]
    while let next = folders.popLast() {
      guard let folder = try? OpenFolder(next) else { continue }
      for name in (try? FileCalls.names(in: folder.raw)) ?? [] {
        let path = next.appending(name)
        if (try? FileCalls.status(path))?.kind == .folder {
          folders.append(path)
        } else if name != FileName("record") {
          found.append(path)
        }
      }
    }
    return found
  }

  @Test("A contact is offered as it is, as text, and as a file; what is for this program is not")
  func forms() throws {
    let item = try pickUp(
      "Ada", form("text/vcard", "card"), form("text/plain", "Ada"),
      form("application/x-secret", "secret", .thisProgram))
    let items = held.hold([item], from: app)
    #expect(
      held.forms(of: items).map(\.contentType) == [
        "text/vcard", "text/plain", "text/plain;charset=utf-8", "UTF8_STRING", "text/uri-list",
      ])
  }

  @Test("A list of addresses that an item has of its own does not pass for its files")
  func ownList() async throws {
    let item = try pickUp(
      "Page", form("text/uri-list", "https://example.org/"), form("text/plain", "Example"))
    let items = held.hold([item], from: app)
    #expect(
      held.forms(of: items).map(\.contentType) == [
        "text/plain", "text/plain;charset=utf-8", "UTF8_STRING", "text/uri-list",
      ])
    _ = try await bytes("text/uri-list", of: items)
    try await held.open(items)
    #expect(made.map(\.contents) == [Array("Example".utf8)])
    // Where there is nothing else it is text.
    let alone = held.hold(
      [try pickUp("Page", form("text/uri-list", "https://example.org/"))], from: app)
    #expect(
      held.forms(of: alone).map(\.contentType) == [
        "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "text/uri-list",
      ])
    try await held.open(alone)
    #expect(try await bytes("text/plain", of: alone) == "https://example.org/")
  }

  @Test(
    "The file of a drop is there after the end and the next start only while nobody knows its end",
    arguments: [false, true])
  func unknownEnd(isKnown: Bool) async throws {
    var held: ItemPayload? = ItemPayload(
      types: SystemContentTypes(), courier: bench.courier, folder: bench.a)
    let item = try pickUp("Ada", form("text/vcard", "card"))
    let items = held?.hold([item], from: app) ?? []
    let list = held?.forms(of: items).first { $0.contentType == "text/uri-list" }
    #expect(await bytes(list) != nil)
    try await held?.open(items)
    if isKnown { held?.settle(items) }
    held?.close(items)
    held?.removeFiles()
    held = nil
    ItemPayload.sweep(bench.a)
    #expect(made.map(\.contents) == (isKnown ? [] : [Array("card".utf8)]))
  }

  @Test("What is for this program alone is offered to nobody")
  func hidden() throws {
    let item = try pickUp("Ada", form("text/vcard", "card", .thisProgram))
    #expect(held.forms(of: held.hold([item], from: app)).isEmpty)
  }

  @Test("A form that is text by its type is given as text, and several as one text and as files")
  func several() async throws {
    let first = try pickUp("Ada", form("text/vcard", "a"))
    let second = try pickUp("Rózsa", form("text/vcard", "r"), form("text/plain", "Rózsa"))
    let image = try pickUp("Photo", form("image/png", "png"))
    let items = held.hold([first, second], from: app)
    #expect(!held.forms(of: items).map(\.contentType).contains("text/vcard"))
    try await held.open(items)
    #expect(try await bytes("UTF8_STRING", of: items) == "a\nRózsa")
    let mixed = held.hold([first, image], from: app)
    #expect(held.forms(of: mixed).map(\.contentType) == ["text/uri-list"])
  }

  @Test("While programs ask they are given no contents, and nothing is loaded")
  func asking() async throws {
    let item = try pickUp("Ada", form("text/vcard", "card"), form("text/plain", "Ada"))
    let items = held.hold([item], from: app)
    for type in ["text/vcard", "text/plain", "UTF8_STRING"] {
      #expect(try await bytes(type, of: items) == nil, "\(type)")
    }
    let list = try #require(try await bytes("text/uri-list", of: items))
    #expect(list.hasPrefix("file://") && list.hasSuffix("/Ada.vcf\r\n"), "\(list)")
    #expect(made.isEmpty)
    #expect(loads.all.isEmpty)
    #expect(held.given(of: items).map(\.contentType) == ["text/uri-list"])
  }

  @Test("In a drop only what is asked for is loaded, and once")
  func dropping() async throws {
    let item = try pickUp("Ada", form("text/vcard", "card"), form("text/plain", "Ada"))
    let items = held.hold([item], from: app)
    try await held.open(items)
    #expect(try await bytes("text/plain", of: items) == "Ada")
    #expect(try await bytes("text/plain", of: items) == "Ada")
    #expect(loads.all == ["text/plain"])
    #expect(made.isEmpty)
    held.close(items)
    #expect(try await bytes("text/vcard", of: items) == nil)
    #expect(loads.all == ["text/plain"])
  }

  @Test("A file is written at the drop where it was asked for, for its owner alone, and removed")
  func file() async throws {
    let item = try pickUp("Ada", form("text/vcard", "card"))
    let items = held.hold([item], from: app)
    let asked = try #require(try await bytes("text/uri-list", of: items))
    try await held.open(items)
    let path = try #require(made.first)
    #expect(made.count == 1)
    #expect(path.contents == Array("card".utf8))
    #expect(asked == "file://\(path.string)\r\n")
    #expect(try await bytes("text/uri-list", of: items) == asked)
    let outer = path.removingLastComponent().removingLastComponent()
    var status = stat()
    #expect(outer.withPlatformString { stat($0, &status) } == 0)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(loads.all == ["text/vcard"])
    held.close(items)
    held.settle(items)
    held.removeFiles()
    #expect(made.isEmpty)
    #expect((try? FileCalls.status(outer)) == nil)
  }

  /// What someone does with a file that was made for their program.
  enum Work: String, CaseIterable, CustomTestStringConvertible {
    case edited, replaced, retouched, joined

    var testDescription: String { rawValue }

    func apply(to path: FilePath) throws {
      let time = try FileCalls.status(path).modificationTime
      switch self {
      case .edited: try path.write("a longer card").date(time)
      case .retouched:
        try path.write("drac").date(timespec(tv_sec: time.tv_sec + 1, tv_nsec: time.tv_nsec))
      case .replaced:
        // As programs save: under another name first. The old one stays beside it.
        try (path.removingLastComponent() / "new").write("drac").date(time)
        try path.rename(to: path.removingLastComponent() / "Ada.vcf~")
        try (path.removingLastComponent() / "new").rename(to: path)
      case .joined: try (path.removingLastComponent() / "more").write("more")
      }
    }
  }

  @Test("What someone has made of a file is kept at the end", arguments: Work.allCases)
  func worked(_ work: Work) async throws {
    let items = held.hold([try pickUp("Ada", form("text/vcard", "card"))], from: app)
    let other = held.hold([try pickUp("Rózsa", form("text/vcard", "r"))], from: app)
    for items in [items, other] {
      _ = try await bytes("text/uri-list", of: items)
      try await held.open(items)
      held.close(items)
      held.settle(items)
    }
    let path = try #require(made.first { $0.lastComponent?.string == "Ada.vcf" })
    try work.apply(to: path)
    let folder = path.removingLastComponent()
    var wanted = Set(folder.names)
    if work == .joined { wanted.remove("Ada.vcf") }
    held.removeFiles()
    #expect(Set(folder.names) == wanted)
    #expect(made.count == wanted.count)
  }

  @Test("A file that is still being written at the end leaves nothing behind")
  func unfinished() async throws {
    let started = OneSignal()
    let slow = Representation("text/vcard") { _ in
      started.give()
      try await Task.sleep(for: .seconds(86_400))
      return []
    }
    let items = held.hold([try pickUp("Ada", slow)], from: app)
    _ = try await bytes("text/uri-list", of: items)
    let opening = Task { [held] in try await held.open(items) }
    await started.wait()
    held.close(items)
    held.removeFiles()
    await #expect(throws: Reason.interrupted) { try await opening.value }
    #expect(bench.a.names.isEmpty)
  }

  @Test("Once the files are removed no others are made")
  func late() async throws {
    let items = held.hold([try pickUp("Ada", form("text/vcard", "card"))], from: app)
    let known = held.hold([try pickUp("Rózsa", form("text/vcard", "r"))], from: app)
    _ = try await bytes("text/uri-list", of: known)
    held.removeFiles()
    #expect(try await bytes("text/uri-list", of: items) == nil)
    #expect(held.trouble(with: items) == .interrupted)
    await #expect(throws: Reason.interrupted) { try await held.open(known) }
    #expect(bench.a.names.isEmpty)
  }

  @Test("What a program may still be reading is kept at the end")
  func unsettled() async throws {
    let items = held.hold([try pickUp("Ada", form("text/vcard", "card"))], from: app)
    _ = try await bytes("text/uri-list", of: items)
    try await held.open(items)
    held.close(items)
    held.removeFiles()
    #expect(made.map(\.contents) == [Array("card".utf8)])
  }

  @Test("Questions about the same are about the same drag; a drop and other items begin another")
  func numbers() async throws {
    let item = try pickUp("Ada", form("text/vcard", "card"))
    let items = held.hold([item], from: app)
    #expect(held.hold([item], from: app) == items)
    try await held.open(items)
    #expect(held.hold([item], from: app) != items)
    #expect(items.allSatisfy { $0.allowed == .copy })
  }

  @Test("Several files of one name are numbered, so that they find room in one folder")
  func sameNames() async throws {
    let items = held.hold(
      try ["Ada", "Rózsa", "Ada", "Ada (2)", "Ada"].map {
        try pickUp($0, form("text/vcard", "card"))
      }, from: app)
    let asked = try #require(try await bytes("text/uri-list", of: items))
    let names = asked.split(whereSeparator: \.isNewline).map { $0.split(separator: "/").last }
    #expect(
      names == [
        "Ada.vcf", "R%C3%B3zsa.vcf", "Ada%20%282%29.vcf", "Ada%20%282%29%20%282%29.vcf",
        "Ada%20%283%29.vcf",
      ])
    try await held.open(items)
    #expect(Set(made.compactMap { $0.lastComponent?.string }).count == 5)
    #expect(try await bytes("text/uri-list", of: items) == asked)
  }

  @Test("What can't be loaded is said with its reason, and no file is left")
  func failing() async throws {
    let broken = Representation("text/vcard") { _ in throw Reason.malformed }
    let item = try pickUp("Ada", broken)
    let items = held.hold([item], from: app)
    _ = try await bytes("text/uri-list", of: items)
    await #expect(throws: Reason.malformed) { try await held.open(items) }
    #expect(held.trouble(with: items) == .malformed)
    #expect(held.forms(of: items).isEmpty)
    #expect(made.isEmpty)
    #expect(held.hold([item], from: app) != items)
  }

  @Test("Several things that are too much for one text are not all loaded")
  func tooMuch() async throws {
    let half = Int(ItemProvider.longestLoad / 2) + 1
    let items = held.hold(
      try (1...3).map { number in
        try pickUp(
          "\(number)",
          Representation("text/plain") { [loads] _ in
            loads.add("\(number)")
            return [UInt8](repeating: 65, count: half)
          })
      }, from: app)
    try await held.open(items)
    #expect(try await bytes("text/plain", of: items) == nil)
    #expect(held.trouble(with: items) == .tooBig)
    #expect(loads.all == ["1", "2"])
  }

  @Test("After a drop nothing is kept of what was loaded but what is looked for at the target")
  func forgetting() async throws {
    let long = String(repeating: "a", count: 100_000)
    let items = held.hold(
      [try pickUp("Ada", form("image/png", long), form("text/plain", long))], from: app)
    try await held.open(items)
    #expect(try await bytes("text/plain", of: items) == long)
    #expect(try await bytes("image/png", of: items) == long)
    held.close(items)
    #expect(try await bytes("text/plain", of: items) == nil)
    let given = held.given(of: items)
    #expect(given.map(\.contentType) == ["text/plain"])
    let form = try #require(given.first)
    let kept = await form.load()
    #expect(kept?.count == 65_536)
  }

  @Test("A loader that never answers is given up with the drop")
  func silent() async throws {
    let started = OneSignal()
    let item = try pickUp(
      "Ada",
      Representation("text/plain") { _ in
        started.give()
        try await Task.sleep(for: .seconds(86_400))
        return []
      })
    let items = held.hold([item], from: app)
    try await held.open(items)
    async let waiting = bytes("text/plain", of: items)
    await started.wait()
    held.close(items)
    #expect(try await waiting == nil)
    #expect(held.trouble(with: items) == .interrupted)
  }
}

/// Something that happens once and is waited for.
private final class OneSignal: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func give() { continuation.finish() }

  func wait() async { for await _ in stream {} }
}

extension FilePath {
  fileprivate func date(_ time: timespec) throws {
    _ = try FileCalls.checked {
      withPlatformString { utimensat(AT_FDCWD, $0, [time, time], 0) }
    }
  }

  fileprivate func rename(to other: FilePath) throws {
    _ = try FileCalls.checked {
      withPlatformString { old in other.withPlatformString { Glibc.rename(old, $0) } }
    }
  }
}
