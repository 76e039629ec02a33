import KeyDrag
import Synchronization
import Testing

/// A loader's failure that is none of ours.
private struct Trouble: Error {}

@Suite("Loaders that do not keep to the rules")
struct BadInputTests {
  /// What is said of each, in the order of the issue.
  static let loaders: [(what: String, form: Representation, said: String)] = [
    (
      "throws a reason", Representation("text/plain") { _ in throw Reason.gone },
      "Failed: word. It is gone."
    ),
    (
      "throws something else", Representation("text/plain") { _ in throw Trouble() },
      "Failed: word. The reason is not known. Nothing is lost."
    ),
    (
      "gives up by itself", Representation("text/plain") { _ in throw CancellationError() },
      "Failed: word. It was interrupted. Nothing is lost."
    ),
    (
      "answers twice",
      .answering("text/plain") { reply in
        reply([65])
        reply([66])
      },
      "Failed: word. Its contents are damaged. Nothing is lost."
    ),
    (
      "answers and fails",
      .answering("text/plain") { reply in
        reply([65])
        reply.fail(Trouble())
      },
      "Failed: word. Its contents are damaged. Nothing is lost."
    ),
    (
      "fails through its callback", .answering("text/plain") { $0.fail(Reason.deviceError) },
      "Failed: word. The disk reports an error. Nothing is lost."
    ),
    (
      "forgets its callback", .answering("text/plain") { _ in },
      "Failed: word. It is not responding. Try again later. Nothing is lost."
    ),
    (
      "gives nothing", Representation("text/plain") { _ in [] },
      "Failed: word. There is nothing. Nothing is lost."
    ),
    (
      "gives more than announced", Representation("text/plain", byteCount: 1) { _ in [65, 66] },
      "Failed: word. It has changed. Look at it before trying again. Nothing is lost."
    ),
    (
      "gives less than announced", Representation("text/plain", byteCount: 3) { _ in [65, 66] },
      "Failed: word. It has changed. Look at it before trying again. Nothing is lost."
    ),
    (
      "reads on behind its announced end",
      Representation("text/plain", byteCount: 2) {
        { _, count in Array(repeating: 65, count: count) }
      },
      "Failed: word. It has changed. Look at it before trying again. Nothing is lost."
    ),
    (
      "gives more than a piece",
      Representation("text/plain", byteCount: nil) {
        { _, count in Array(repeating: 65, count: count + 1) }
      },
      "Failed: word. Its contents are damaged. Nothing is lost."
    ),
    (
      "gives what is no text", Representation("text/plain", bytes: [0xFF, 0xFE]),
      "Failed: word. Its contents are damaged. Nothing is lost."
    ),
  ]

  @Test(
    "S06, H14: a loader's fault is said with its reason, and nothing is taken",
    arguments: loaders.indices)
  func faults(_ index: Int) async {
    let (what, form, said) = Self.loaders[index]
    let shelf = Shelf(accepting: String.self)
    shelf.offer("word") { try ItemProvider(suggestedName: "word", representations: [form]) }
    #expect(await shelf.drop("failed") == said, "\(what)")
    #expect(shelf.values.withLock { $0.isEmpty }, "\(what)")
    #expect(shelf.host.registry[shelf.sources]?.sources?.count == 1)
  }

  @Test("One bad item among good ones: nothing of the drop is taken")
  func oneOfSeveral() async {
    let shelf = Shelf(accepting: Contact.self)
    shelf.offer("Ada") { try ItemProvider(Contact(name: "Ada", email: "a@example.org")) }
    shelf.offer("Bad") {
      try ItemProvider(
        suggestedName: "Bad",
        representations: [Representation("text/vcard", bytes: Array("BEGIN:VCARD\n".utf8))])
    }
    let said = await shelf.drop("failed")
    #expect(said == "Failed: Ada and Bad. Its contents are damaged. Nothing is lost.")
    #expect(shelf.values.withLock { $0.isEmpty })
  }

  @Test("A second answer that comes later, while others still load, spoils the drop")
  func lateSecondAnswer() async {
    let shelf = Shelf(accepting: String.self)
    let reply = Mutex<LoadReply?>(nil)
    shelf.offer("word") {
      try ItemProvider(
        suggestedName: "word",
        representations: [
          .answering("text/plain") { given in
            reply.withLock { $0 = given }
            given([65])
          }
        ])
    }
    shelf.offer("next") {
      try ItemProvider(
        suggestedName: "next",
        representations: [
          Representation("text/plain") { _ in
            reply.withLock { $0 }?([66])
            return [67]
          }
        ])
    }
    #expect(
      await shelf.drop("failed")
        == "Failed: word and next. Its contents are damaged. Nothing is lost.")
    #expect(shelf.values.withLock { $0.isEmpty })
  }

  @Test("H19: the person cancels a loader that never answers; a late answer counts for nothing")
  func neverAnswers() async throws {
    let shelf = Shelf(accepting: String.self)
    let reply = Mutex<LoadReply?>(nil)
    let (asked, asking) = AsyncStream.makeStream(of: Void.self)
    shelf.offer("word") {
      try ItemProvider(
        suggestedName: "word",
        representations: [
          .answering("text/plain") { given in
            reply.withLock { $0 = given }
            asking.yield()
          }
        ])
    }
    let controller = shelf.host.begin { shelf.ear.hear($0) }
    _ = await shelf.ear.next("ready")
    controller.perform(.pickUp)
    _ = await shelf.ear.next("drop-point")
    controller.perform(.drop)
    for await _ in asked { break }
    controller.perform(.deliveries)
    _ = await shelf.ear.next("confirm")
    controller.perform(.cancelDelivery)
    #expect(await shelf.ear.next("delivery-cancelled").text == "Cancelled word: 0 done, 1 not.")
    let late = try #require(reply.withLock { $0 })
    late([65])
    late.progress(0.5)
    await controller.end()
    #expect(shelf.values.withLock { $0.isEmpty })
  }

  @Test("S01: a provider that can't be made can't be dragged, and that is said")
  func mistakenProviders() async {
    let makers: [@Sendable () throws -> ItemProvider?] = [
      { try ItemProvider(suggestedName: "x", representations: []) },
      {
        try ItemProvider(
          suggestedName: "x",
          representations: [
            Representation("text/plain", bytes: [1]),
            Representation("Text/Plain; charset=utf-8", bytes: [1]),
          ])
      },
      {
        try ItemProvider(
          suggestedName: "x", representations: [Representation("text", bytes: [1])])
      },
    ]
    for maker in makers {
      let shelf = Shelf(accepting: String.self)
      shelf.offer("ghost", maker)
      let controller = shelf.host.begin { shelf.ear.hear($0) }
      _ = await shelf.ear.next("ready")
      controller.perform(.pickUp)
      let answer = await shelf.ear.next("nothing-to-pick-up")
      #expect(answer.text == "ghost can't be picked up. It can't be dragged.")
      await controller.end()
    }
  }

  @Test("S01: a source says of itself why it can't be dragged")
  func sourceWithReason() async {
    let shelf = Shelf(accepting: String.self)
    shelf.offer("secret") { throw Reason.password }
    let controller = shelf.host.begin { shelf.ear.hear($0) }
    _ = await shelf.ear.next("ready")
    controller.perform(.pickUp)
    let answer = await shelf.ear.next("nothing-to-pick-up")
    #expect(answer.text == "secret can't be picked up. It is a password.")
    await controller.end()
  }

  @Test("A form longer than the target takes in is refused before the drop, with the reason")
  func tooBig() async {
    let shelf = Shelf(accepting: String.self)
    shelf.offer("book") {
      try ItemProvider(
        suggestedName: "book",
        representations: [
          Representation("text/plain", byteCount: 1 << 30) { { _, _ in [] } }
        ])
    }
    let said = await shelf.refusal()
    #expect(said == "Shelf: refuses, it is too large. 1 of 2")
  }
}
