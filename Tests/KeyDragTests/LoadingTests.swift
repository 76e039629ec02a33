import KeyDrag
import Synchronization
import Testing

@Suite("Data is given inside a drop, and only there")
struct LoadingTests {
  private let host = DragHost()

  /// Runs a body as a drop point takes this provider.
  private func dropping(
    _ provider: ItemProvider, _ body: @escaping @Sendable (ItemProvider) async throws -> Void
  ) async throws {
    let point = DragHost.DropPoint("Point") { _ in
      DropProposal(.all)
    } performDrop: { drop in
      try await body(drop.items[0].provider)
    }
    try await host.paste([provider], into: point)
  }

  @Test("S11: a load before the drop, and one after it, is an error that says so")
  func tooEarlyAndTooLate() async throws {
    let provider = try ItemProvider(Contact(name: "Ada", email: "a@example.org"))
    await #expect(throws: ItemProvider.Mistake.tooEarly) {
      try await provider.load("text/vcard")
    }
    #expect(throws: ItemProvider.Mistake.tooEarly) { try provider.object(as: Contact.self) }
    #expect(throws: ItemProvider.Mistake.tooEarly) { try provider.chunks(of: "text/vcard") }
    let kept = Mutex<(ItemProvider, ByteChunks)?>(nil)
    try await dropping(provider) { opened in
      _ = try await opened.load(String.self)
      let chunks = try opened.chunks(of: "text/vcard")
      kept.withLock { $0 = (opened, chunks) }
    }
    let (late, chunks) = try #require(kept.withLock { $0 })
    await #expect(throws: ItemProvider.Mistake.tooLate) { try await late.load(Contact.self) }
    #expect(throws: ItemProvider.Mistake.tooLate) { try late.object(as: Contact.self) }
    await #expect(throws: ItemProvider.Mistake.tooLate) {
      for try await _ in chunks {}
    }
  }

  @Test("S11: in the answer of a drop point nothing can be loaded yet")
  func offer() async throws {
    let seen = Mutex<[ItemProvider?]>([])
    let point = DragHost.DropPoint("Point") { offer in
      seen.withLock { $0 = offer.items.map(offer.provider(of:)) }
      return .refused(.wrongType)
    } performDrop: { _ in
    }
    await #expect(throws: Reason.wrongType) {
      try await host.paste([try ItemProvider("word")], into: point)
    }
    let early = try #require(seen.withLock { $0 }.first ?? nil)
    #expect(early.suggestedName == "word")
    await #expect(throws: ItemProvider.Mistake.tooEarly) { try await early.load(String.self) }
  }

  private static let bytes: [UInt8] = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

  /// The same bytes by every kind of loader.
  static let forms: [Representation] = [
    Representation("a/ready", bytes: bytes), Representation("a/made") { _ in bytes },
    Representation.answering("a/answered") { $0(bytes) },
    Representation("a/read", byteCount: Int64(bytes.count)) {
      { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    },
    Representation("a/endless", byteCount: nil) {
      { offset, count in Array(bytes.dropFirst(Int(offset)).prefix(count)) }
    },
  ]

  @Test("A form comes whole, as a range, and in pieces of at most 64 KiB", arguments: forms.indices)
  func portions(_ index: Int) async throws {
    let form = Self.forms[index]
    let provider = try ItemProvider(suggestedName: "x", representations: [form])
    try await dropping(provider) { item in
      let type = form.contentType
      #expect(try await item.load(type) == Self.bytes)
      #expect(try await item.load(type, range: 10..<20) == Array(Self.bytes[10..<20]))
      #expect(try await item.load(type, range: 199_990..<300_000) == Self.bytes.suffix(10))
      #expect(try await item.load(type, range: 300_000..<300_001).isEmpty)
      var pieces: [Int] = []
      var joined: [UInt8] = []
      for try await piece in try item.chunks(of: type) {
        pieces.append(piece.count)
        joined += piece
      }
      #expect(pieces == [65_536, 65_536, 65_536, 3392])
      #expect(joined == Self.bytes)
      await #expect(throws: Reason.tooBig) { try await item.load(type, atMost: 199_999) }
      await #expect(throws: Reason.wrongType) { try await item.load("b/other") }
    }
  }

  @Test("Progress is told while a form is read, never goes past the end, and is a part of several")
  func progress() async throws {
    let told = Mutex<[Double]>([])
    let progress = LoadProgress { fraction in told.withLock { $0.append(fraction) } }
    let provider = try ItemProvider(suggestedName: "x", representations: [Self.forms[3]])
    try await dropping(provider) { item in
      _ = try await item.load("a/read", progress: progress.part(1, of: 2))
    }
    let fractions = told.withLock { $0 }
    #expect(fractions.last == 1)
    #expect(fractions.allSatisfy { (0.5...1).contains($0) } && fractions == fractions.sorted())
    told.withLock { $0 = [] }
    for wrong in [-1, 7, Double.nan, .infinity] { progress(wrong) }
    #expect(told.withLock { $0 } == [0, 1, 0, 1])
  }

  @Test("A cancelled load ends at once, though the loader does not notice")
  func cancelled() async throws {
    let (started, starting) = AsyncStream.makeStream(of: Void.self)
    let provider = try ItemProvider(
      suggestedName: "x",
      representations: [
        .answering("a/b") { reply in
          starting.yield()
          // Held for ever: nobody answers.
          Held.shared.keep(reply)
        }
      ])
    let load = Task { try await dropping(provider) { _ = try await $0.load("a/b") } }
    for await _ in started { break }
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
  }

  @Test(
    "Types are compared without case and parameters",
    arguments: [
      ("Text/Plain", "text/plain"), ("text/plain;charset=utf-8", "text/plain"),
      (" image/PNG ; q=1", "image/png"),
    ])
  func essence(_ given: String, _ type: String) {
    #expect(Representation(given, bytes: []).contentType == type)
  }

  @Test(
    "What is no type is a mistake with a name",
    arguments: ["", "text", "text/", "/", "a/b/c", "a b/c"])
  func notAType(_ type: String) {
    #expect(throws: ItemProvider.Mistake.self) {
      try ItemProvider(suggestedName: "x", representations: [Representation(type, bytes: [])])
    }
  }
}

private final class Held: Sendable {
  static let shared = Held()
  private let replies = Mutex<[LoadReply]>([])
  func keep(_ reply: LoadReply) { replies.withLock { $0.append(reply) } }
}
