import KeyDrag
import Synchronization
import Testing

/// Two lists of words in one program: what is dropped on the second is added to it.
private final class WordLists: Sendable {
  let host = DragHost()
  let first: ContainerID
  let second: ContainerID
  let taken = Mutex<[String]>([])

  init() {
    first = host.addContainer("First") { _, _ in nil }
    second = host.addContainer("Second")
  }

  func fill() {
    for word in ["alpha", "beta", "gamma"] {
      host.register(
        DragHost.Source(word) {
          try? ItemProvider(
            suggestedName: word,
            representations: [Representation("text/plain", bytes: Array(word.utf8))],
            object: word)
        }, in: first)
    }
    host.register(
      DragHost.DropPoint("Basket") { offer in
        offer.items.count > 2 ? .refused(.tooMany) : DropProposal(.all, offers: [.copy, .move])
      } performDrop: { [self] drop in
        for (_, provider) in drop.items {
          let name = try provider.object(as: String.self) ?? ""
          taken.withLock { $0.append(name) }
        }
      }, in: second)
  }
}

@Suite("An app adopts KeyDrag with descriptors alone")
struct DragHostTests {
  @Test(
    "What is registered is described anew in its place, and what is carried of it stays carried")
  func updated() async throws {
    let host = DragHost()
    let words = host.addContainer("Words")
    let shelf = host.addContainer("Shelf")
    func source(_ name: String) -> DragHost.Source {
      DragHost.Source(name) {
        try ItemProvider(
          suggestedName: name, representations: [Representation("text/plain", bytes: [65])])
      }
    }
    func point(_ name: String, _ proposal: DropProposal) -> DragHost.DropPoint {
      DragHost.DropPoint(name) { _ in
        proposal
      } performDrop: { _ in
        Issue.record("it took what it refuses")
      }
    }
    let first = host.register(source("one"), in: words)
    host.register(source("two"), in: words)
    let place = host.register(point("Basket", DropProposal(.all, offers: .copy)), in: shelf)
    let ear = Ear()
    let controller = host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.press(KeyStroke(.space))
    _ = await ear.next("drop-point")
    host.update(first, to: source("uno"))
    #expect(host.registry[words]?.sources?.map(\.name) == ["uno", "two"])
    host.update(place, to: point("Box", .refused(.noSpace)))
    #expect(host.registry[shelf]?.dropPoints?.map(\.name) == ["Box"])
    controller.press(KeyStroke(.enter))
    #expect(await ear.next("refused").text.contains("Box"))
    controller.press(KeyStroke(.escape))
    #expect(await ear.next("cancelled").text.contains("one"))
    // Neither is what the handle is of, nor is anything there any more.
    first.remove()
    host.update(first, to: source("gone"))
    host.update(place, to: source("none"))
    #expect(host.registry[words]?.sources?.map(\.name) == ["two"])
    await controller.end()
  }

  @Test("H08: a drop that the app can't take back says so, and nothing older is undone instead")
  func undoNotOffered() async {
    let lists = WordLists()
    lists.fill()
    let ear = Ear()
    let controller = lists.host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.perform(.reorderDown)
    _ = await ear.next("moved")
    controller.press(KeyStroke(.space))
    _ = await ear.next("drop-point")
    controller.press(KeyStroke(.enter))
    _ = await ear.next("delivered")
    for _ in 0..<2 {
      controller.perform(.undo)
      let said = await ear.next("cannot-undo")
      #expect(said.text == "Can't undo: copied alpha to Basket. That is not offered here.")
    }
    #expect(lists.host.registry[lists.first]?.sources?.map(\.name) == ["beta", "alpha", "gamma"])
    await controller.end()
  }

  @Test("S03, H01: a drop hands the object itself over, and the outcome is said")
  func dropInProcess() async {
    let lists = WordLists()
    lists.fill()
    let ear = Ear()
    let controller = lists.host.begin { ear.hear($0) }
    let ready = await ear.next("ready")
    #expect(ready.text == "First, 3 items. alpha. Space picks up.")
    controller.type("beta")
    _ = await ear.next("item")
    controller.press(KeyStroke(.space))
    let point = await ear.next("drop-point")
    #expect(point.text == "Basket, in Second: copy. 1 of 1")
    controller.press(KeyStroke(.enter))
    let outcome = await ear.next("delivered")
    #expect(outcome.text == "Copied beta to Basket. Now at gamma.")
    #expect(lists.taken.withLock { $0 } == ["beta"])
    await controller.end()
  }

  @Test("S09, H13: a refusal is said with its reason, and nothing is taken")
  func refusal() async {
    let lists = WordLists()
    lists.fill()
    let ear = Ear()
    let controller = lists.host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.perform(.selectAll)
    _ = await ear.next("selected")
    controller.perform(.pickUp)
    let nothing = await ear.next("nothing-accepts")
    #expect(nothing.text.hasPrefix("No place here accepts these 3 items."))
    #expect(lists.taken.withLock { $0.isEmpty })
    await controller.end()
  }

  @Test("S01: an empty answer means that it can't be dragged, and that is said")
  func emptyAnswer() async {
    let host = DragHost()
    let list = host.addContainer("List")
    host.register(DragHost.Source("ghost") { nil }, in: list)
    let ear = Ear()
    let controller = host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.perform(.pickUp)
    let answer = await ear.next("nothing-to-pick-up")
    #expect(answer.text == "ghost can't be picked up. It can't be dragged.")
    await controller.end()
  }

  @Test("S16, H05: reordering is a command, said with the new place")
  func reordering() async {
    let lists = WordLists()
    lists.fill()
    let ear = Ear()
    let controller = lists.host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.press(KeyStroke(.down, .alt))
    let moved = await ear.next("moved")
    #expect(moved.text == "alpha moved to 2 of 3.")
    #expect(lists.host.registry[lists.first]?.sources?.map(\.name) == ["beta", "alpha", "gamma"])
    await controller.end()
  }

  @Test("K23: a failing drop is said, and the item stays at its source")
  func failure() async {
    let host = DragHost()
    let list = host.addContainer("List")
    host.register(
      DragHost.Source("word") {
        try? ItemProvider(
          suggestedName: "word", representations: [Representation("text/plain", bytes: [65])])
      }, in: list)
    host.register(
      DragHost.DropPoint("Wall") { _ in
        DropProposal(.all)
      } performDrop: { _ in
        throw Reason.wrongType
      },
      in: host.addContainer("Room"))
    let ear = Ear()
    let controller = host.begin { ear.hear($0) }
    _ = await ear.next("ready")
    controller.perform(.pickUp)
    _ = await ear.next("drop-point")
    controller.perform(.drop)
    let failed = await ear.next("failed")
    #expect(failed.text == "Failed: word. Wrong type. Nothing is lost.")
    #expect(host.registry[list]?.sources?.count == 1)
    await controller.end()
  }
}

@Suite("The registry of an app")
struct HostRegistryTests {
  @Test("A container that was never filled differs from an empty one")
  func nilAndEmpty() {
    let host = DragHost()
    let unknown = host.addContainer("Unknown")
    let empty = host.addContainer("Empty")
    host.declareEmpty(empty)
    #expect(host.registry[unknown]?.sources == nil)
    #expect(host.registry[empty]?.sources?.isEmpty == true)
  }

  @Test("A registration is its own removal, and an observer sees each change")
  func removal() {
    let host = DragHost()
    let list = host.addContainer("List")
    let changes = Mutex<[RegistryChange]>([])
    let observation = host.observe { change in changes.withLock { $0.append(change) } }
    let registration = host.register(DragHost.Source("word") { nil }, in: list)
    #expect(host.registry[list]?.sources?.map(\.name) == ["word"])
    registration.remove()
    registration.remove()
    #expect(host.registry[list]?.sources?.isEmpty == true)
    #expect(changes.withLock { $0.count } == 2)
    observation.remove()
    host.register(DragHost.Source("other") { nil }, in: list)
    #expect(changes.withLock { $0.count } == 2)
  }

  @Test("H09: the richest form that the target knows is chosen, in the item's own order")
  func richest() throws {
    let provider = try ItemProvider(
      suggestedName: "sheet",
      representations: [
        Representation("application/pdf", bytes: [1]), Representation("image/png", bytes: [2]),
        Representation("image/jpeg", bytes: [3]),
      ])
    let types = PlainContentTypes()
    #expect(
      provider.richest(accepted: ["image/*"], conforms: types.conforms)?.contentType
        == "image/png")
    #expect(provider.richest(accepted: ["image/jpeg"])?.contentType == "image/jpeg")
    #expect(provider.richest(accepted: ["text/plain"]) == nil)
  }

  @Test("A provider without a form, or with one type twice, is a mistake with a name")
  func mistakes() {
    #expect(throws: ItemProvider.Mistake.noRepresentation) {
      try ItemProvider(suggestedName: "x", representations: [])
    }
    #expect(throws: ItemProvider.Mistake.repeated(contentType: "text/plain")) {
      try ItemProvider(
        suggestedName: "x",
        representations: [
          Representation("text/plain", bytes: []), Representation("text/plain", bytes: []),
        ])
    }
  }

  private struct Shouting: Catalogue {
    let language = "en"
    func sentence(_ source: String, context: String?) -> String {
      source.contains("%") ? source : source.uppercased()
    }
    func sentence(one: String, other: String, count: Int) -> String { count == 1 ? one : other }
  }

  @Test("An app gives the words in which its messages come")
  func words() async {
    let lists = WordLists()
    lists.fill()
    let ear = Ear()
    let controller = lists.host.begin(in: Shouting()) { ear.hear($0) }
    #expect(await ear.next("ready").text.hasSuffix("SPACE PICKS UP."))
    await controller.end()
  }
}
