import KeyDrag
import PlacesSample
import Synchronization
import Testing

@Suite("The sample of places")
struct PlacesTests {
  private let few = ["Alpha", "Beta", "Gamma"]

  @Test("S16, H05: up, down, top and bottom move a row, and its new place is said")
  func reorder() async {
    let sample = PlacesSample(names: few)
    let run = await SampleRun.ready(sample.host)
    #expect(await run.perform(.reorderDown, until: "moved") == "Alpha moved to 2 of 3.")
    #expect(await run.perform(.reorderBottom, until: "moved") == "Alpha moved to 3 of 3.")
    #expect(await run.perform(.reorderTop, until: "moved") == "Alpha moved to 1 of 3.")
    await run.perform(.reorderUp, until: "edge")
    await run.end()
    #expect(sample.places.rows.map(\.text) == few)
  }

  @Test("S16, H08: what was done with the rows is taken back step by step, and done again")
  func undo() async {
    let sample = PlacesSample(names: few)
    let run = await SampleRun.ready(sample.host)
    await run.perform(.reorderDown, until: "moved")
    await run.drag(to: "journey")
    await run.perform(.reorderTop, until: "moved")
    #expect(sample.places.rows.map(\.text) == ["Gamma", "Beta", "Alpha"])
    #expect(sample.journey.rows.map(\.text) == ["Alpha"])
    let steps = [
      ("Undone: moved Gamma to Places.", "Moved again: Gamma to Places."),
      ("Took back: Alpha out of Journey.", "Copied again: Alpha to Journey."),
      ("Undone: moved Alpha to Places.", "Moved again: Alpha to Places."),
    ]
    for (undone, _) in steps { #expect(await run.perform(.undo, until: "undone") == undone) }
    #expect(await run.perform(.undo, until: "nothing-to-undo") == "Nothing to undo.")
    #expect(sample.places.rows.map(\.text) == few)
    #expect(sample.host.registry[sample.places.container]?.sources?.map(\.name) == few)
    #expect(sample.journey.rows.isEmpty)
    for (_, again) in steps.reversed() {
      #expect(await run.perform(.redo, until: "redone") == again)
    }
    #expect(await run.perform(.redo, until: "nothing-to-redo") == "Nothing to redo.")
    #expect(sample.places.rows.map(\.text) == ["Gamma", "Beta", "Alpha"])
    #expect(sample.journey.rows.map(\.text) == ["Alpha"])
    // What was taken back has another beginning once something else was done.
    await run.perform(.undo, until: "undone")
    await run.perform(.lastItem, until: "item")
    await run.perform(.reorderUp, until: "moved")
    await run.perform(.redo, until: "nothing-to-redo")
    await run.end()
  }

  @Test("S17, H08: rows dropped elsewhere in their list go back, and what came since stays")
  func undoMove() async {
    let sample = PlacesSample(names: few)
    let run = await SampleRun.ready(sample.host)
    await run.perform(.toggleEdit, until: "mode")
    await run.perform(.pickUp, until: "drop-point")
    await run.perform(.lastPosition, until: "drop-point")
    await run.perform(.drop, until: "delivered")
    sample.places.insert([PlaceName("Delta")], at: 1)
    #expect(sample.places.rows.map(\.text) == ["Beta", "Delta", "Gamma", "Alpha"])
    await run.perform(.undo, until: "undone")
    #expect(sample.places.rows.map(\.text) == ["Alpha", "Delta", "Beta", "Gamma"])
    await run.perform(.redo, until: "redone")
    #expect(sample.places.rows.map(\.text) == ["Beta", "Delta", "Gamma", "Alpha"])
    await run.end()
  }

  @Test("H08: what does not stand as it was left is not taken back, and that is said")
  func undoChanged() async {
    let sample = PlacesSample(names: few)
    let run = await SampleRun.ready(sample.host)
    await run.perform(.reorderDown, until: "moved")
    sample.places.insert([PlaceName("Delta")], at: 0)
    #expect(
      await run.perform(.undo, until: "cannot-undo")
        == "Can't undo: moved Alpha to Places. It has changed. Look at it before trying again.")
    #expect(sample.places.rows.map(\.text) == ["Delta", "Beta", "Alpha", "Gamma"])
    await run.end()
  }

  @Test("S14, S17: rows move inside the list once Edit is on, and not before")
  func editMode() async {
    let sample = PlacesSample(names: few)
    let run = await SampleRun.ready(sample.host)
    #expect(await run.perform(.pickUp, until: "drop-point") == "Journey: copy. 1 of 1")
    await run.perform(.toggleRefusing, until: "mode")
    await run.perform(.nextDropPoint, until: "back-at-source")
    #expect(
      await run.perform(.nextDropPoint, until: "drop-point").contains("turn on Edit to move rows"))
    await run.perform(.cancel, until: "cancelled")
    #expect(await run.perform(.toggleEdit, until: "mode") == "Edit on.")
    await run.perform(.pickUp, until: "drop-point")
    await run.perform(.lastPosition, until: "drop-point")
    #expect(
      await run.perform(.drop, until: "delivered") == "Moved Alpha to Places. 3 of 3. Now at Beta.")
    #expect(sample.places.rows.map(\.text) == ["Beta", "Gamma", "Alpha"])
    await run.end()
  }

  @Test("S14: one text only, unless several are asked for; S15: those come in their order")
  func several() async {
    let single = PlacesSample(names: few)
    var run = await SampleRun.ready(single.host)
    run.perform(.selectAll)
    await run.perform(.pickUp, until: "nothing-accepts")
    await run.end()
    #expect(single.journey.rows.isEmpty)

    let many = PlacesSample(names: few, several: true)
    run = await SampleRun.ready(many.host)
    run.perform(.selectAll)
    #expect(await run.perform(.pickUp, until: "drop-point").hasPrefix("Journey"))
    await run.perform(.drop, until: "delivered")
    #expect(many.journey.rows.map(\.text) == few)
    #expect(many.places.rows.map(\.text) == few)
    #expect(many.host.registry[many.journey.container]?.sources?.map(\.name) == few)
    #expect(await run.perform(.goToLanded, until: "item").hasPrefix("Alpha, selected"))
    await run.end()
  }

  @Test("S13: a row gives UTF-8 plain text through a closure, and tells of no progress")
  func plainText() async throws {
    let provider = try ItemProvider(PlaceName("Iguazú Falls"))
    #expect(provider.contentTypes == ["text/plain"])
    #expect(provider.representations.map(\.byteCount) == [nil])
    let taken = Mutex<[[UInt8]]>([])
    let told = Mutex(0)
    let host = DragHost()
    let point = DragHost.DropPoint("Anywhere") { _ in
      DropProposal(.all, offers: .copy)
    } performDrop: { drop in
      for (_, provider) in drop.items {
        let progress = LoadProgress { _ in told.withLock { $0 += 1 } }
        let bytes = try await provider.load("text/plain", progress: progress)
        taken.withLock { $0.append(bytes) }
      }
    }
    try await host.paste([provider], into: point)
    #expect(taken.withLock { $0 } == [Array("Iguazú Falls".utf8)])
    #expect(told.withLock { $0 } == 0)
  }

  @Test("S14: what is no text is refused by its type, and a name is no book")
  func types() async throws {
    let sample = PlacesSample(names: few)
    let picture = try ItemProvider(
      suggestedName: "dot.png", representations: [Representation("image/png", bytes: [1])])
    let book = try ItemProvider(
      suggestedName: "book",
      representations: [
        Representation("text/plain", bytes: Array(repeating: 65, count: 2_000_000))
      ])
    let blank = try ItemProvider(
      suggestedName: "blank", representations: [Representation("text/plain", bytes: [32, 10])])
    for (provider, reason) in [
      (picture, Reason.wrongType), (book, .tooBig), (blank, .nothingThere),
    ] {
      await #expect(throws: reason) {
        try await sample.host.paste([provider], into: sample.places.end)
      }
    }
    #expect(sample.places.rows.map(\.text) == few)
    #expect(sample.host.registry[sample.places.container]?.sources?.map(\.name) == few)
  }
}
