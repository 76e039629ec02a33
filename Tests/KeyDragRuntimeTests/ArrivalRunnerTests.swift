import Synchronization
import Testing

@testable import KeyDragCore
@testable import KeyDragRuntime

/// Scripts on a desktop, where places are asked as they are reached.
struct ArrivalRunnerTests {
  private let journal = Journal()

  private func runner(_ script: String, _ world: WindowWorld) throws -> Runner {
    var settings = Session.Settings()
    settings.hasHome = false
    var outputs = Outputs()
    let journal = journal
    outputs.listener = { _, text in journal.note("say " + text) }
    return Runner(
      session: Session(roots: [], settings: settings), world: world, outputs: outputs,
      phrases: Phrasebook(), script: try KeyScript.parse(script))
  }

  @Test("A script does not wait for places that are asked ahead", .timeLimit(.minutes(5)))
  func aheadIsNotAwaited() async throws {
    let world = WindowWorld(journal, silent: ["Two"])
    let runner = try runner(":pick-up enter", world)
    let result = await runner.run(world.inputs)
    #expect(result == RunResult(hasFailure: false))
    #expect(journal.events.contains("ask Two"))
    let asked = journal.events.filter { !$0.hasPrefix("say") }
    #expect(asked.suffix(2) == ["finally One", "deliver"])
  }

  @Test("A script waits for the place stood on", .timeLimit(.minutes(5)))
  func currentIsAwaited() async throws {
    let world = WindowWorld(journal, silent: ["One"])
    let runner = try runner(":pick-up enter", world)
    let run = Task { await runner.run(world.inputs) }
    await journal.wait(for: "ask Two")
    // Said after everything that the questions led to.
    runner.send(.report(.problem(.outputClosed)))
    await journal.wait(for: "say The output is closed.")
    #expect(!journal.events.contains("finally One"))
    world.answer()
    let result = await run.value
    #expect(result == RunResult(hasFailure: false))
    #expect(journal.events.contains("deliver"))
  }
}

/// One window with two places; does not answer for some until it is told to.
private final class WindowWorld: World {
  private let journal: Journal
  private let silent: Set<String>
  private let kept = Mutex<[@Sendable () -> Void]>([])
  private let window = ContainerDescriptor(id: ContainerID(5), name: "Files", app: "Thunar")
  private let source = DragSourceID(50)

  init(_ journal: Journal, silent: Set<String>) {
    self.journal = journal
    self.silent = silent
  }

  /// What makes the window known and brings an item of it in focus.
  var inputs: [SessionInput] {
    let item = DragSourceDescriptor(id: source, name: "a.txt", container: window.id, kind: .file)
    return [
      .register(Listing(container: window, sources: nil, dropPoints: nil)),
      .focus(Listing(container: window, sources: [item], dropPoints: nil), marked: [source]),
    ]
  }

  /// Gives the answers that were kept back.
  func answer() {
    let answers = kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
    for answer in answers { answer() }
  }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {}

  func close() {}

  func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) { told(.listed(listing)) }

  func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    let item = DragItem(
      source: source, name: "a.txt", kind: .file, types: ["text/plain"],
      typeName: "text document", container: window.id, tree: nil)
    return PreparedItems(items: [item])
  }

  func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async -> [Answer] {
    let name = inquiry.stops.first?.point == DropPointID(1) ? "One" : "Two"
    journal.note((inquiry.isFinal ? "finally " : "ask ") + name)
    if silent.contains(name), !inquiry.isFinal {
      await withCheckedContinuation { continuation in
        kept.withLock { $0.append { continuation.resume() } }
      }
    }
    return inquiry.stops.map { Answer($0, DropProposal(.all)) }
  }

  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    journal.note("deliver")
    told(
      .finished(DeliveryResult(outcome: .delivered, route: .xdnd, delivered: order.items.count)))
  }

  func cancel(_ delivery: DeliveryID) {}

  private var listing: Listing {
    Listing(
      container: window, sources: nil,
      dropPoints: ["One", "Two"].enumerated().map { index, name in
        DropPointDescriptor(id: DropPointID(UInt64(index) + 1), name: name, container: window.id)
      })
  }
}
