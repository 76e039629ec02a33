import KeyDragCore
import KeyDragRuntime
import Synchronization

/// Keeps transcript lines; refuses them after a limit.
final class LineSink: TranscriptSink {
  private let kept = Mutex<(lines: [String], attempts: Int)>(([], 0))
  private let limit: Int

  init(limit: Int = .max) { self.limit = limit }

  var lines: [String] { kept.withLock { $0.lines } }
  var attempts: Int { kept.withLock { $0.attempts } }

  func write(_ line: [UInt8]) -> Bool {
    kept.withLock { kept in
      kept.attempts += 1
      guard kept.attempts <= limit else { return false }
      kept.lines.append(String(decoding: line.dropLast(), as: UTF8.self))
      return true
    }
  }

  /// The ids of the announcements, the names of the commands, the kinds of the rest, in order.
  var summary: [String] {
    lines.map { line in
      let kind = field("kind", line)
      switch kind {
      case "announcement": return field("id", line)
      case "command": return ":" + field("name", line)
      default: return kind
      }
    }
  }

  private func field(_ name: String, _ line: String) -> String {
    guard let start = line.range(of: "\"\(name)\":\"") else { return "" }
    return String(line[start.upperBound...].prefix { $0 != "\"" })
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}

/// What happened on the way out, in one order across voice, world and screen.
final class Journal: Sendable {
  private struct State {
    var events: [String] = []
    var waiting: [(event: String, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var events: [String] { state.withLock { $0.events } }

  func note(_ event: String) {
    let ready = state.withLock { state in
      state.events.append(event)
      let ready = state.waiting.filter { $0.event == event }
      state.waiting.removeAll { $0.event == event }
      return ready
    }
    for waiter in ready { waiter.continuation.resume() }
  }

  /// Returns once this has happened.
  func wait(for event: String) async {
    await withCheckedContinuation { continuation in
      let hasHappened = state.withLock { state in
        if state.events.contains(event) { return true }
        state.waiting.append((event, continuation))
        return false
      }
      if hasHappened { continuation.resume() }
    }
  }
}

final class FakeVoice: Voice {
  private let journal: Journal
  private let idle = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ journal: Journal) { self.journal = journal }

  func speak(_ utterance: Utterance) { journal.note("say " + utterance.text) }
  func silence() { journal.note("silence") }
  func finish(within deadline: Double) {}
  func onIdle(_ handler: @escaping @Sendable () -> Void) { idle.withLock { $0 = handler } }
  var problem: Problem? { nil }
}

final class FakeScreen: Screen {
  private let journal: Journal
  private let shown = Mutex<ScreenContents?>(nil)
  /// Whether it is a terminal that tells a reader of all that changes as of one text.
  let tellsWhole: Bool

  init(_ journal: Journal, tellsWhole: Bool = false) {
    (self.journal, self.tellsWhole) = (journal, tellsWhole)
  }

  var contents: ScreenContents? { shown.withLock { $0 } }
  func visibleRows(for contents: ScreenContents) -> Int { 5 }
  func show(_ contents: ScreenContents) { shown.withLock { $0 = contents } }
  func hold(_ contents: ScreenContents) { journal.note("hold") }
  func repaint() { journal.note("repaint") }

  func clearCursorLine(except name: String?) -> Bool {
    journal.note("clear except \(name ?? "nothing")")
    return true
  }

  func showMessage(of contents: ScreenContents) -> Bool {
    let name = contents.current.map { contents.rows[$0].name }
    guard let name, contents.message.hasPrefix(name) else { return false }
    journal.note("line " + contents.message)
    return true
  }
}

/// Two folders; answers at once unless told to hold an answer back.
final class FakeWorld: World {
  private let journal: Journal
  private let isMute: @Sendable (WorldRequest) -> Bool
  private let observer = Mutex<(@Sendable (WorldReport) -> Void)?>(nil)
  private let handled = Mutex<[WorldRequest]>([])
  private let undoing = Mutex<UnsafeContinuation<Void, Never>?>(nil)

  static let inbox = ContainerDescriptor(id: ContainerID(1), name: "Inbox", tree: ContainerID(1))
  static let docs = ContainerDescriptor(id: ContainerID(2), name: "Docs", tree: ContainerID(2))

  init(_ journal: Journal, mute: @escaping @Sendable (WorldRequest) -> Bool = { _ in false }) {
    self.journal = journal
    isMute = mute
  }

  var requests: [WorldRequest] { handled.withLock { $0 } }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    self.observer.withLock { $0 = observer }
  }

  func close() {}

  /// Notes what is asked; goes no further where an answer is to be held back.
  private func hear(_ request: WorldRequest) async {
    note(request)
    if isMute(request) { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
  }

  private func note(_ request: WorldRequest) {
    handled.withLock { $0.append(request) }
    journal.note("ask " + FakeWorld.name(request))
  }

  func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    await hear(.list(subject, includingHidden: includingHidden))
    guard case .container(let container) = subject else { throw ListingError(.gone, name: "it") }
    told(.listed(FakeWorld.listing(container)))
  }

  func hide(_ container: ContainerID) { note(.close(container)) }

  func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    await hear(.prepare(sources))
    return PreparedItems(items: sources.map(FakeWorld.item))
  }

  func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async -> [Answer] {
    await hear(.ask(inquiry))
    return inquiry.stops.map { stop in
      Answer(stop, stop.point == DropPointID(1) ? .refused(.samePlace) : DropProposal(.all))
    }
  }

  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    note(.deliver(id, order))
    if isMute(.deliver(id, order)) { return }
    told(.started(DeliveryProgress(bytesTotal: 4)))
    told(
      .finished(
        DeliveryResult(
          outcome: .delivered, route: .files, delivered: order.items.count, bytes: 4,
          totalBytes: 4, verified: true)))
  }

  func cancel(_ delivery: DeliveryID) { note(.cancelDelivery(delivery)) }

  /// One that is held back ends when it is cancelled.
  func undo(entry: Int64?) async -> HistoryResult {
    guard isMute(.undo(entry: entry)) else {
      note(.undo(entry: entry))
      return .nothing
    }
    await withUnsafeContinuation { ending in
      undoing.withLock { $0 = ending }
      note(.undo(entry: entry))
    }
    return .refused(nil, .interrupted)
  }

  func cancelHistory() {
    journal.note("cancel history")
    undoing.withLock { $0.take() }?.resume()
  }

  func redo(entry: Int64?) async -> HistoryResult {
    await hear(.redo(entry: entry))
    return .nothing
  }

  func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    await hear(.history(limit: limit))
    return .success([])
  }

  func windows() async -> [ContainerDescriptor] {
    await hear(.windows)
    return []
  }

  private static func listing(_ id: ContainerID) -> Listing {
    let container = id == inbox.id ? inbox : docs
    let names = id == inbox.id ? ["a.txt", "notes.txt"] : []
    return Listing(
      container: container,
      sources: names.enumerated().map { index, name in
        DragSourceDescriptor(
          id: DragSourceID(UInt64(index)), name: name, container: id, kind: .file)
      },
      dropPoints: [
        DropPointDescriptor(
          id: DropPointID(UInt64(id.rawValue)), name: container.name, container: id, leadsTo: id)
      ])
  }

  private static func item(_ source: DragSourceID) -> DragItem {
    DragItem(
      source: source, name: source.rawValue == 0 ? "a.txt" : "notes.txt", kind: .file,
      types: ["text/plain"], typeName: "text document", container: inbox.id, tree: inbox.id)
  }

  private static func name(_ request: WorldRequest) -> String {
    switch request {
    case .list: "list"
    case .close: "close"
    case .prepare: "prepare"
    case .ask(let inquiry): inquiry.isFinal ? "finally" : "places"
    case .deliver: "deliver"
    case .cancelDelivery: "cancel"
    case .undo: "undo"
    case .redo: "redo"
    case .history: "history"
    case .reorder: "reorder"
    case .make: "make"
    case .rename: "rename"
    case .focus: "focus"
    case .folders: "folders"
    case .windows: "windows"
    case .show: "show"
    case .restoreKeyboard: "come back"
    }
  }
}
