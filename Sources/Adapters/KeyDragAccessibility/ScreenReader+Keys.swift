import Synchronization

/// What waits until the reader has done with a key, and goes before what it reads because of the key.
///
/// Everything here happens on the thread of the buses, but where it is said otherwise.
extension ScreenReader {
  /// Has words wait for the end of what keys lead to that are taken from other programs, of which
  /// ``keyTaken(isSeen:)`` tells from now on.
  package func followKeys() {
    let application = state.withLock { state in
      state.followsKeys = true
      return state.application
    }
    if let application { thread.run { [weak self] in self?.followFocus(application) } }
  }

  /// A key was taken from the program in focus; from any thread, before what it leads to is announced.
  ///
  /// - Parameter isSeen: whether the reader has seen a part of it, as the modifiers of a chord.
  package func keyTaken(isSeen: Bool) {
    let now = ContinuousClock.now
    thread.run { [weak self] in
      guard let self else { return }
      // What waits is about an earlier key.
      release(isForced: true)
      state.withLock { state in
        state.focus.take(isSeen: isSeen, at: now)
        if !state.told.isEmpty { state.toldBefore = state.told }
        state.told = []
      }
    }
  }

  package func sayAgain() {
    thread.run { [weak self] in
      guard let self else { return }
      pass(state.withLock { $0.toldBefore })
    }
  }

  /// Hears of windows that lose the focus and get it back, and of what has it then. The reader has asked
  /// programs to tell.
  func followFocus(_ application: BusConnection) {
    let prefix = ProgramChanges.prefix
    application.hear(prefix + "Window", "Deactivate", from: nil) { [weak self] _ in
      self?.follow { $0.lose(at: .now) }
    }
    application.hear(prefix + "Window", "Activate", from: nil) { [weak self] _ in
      self?.follow { $0.comeBack(at: .now) }
    }
    application.hear(prefix + "Object", "StateChanged", from: nil, about: "focused") {
      [weak self] arguments in
      guard arguments.count > 1, arguments[1].number == 1 else { return }
      self?.follow { $0.settle(at: .now) }
    }
  }

  private func follow(_ change: (inout FocusReturn) -> Void) {
    state.withLock { change(&$0.focus) }
    release()
  }

  /// Sends what belongs to a message, when it is time.
  func pass(_ actions: [AnnouncementLadder.Action]) {
    state.withLock { $0.held.append(actions) }
    release()
  }

  /// Sends what waits, if it is time; else looks again when it is.
  private func release(isForced: Bool = false) {
    let now = ContinuousClock.now
    if !isForced, let end = state.withLock({ $0.focus.wait(at: now) }) {
      let left = (end - now).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      thread.run(after: UInt32(milliseconds) + 1) { [weak self] in self?.release() }
      return
    }
    let due = state.withLock { state in
      var due = state.held
      if state.focus.takeAgain(at: now) {
        due.insert(state.told, at: 0)
        state.told = []
      }
      state.held = []
      return due
    }
    for actions in due { perform(actions) }
  }

  /// A message goes to this place of the tree. The first that a key has led to goes before everything
  /// else.
  func mark(_ action: AnnouncementLadder.Action, in slot: Int) {
    let now = ContinuousClock.now
    state.withLock { state in
      guard state.followsKeys else { return }
      if state.focus.go(at: now) { state.first = slot }
      if state.focus.isAnswer(at: now) { state.told.append(action) }
    }
  }

  /// Before the reader is told the words of a message that goes before everything else: when it asks for
  /// them, what it read before has been given to the service that speaks, and nothing else will be until
  /// we answer. From the thread that answers.
  func makeWay(for call: BusCall) {
    guard call.member == "GetRelationSet" else { return }
    let isFirst = state.withLock { state in
      guard let slot = state.first, call.path == AccessibleTree.label(slot) else { return false }
      state.first = nil
      return true
    }
    if isFirst { speech?.silence() }
  }
}
