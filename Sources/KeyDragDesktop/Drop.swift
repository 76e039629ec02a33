import KeyDragCore
import Synchronization

/// One drop into a window of a program: its order, the state before it, how far it has come, and
/// what its program asks about it.
///
/// ``DropExecutor`` carries it out. Polls windows in a task of its own, from its turn to its end. Safe
/// from any thread: all state is behind one mutex.
final class Drop: Sendable {
  /// The state before it, to compare with the one after it.
  struct Baseline: Sendable {
    /// The number of drops that had had their turn.
    var turn = 0
    /// `nil` where the place was already gone.
    var spot: Desktop.PlaceRecord?
    /// `nil` where no folder can be looked into.
    var expected: (any DropVerifier)?
    /// Whether its program had nothing to undo, where what is dropped shows in nothing else.
    var hadNoUndo = false
    /// The window's contents, where no folder on the disk decides.
    var view = ProgramUndo.View()
    /// What the window looks like, until the first end is known.
    var picture: WindowPicture?
  }

  /// The windows when it had its turn.
  struct Start: Sendable {
    /// `nil` where the windows are unknown.
    var windows: Set<WindowID>?
    var titles: Set<String> = []
    /// Names of the dropped items, perhaps truncated.
    var names: [String] = []
  }

  private enum Stage {
    /// The program knows nothing of it.
    case waiting
    /// The program is taking the data.
    case sent(any OutgoingDrag)
    /// The program has all the data.
    case given
    /// Its end has been reported, or another world carries it out.
    case over
  }

  private struct Course {
    var before = Baseline()
    var stage = Stage.waiting
    var isCancelled = false
    var start = Start()
    /// The late end, if it came before ``handler``.
    var outcome: DragAnswer?
    var handler: (@Sendable (DragAnswer) -> Void)?
    /// Polls for questions.
    var looking: Task<Void, Never>?
    /// The window or menu in which the program asks now.
    var asking: WindowID?
    /// The window or menu of the last reported question.
    var told: WindowID?
    /// The program said that it took the data before the person had answered.
    var isWordEarly = false
    /// The person has not answered within ``patience``.
    var isOverdue = false
    /// A dialog that was open at the end.
    var dialog: WindowID?
    var questions = 0
    /// The text of a dialog without a choice, and the dialog.
    var words: String?
    var message: WindowID?
    /// The value of ``questions`` when a fruitless answer was last reported.
    var reportedQuestions = 0
    /// The last of the serialised tasks.
    var last: Task<Void, Never>?
    /// The final end has been reported.
    var isOver = false
  }

  let id: DeliveryID
  let order: DeliveryOrder
  /// Receives its events, on any thread.
  let tell: DeliveryReceiver
  private let state = Mutex(Course())
  private static let pause = Duration.milliseconds(100)
  /// The polling interval once the question is reported: a person thinks.
  private static let longPause = Duration.milliseconds(500)
  /// The timeout for an answer, before its absence is reported.
  static let patience = Duration.seconds(300)
  /// The same for a dialog without a choice, which is a message rather than a question.
  private static let messagePatience = Duration.seconds(5)
  /// The most polls of a window without a title of its own.
  private static let mostUnnamed = 10
  /// The most polls of a window without the keyboard.
  private static let mostUnfocused = 4

  init(_ id: DeliveryID, _ order: DeliveryOrder, _ tell: @escaping DeliveryReceiver) {
    (self.id, self.order, self.tell) = (id, order, tell)
  }

  var before: Baseline {
    get { state.withLock(\.before) }
    set { state.withLock { $0.before = newValue } }
  }

  // MARK: Its course

  /// Marks it as sent by this drag; `false` when it was cancelled before.
  func send(_ drag: any OutgoingDrag) -> Bool {
    state.withLock { state in
      if !state.isCancelled { state.stage = .sent(drag) }
      return !state.isCancelled
    }
  }

  /// Marks it as received in full.
  func give() { state.withLock { $0.stage = .given } }

  /// Cancelling it has no effect any more.
  func close() { state.withLock { $0.stage = .over } }

  var isClosed: Bool { state.withLock { if case .over = $0.stage { true } else { false } } }

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Cancels it as far as possible; `false` once it is over.
  func cancel() -> Bool {
    let stage = state.withLock { state in
      state.isCancelled = true
      return state.stage
    }
    switch stage {
    case .waiting: break
    case .sent(let drag):
      Task.immediate { if await !drag.giveUp() { tell(.goesOn) } }
    case .given: tell(.goesOn)
    case .over: return false
    }
    return true
  }

  // MARK: Questions

  /// Whether the program waits for the person, for less than ``patience``.
  var isAsking: Bool { state.withLock { $0.asking != nil && !$0.isOverdue } }

  var wasAsked: Bool { state.withLock { $0.questions > 0 } }

  /// Whether it has asked and no longer does.
  var wasAnswered: Bool { state.withLock { $0.questions > 0 && $0.asking == nil } }

  /// Whether the program said that it took the data before the person had answered: the outcome
  /// depends on the answer.
  var isWordEarly: Bool { state.withLock(\.isWordEarly) }

  func saidEnd() { state.withLock { $0.isWordEarly = $0.questions == 0 || $0.asking != nil } }

  /// Empty before the drop has its turn.
  var start: Start { state.withLock(\.start) }

  /// The text of a dialog that offered no choice but to close it.
  var words: String? { state.withLock(\.words) }

  /// That dialog.
  var message: WindowID? { state.withLock(\.message) }

  /// Called when the drop has its turn: windows that open from now on may be about it.
  func begin(_ desktop: Desktop) async {
    let start = Start(
      windows: await desktop.windowsNow(),
      titles: await desktop.titles(around: before.spot?.window),
      names: order.items.prefix(DropEffect.mostItems).map(\.name))
    state.withLock { $0.start = start }
    follow(desktop)
  }

  /// Polls for questions until ``unfollow()``.
  func follow(_ desktop: Desktop) {
    let start = start
    guard let window = before.spot?.window, start.windows != nil else { return }
    let task = Task { await look(desktop, window, since: start) }
    swap(task)?.cancel()
  }

  func unfollow() { swap(nil)?.cancel() }

  /// Returns the previous task.
  private func swap(_ task: Task<Void, Never>?) -> Task<Void, Never>? {
    state.withLock { state in
      defer { state.looking = task }
      return state.looking
    }
  }

  /// Polls every 0.1 s for a question, and every 0.5 s once it is reported. Ends with its task.
  private func look(_ desktop: Desktop, _ window: ContainerID, since drop: Start) async {
    var looks = 0
    let time = desktop.clock.stopwatch()
    var asked = (window: WindowID?.none, time: Duration.zero)
    while true {
      var told = state.withLock(\.told)
      let found = await desktop.question(of: window, since: drop, known: told)
      guard !Task.isCancelled else { return }
      see(found?.id)
      if found?.id != asked.window { asked = (found?.id, time()) }
      let isMessage = found != nil && found?.id == state.withLock(\.message)
      let patience = isMessage ? Self.messagePatience : Self.patience
      state.withLock { $0.isOverdue = found != nil && time() - asked.time >= patience }
      if let found, found.id != told {
        looks += 1
        let isSettled = found.isNamed && (found.question.hasKeyboard || looks > Self.mostUnfocused)
        if isSettled || looks > Self.mostUnnamed {
          let question = await desktop.withContents(found.question, of: found.id, about: drop.names)
          // What is in a dialog may come one part after the other.
          if !question.isBare || looks > Self.mostUnfocused {
            (told, looks) = (found.id, 0)
            if let words = question.message {
              state.withLock { ($0.words, $0.message) = (words, found.id) }
            }
            state.withLock { $0.told = found.id }
            tell(.asks(question))
          }
        }
      }
      let pause = told != nil && found?.id == told ? Self.longPause : Self.pause
      try? await desktop.clock.sleep(for: pause)
    }
  }

  /// The window in which the program asks, or last asked.
  var questionWindow: WindowID? { state.withLock { $0.asking ?? $0.dialog ?? $0.told } }

  /// Notes a dialog that blocks no other window.
  func note(dialog: WindowID) { state.withLock { $0.dialog = dialog } }

  /// Notes where the program asks now, if it does.
  func see(_ asking: WindowID?) {
    state.withLock { state in
      if let asking, asking != state.asking { state.questions += 1 }
      state.asking = asking
    }
  }

  /// Counts a question that was not seen before the end was reported.
  func asked() { state.withLock { $0.questions += 1 } }

  /// `false` if a fruitless answer to the last question was reported already.
  func markQuestionReported() -> Bool {
    state.withLock { state in
      defer { state.reportedQuestions = state.questions }
      return state.reportedQuestions < state.questions
    }
  }

  // MARK: The late end

  /// Takes the late end, and reports it if there is a handler.
  func take(_ outcome: DragAnswer) {
    let handler = state.withLock { state in
      state.outcome = outcome
      return state.handler
    }
    handler?(outcome)
  }

  /// Reports a late end from now on; at once if it has come already.
  func open(_ handler: @escaping @Sendable (DragAnswer) -> Void) {
    let outcome = state.withLock { state in
      state.handler = handler
      return state.outcome
    }
    if let outcome { handler(outcome) }
  }

  /// Runs after all earlier bodies, unless the end has been reported by then.
  @discardableResult
  func inTurn(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    state.withLock { state in
      let last = state.last
      let next = Task { [self] in
        if let last { await last.value }
        if !isOver { await body() }
      }
      state.last = next
      return next
    }
  }

  var isOver: Bool { state.withLock(\.isOver) }

  /// `false` if the end was reported already.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
}

extension ProgramQuestion {
  /// Whether neither the answers nor the words of a dialog are known.
  fileprivate var isBare: Bool {
    if case .dialog(_, _, let buttons, let words) = self {
      buttons.isEmpty && words.isEmpty
    } else {
      false
    }
  }
}

/// The place and the names of what a drop has left, for going there.
struct DropLanding: Sendable {
  var spot: Desktop.PlaceRecord
  /// The names of its items there, as far as known.
  var names: [String]
}

/// The drops of this run. Safe from any thread.
final class Drops: Sendable {
  private struct Known {
    /// Oldest first, as are ``landings``.
    var drops: [Drop] = []
    var landings: [(id: DeliveryID, landing: DropLanding)] = []
    /// The number of drops that have had their turn.
    var turns = 0
  }

  private let state = Mutex(Known())
  /// Older ones that are over are evicted.
  private static let (most, mostLandings) = (16, 64)
  private static let mostNames = 20

  func add(_ drop: Drop) {
    state.withLock { state in
      state.drops.append(drop)
      if state.drops.count > Self.most, let old = state.drops.firstIndex(where: \.isClosed) {
        state.drops.remove(at: old)
      }
    }
  }

  subscript(id: DeliveryID) -> Drop? { state.withLock { $0.drops.last { $0.id == id } } }

  /// Whether no newer drop has come: a program's Undo applies to the effect of the newest only.
  func isNewest(_ drop: Drop) -> Bool { state.withLock { $0.drops.last === drop } }

  var turns: Int { state.withLock(\.turns) }

  /// The number of drops that had their turn before this one.
  func takeTurn() -> Int {
    state.withLock { state in
      defer { state.turns += 1 }
      return state.turns
    }
  }

  /// `nil` for a drop that left nothing, or was evicted.
  func landing(of id: DeliveryID) -> DropLanding? {
    state.withLock { $0.landings.last { $0.id == id }?.landing }
  }

  /// Notes the place of a drop that has left something, or may have.
  func note(_ result: DeliveryResult, of drop: Drop, at spot: Desktop.PlaceRecord?) {
    guard let spot, result.mayHaveEffect else { return }
    let missing = Set(result.failures.map(\.name))
    let names = result.renamed + drop.order.items.map(\.name).filter { !missing.contains($0) }
    state.withLock { state in
      state.landings.append(
        (drop.id, DropLanding(spot: spot, names: Array(names.prefix(Self.mostNames)))))
      if state.landings.count > Self.mostLandings { state.landings.removeFirst() }
    }
  }
}
