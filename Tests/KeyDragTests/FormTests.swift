import KeyDrag
import Testing

@Suite("Items in several forms")
struct FormTests {
  @Test("H09, H16: the target takes the richest form it knows, and less is said before the drop")
  func stepDown() async {
    let shelf = Shelf(accepting: Picture.self)
    shelf.offer("sheet") {
      try ItemProvider(
        suggestedName: "sheet",
        representations: [
          Representation("application/pdf", bytes: [1]), Representation("image/png", bytes: [2]),
          Representation("image/jpeg", bytes: [3]),
        ])
    }
    let controller = shelf.host.begin { shelf.ear.hear($0) }
    _ = await shelf.ear.next("ready")
    controller.perform(.pickUp)
    let point = await shelf.ear.next("drop-point")
    #expect(point.text == "Shelf, in Room: copy. Becomes image/png. 1 of 1")
    controller.perform(.drop)
    _ = await shelf.ear.next("delivered")
    #expect(shelf.values.withLock { $0.map(\.type) } == ["image/png"])
    #expect(shelf.values.withLock { $0.map(\.bytes) } == [[2]])
    await controller.end()
  }

  @Test("H16: what arrives in its best form, or is no more than a private form less, is not said")
  func noStepDown() async {
    let shelf = Shelf(accepting: Picture.self)
    shelf.offer("sheet") {
      try ItemProvider(
        suggestedName: "sheet",
        representations: [
          Representation("application/x-sheet", visibility: .thisProgram, bytes: [1]),
          Representation("image/png", bytes: [2]),
        ])
    }
    let controller = shelf.host.begin { shelf.ear.hear($0) }
    _ = await shelf.ear.next("ready")
    controller.perform(.pickUp)
    #expect(await shelf.ear.next("drop-point").text == "Shelf, in Room: copy. 1 of 1")
    await controller.end()
  }

  @Test("H21: styled text keeps its style where the target reads HTML")
  func styled() async {
    let shelf = Shelf(accepting: StyledText.self)
    shelf.offer("note") { try ItemProvider(anonymous: StyledText(html: "<b>Dear</b> Ada")) }
    #expect(await shelf.drop("delivered") == "Copied note to Shelf.")
    #expect(shelf.values.withLock { $0 } == [StyledText(html: "<b>Dear</b> Ada")])
  }

  @Test(
    "H21, S05: a target that knows plain text alone gets plain text, though HTML is text as well")
  func plain() async {
    let shelf = Shelf(accepting: String.self)
    shelf.offer("note") { try ItemProvider(StyledText(html: "<b>Dear</b> Ada")) }
    shelf.offer("Ada") { try ItemProvider(Contact(name: "Ada", email: "ada@example.org")) }
    #expect(await shelf.drop("delivered") == "Copied 2 items to Shelf.")
    #expect(shelf.values.withLock { $0 } == ["Dear Ada", "Ada <ada@example.org>"])
  }

  @Test("H17: a recipient field takes name and address only")
  func recipient() async {
    let shelf = Shelf(accepting: Recipient.self)
    shelf.offer("Ada") {
      try ItemProvider(Contact(name: "Ada", email: "ada@example.org", phone: "123"))
    }
    _ = await shelf.drop("delivered")
    #expect(shelf.values.withLock { $0.map(\.text) } == ["Ada <ada@example.org>"])
  }

  @Test("S03: within the program the value itself is handed over, and nothing is serialised")
  func object() async {
    let shelf = Shelf(accepting: Contact.self)
    let ada = Contact(name: "Ada", email: "ada@example.org")
    let counter = ada.count
    shelf.offer("Ada") { try ItemProvider(ada) }
    _ = await shelf.drop("delivered")
    #expect(shelf.values.withLock { $0.first?.count === counter })
    #expect(counter.value == 0)
  }

  @Test("S05, S15: several contacts arrive in order, each from its vCard")
  func several() async {
    let shelf = Shelf(accepting: Contact.self)
    for name in ["Ada", "Grace", "Mary"] {
      shelf.offer(name) {
        try ItemProvider(anonymous: Contact(name: name, email: "\(name)@example.org"))
      }
    }
    _ = await shelf.drop("delivered")
    #expect(shelf.values.withLock { $0.map(\.name) } == ["Ada", "Grace", "Mary"])
  }

  @Test("S09, S14: the wrong type and too many are two reasons")
  func verdicts() async {
    for (types, reason) in [
      (["text/plain"], "wrong type"), (["image/png", "image/jpeg"], "too many items"),
    ] {
      let shelf = Shelf(accepting: Picture.self, atMost: 1)
      for type in types {
        shelf.offer(type) {
          try ItemProvider(
            suggestedName: "x", representations: [Representation(type, bytes: [1])])
        }
      }
      let said = await shelf.refusal()
      #expect(said == "Shelf: refuses, \(reason). 1 of 2")
    }
  }

  @Test("H27: a place that can read some of the items takes those")
  func partial() async {
    let shelf = Shelf(accepting: Picture.self)
    for type in ["text/plain", "image/png"] {
      shelf.offer(type) {
        try ItemProvider(suggestedName: "x", representations: [Representation(type, bytes: [1])])
      }
    }
    let controller = shelf.host.begin { shelf.ear.hear($0) }
    _ = await shelf.ear.next("ready")
    controller.perform(.selectAll)
    controller.perform(.pickUp)
    #expect(await shelf.ear.next("drop-point").text == "Shelf, in Room: copy only 1 of 2. 1 of 1")
    await controller.end()
  }

  @Test("The accept list of a drop serves a paste")
  func paste() async throws {
    let shelf = Shelf(accepting: Contact.self)
    let basket = Shelf(accepting: String.self)
    let ada = try ItemProvider(Contact(name: "Ada", email: "ada@example.org"))
    let picture = try ItemProvider(
      suggestedName: "x", representations: [Representation("image/png", bytes: [1])])
    let contacts = DragHost.DropPoint("Contacts", accepting: Contact.self) { new, _ in
      shelf.values.withLock { $0 += new }
    }
    #expect(try await shelf.host.paste([ada, picture], into: contacts) == [1: .wrongType])
    #expect(shelf.values.withLock { $0.map(\.name) } == ["Ada"])
    let text = DragHost.DropPoint("Text", accepting: String.self, atMost: 1) { new, _ in
      basket.values.withLock { $0 += new }
    }
    try await basket.host.paste([ada], into: text)
    #expect(basket.values.withLock { $0 } == ["Ada <ada@example.org>"])
    await #expect(throws: Reason.tooMany) { try await basket.host.paste([ada, ada], into: text) }
    await #expect(throws: Reason.wrongType) { try await basket.host.paste([picture], into: text) }
    await #expect(throws: Reason.nothingThere) { try await basket.host.paste([], into: text) }
    #expect(basket.values.withLock { $0.count } == 1)
  }
}

extension ItemProvider {
  /// A value in its forms, without the value itself: as it comes from another program.
  init<Value: DragRepresentable>(anonymous value: Value) throws(Mistake) {
    try self.init(
      suggestedName: value.suggestedName,
      representations: value.representedTypes.map { type in
        Representation(type) { try await value.represented(as: type, progress: $0) }
      })
  }
}
