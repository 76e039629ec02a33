import KeyDragCore
import Synchronization

/// Watches for events after a drop: questions of the program, and the end of a drop that was given
/// up as unknown.
///
/// Made for each drop by ``DropExecutor``. Polls windows in a task of its own, from the drop's turn
/// to its end. Safe from any thread: all state is behind one mutex.
final class DropFollowUp: Sendable {
  /// The state when the drop had its turn.
  struct Start: Sendable {
    /// `nil` where the windows are unknown.
    var windows: Set<WindowID>?
    var titles: Set<String> = []
    /// Names of the dropped items, perhaps truncated.
    var names: [String] = []
  }

  private struct FollowUp {
    var start = Start()
    /// The late end, if it came before ``handler``.
    var outcome: DragOutcome?
    var handler: (@Sendable (DragOutcome) -> Void)?
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
    /// The text of a dialog without a choice.
    var words: String?
    /// The value of ``questions`` when a fruitless answer was last reported.
    var reportedQuestions = 0
    /// The last of the serialised tasks.
    var last: Task<Void, Never>?
    /// The final end has been reported.
    var isOver = false
  }

  private let state = Mutex(FollowUp())
  private let ask: @Sendable (ProgramQuestion) -> Void
  private static let pause = Duration.milliseconds(100)
  /// The polling interval once the question is reported: a person thinks.
  private static let longPause = Duration.milliseconds(500)
  /// The timeout for an answer, before its absence is reported.
  static let patience = Duration.seconds(300)

  /// The most polls of a window without a title of its own.
  private static let mostUnnamed = 10
  /// The most polls of a window without the keyboard.
  private static let mostUnfocused = 4

  /// - Parameter ask: called once for each question of the program.
  init(_ ask: @escaping @Sendable (ProgramQuestion) -> Void) { self.ask = ask }

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

  /// Called when the drop has its turn: windows that open from now on may be about it.
  func begin(_ desktop: Desktop, _ window: ContainerID?, _ names: [String]) async {
    let windows = await desktop.windowsNow()
    let titles = await desktop.titles(around: window)
    let start = Start(windows: windows, titles: titles, names: names)
    state.withLock { $0.start = start }
    follow(desktop, window)
  }

  /// Polls for questions until ``unfollow()``.
  func follow(_ desktop: Desktop, _ window: ContainerID?) {
    let start = start
    guard let window, start.windows != nil else { return }
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
  func take(_ outcome: DragOutcome) {
    let handler = state.withLock { state in
      state.outcome = outcome
      return state.handler
    }
    handler?(outcome)
  }

  /// Reports a late end from now on; at once if it has come already.
  func open(_ handler: @escaping @Sendable (DragOutcome) -> Void) {
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
