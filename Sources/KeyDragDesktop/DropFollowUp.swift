import KeyDragCore
import Synchronization

/// The events that may still come after a drop: questions of the program to the person, and the end
/// of one that was given up as unknown.
///
/// Made for each drop by ``Delivering``. It looks at windows in a task of its own, from the drop's
/// turn to its end. Everything is behind one lock: any thread may ask.
final class DropFollowUp: Sendable {
  /// The state of things when the drop had its turn.
  struct Start: Sendable {
    /// `nil` where the windows are not known.
    var windows: Set<WindowID>?
    /// The titles of the program's windows.
    var titles: Set<String> = []
    /// Names of the dropped items; some are enough.
    var names: [String] = []
  }

  /// Everything behind the lock.
  private struct FollowUp {
    var start = Start()
    /// The late end, where it has come before anybody wanted to hear of it.
    var outcome: DragOutcome?
    /// Wants to hear of the late end.
    var handler: (@Sendable (DragOutcome) -> Void)?
    /// Looks for questions.
    var looking: Task<Void, Never>?
    /// The window or menu in which the program asks now, if it does.
    var asking: WindowID?
    /// The window or menu of the question that was told last.
    var told: WindowID?
    /// The program has said that it took the data before the person had answered.
    var isWordEarly = false
    /// The person has not answered for as long as is waited for it.
    var isOverdue = false
    /// A dialog that was there at the end.
    var dialog: WindowID?
    /// How many questions were seen.
    var questions = 0
    /// The words of a dialog that left the person no choice.
    var words: String?
    /// After how many questions it was told last that nothing came of the answer.
    var fruitless = 0
    /// The last task of those that run one after the other.
    var last: Task<Void, Never>?
    /// The end has been told for good.
    var isOver = false
  }

  private let state = Mutex(FollowUp())
  private let ask: @Sendable (ProgramQuestion) -> Void
  /// Between two looks at the windows.
  private static let pause = Duration.milliseconds(100)
  /// Once the question is told: a person thinks.
  private static let longPause = Duration.milliseconds(500)
  /// How long an answer is waited for, before it is told that there was none.
  static let patience = Duration.seconds(300)

  /// How many times a window without a title of its own is looked at again.
  private static let mostUnnamed = 10
  /// How many times a window is polled that has not got the keyboard yet.
  private static let mostUnfocused = 4

  /// - Parameter ask: called for each question of the program, once.
  init(_ ask: @escaping @Sendable (ProgramQuestion) -> Void) { self.ask = ask }

  // MARK: Questions

  /// Whether the program waits for the person now, and is waited for.
  var isAsking: Bool { state.withLock { $0.asking != nil && !$0.isOverdue } }

  /// Whether it has asked at all.
  var wasAsked: Bool { state.withLock { $0.questions > 0 } }

  /// Whether it has asked, and asks no more.
  var wasAnswered: Bool { state.withLock { $0.questions > 0 && $0.asking == nil } }

  /// Whether the program has said that it took the data before the person had answered: what came
  /// of it depends on the answer.
  var isWordEarly: Bool { state.withLock(\.isWordEarly) }

  /// The program has said how the drop ended.
  func saidEnd() { state.withLock { $0.isWordEarly = $0.questions == 0 || $0.asking != nil } }

  /// Empty before the drop has its turn.
  var start: Start { state.withLock(\.start) }

  /// The words of a dialog that left the person no choice but to have read them.
  var words: String? { state.withLock(\.words) }

  /// The drop has its turn: what opens from now on may be a question about it.
  func begin(_ desktop: Desktop, _ window: ContainerID?, _ names: [String]) async {
    let windows = await desktop.windowsNow()
    let titles = await desktop.titles(around: window)
    let start = Start(windows: windows, titles: titles, names: names)
    state.withLock { $0.start = start }
    follow(desktop, window)
  }

  /// Looks for questions until ``unfollow()``.
  func follow(_ desktop: Desktop, _ window: ContainerID?) {
    let start = start
    guard let window, start.windows != nil else { return }
    let task = Task { await look(desktop, window, since: start) }
    swap(task)?.cancel()
  }

  /// Harmless when nothing is looked for.
  func unfollow() { swap(nil)?.cancel() }

  /// Gives the task before, for its end.
  private func swap(_ task: Task<Void, Never>?) -> Task<Void, Never>? {
    state.withLock { state in
      defer { state.looking = task }
      return state.looking
    }
  }

  /// Looks each 0.1 s for a question, and each 0.5 s once it is told. Ends with its task.
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
      state.withLock { $0.isOverdue = found != nil && time() - asked.time >= Self.patience }
      if let found, found.id != told {
        looks += 1
        let isSettled = found.isNamed && (found.question.hasKeyboard || looks > Self.mostUnfocused)
        if isSettled || looks > Self.mostUnnamed {
          (told, looks) = (found.id, 0)
          if case .dialog = found.question,
            let words = await desktop.words(inDialog: found.id, about: drop.names)
          {
            state.withLock { $0.words = words }
          }
          state.withLock { $0.told = found.id }
          ask(await desktop.withButtons(found.question, of: found.id))
        }
      }
      let pause = told != nil && found?.id == told ? Self.longPause : Self.pause
      try? await desktop.clock.sleep(for: pause)
    }
  }

  /// The window in which the program asks, or asked last.
  var questionWindow: WindowID? { state.withLock { $0.asking ?? $0.dialog ?? $0.told } }

  /// Takes a dialog for which no other window waits.
  func note(dialog: WindowID) { state.withLock { $0.dialog = dialog } }

  /// Takes where the program asks now, if it does.
  func see(_ asking: WindowID?) {
    state.withLock { state in
      if let asking, asking != state.asking { state.questions += 1 }
      state.asking = asking
    }
  }

  /// It has asked, where nobody saw it before the end was told.
  func asked() { state.withLock { $0.questions += 1 } }

  /// `false` when it has been told already that nothing came of the answer to the last question.
  func endsQuestion() -> Bool {
    state.withLock { state in
      defer { state.fruitless = state.questions }
      return state.fruitless < state.questions
    }
  }

  // MARK: The late end

  /// Takes the late end; told at once where somebody wants to hear of it.
  func take(_ outcome: DragOutcome) {
    let handler = state.withLock { state in
      state.outcome = outcome
      return state.handler
    }
    handler?(outcome)
  }

  /// Tells of a late end from now on; at once where it has come already.
  func open(_ handler: @escaping @Sendable (DragOutcome) -> Void) {
    let outcome = state.withLock { state in
      state.handler = handler
      return state.outcome
    }
    if let outcome { handler(outcome) }
  }

  /// Does this after all that was begun so before it, unless the end has been told by then.
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

  /// Whether the end has been told for good.
  var isOver: Bool { state.withLock(\.isOver) }

  /// `false` when its end has been told already.
  func end() -> Bool {
    state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
  }
}
