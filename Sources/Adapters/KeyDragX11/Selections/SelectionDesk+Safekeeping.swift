import KeyDragCore
import KeyDragThreads

/// Content put back into the clipboard is to stay there when this program ends: a clipboard manager
/// keeps it where one runs and does it well, else a process that does nothing but hold it.
///
/// The order is: ask the manager, read back what it has, and else start a holder. ``keepSafe(_:)``
/// calls back when the first of these has succeeded or all have failed.
extension SelectionDesk {
  /// One content on its way to who keeps it.
  struct Safekeeping {
    /// In this order; a step may be left out.
    enum Step {
      /// A clipboard manager was asked to save it.
      case saving(ClipboardManager)
      /// The content that the manager has saved is read back.
      case checking(ClipboardManager)
      /// The holder was started.
      case holding(HolderProcess)
    }

    /// A clipboard manager, as it was when it was asked.
    struct ClipboardManager {
      /// Owns the selection of managers.
      var window: XWindow
      /// The window of the question.
      var requestor: XWindow
      /// It has answered SAVE_TARGETS with its property.
      var hasSaved = false
      /// When it is given up, whatever it does.
      var end: Milliseconds
    }

    /// The present position.
    var step: Step
    /// The parts to be kept, whole.
    let forms: [SelectionFetch.Form]
    /// Milliseconds.
    var deadline: Milliseconds
    /// All of these are called, once.
    var done: [() -> Void]

    /// The window of the question that waits for its answer.
    var requestor: XWindow? {
      if case .saving(let manager) = step { manager.requestor } else { nil }
    }
  }

  /// How long a manager may do nothing, and how long it may take for all of it; how long the holder
  /// may take to come.
  ///
  /// Milliseconds: 0.5 s, 5 s and 5 s.
  private static let patience: (quiet: Milliseconds, whole: Milliseconds, holder: Milliseconds) =
    (500, 5_000, 5_000)
  /// A secret is held no longer than programs of passwords usually leave it in the clipboard.
  ///
  /// A minute.
  private static let secretLifetime: UInt32 = 60_000

  /// Has what was put back kept by somebody who outlives this program; calls `done` once that is
  /// so, or can't be had. What is lent is nobody's to keep.
  func keepSafe(_ done: @escaping () -> Void) {
    if safekeeping != nil {
      safekeeping?.done.append(done)
      return
    }
    // Content still to be put back comes first, and nothing else is kept in its place.
    guard payDebt(), holder != nil, !isClosed, before == nil, let kept, kept.isOwned else {
      return done()
    }
    let now = MonotonicClock.now
    if !words.isSecret(kept.forms), let manager = server.owner(of: words.manager) {
      let asked = Safekeeping.ClipboardManager(
        window: manager, requestor: server.makeHiddenWindow(), end: now + Self.patience.whole)
      safekeeping = Safekeeping(
        step: .saving(asked), forms: kept.forms, deadline: now + Self.patience.quiet,
        done: [done])
      // The forms to be kept are listed in the property of the request (clipboard manager
      // specification).
      server.setWords(
        property, of: asked.requestor, type: .atom, kept.forms.map(\.target.rawValue))
      server.convert(
        words.manager, to: words.saveTargets, property: property, of: asked.requestor,
        time: kept.time)
      server.flush()
    } else {
      hold(kept, done: [done])
    }
  }

  // MARK: The manager

  /// The clipboard was read, by the manager if by anybody: it is at work.
  func safekeeperAsked() {
    guard let current = safekeeping, case .saving(let manager) = current.step else { return }
    safekeeping?.deadline = min(MonotonicClock.now + Self.patience.quiet, manager.end)
  }

  /// The answer to SAVE_TARGETS: a property of none is a refusal.
  func managerAnswered(isSaved: Bool) {
    guard let current = safekeeping, case .saving(var manager) = current.step else { return }
    guard isSaved else { return leave(manager) }
    manager.hasSaved = true
    safekeeping?.step = .saving(manager)
    if kept?.isOwned != true { check(manager) }
  }

  /// Somebody has taken the clipboard: whoever was to keep it, or a program that has copied.
  func safekeeperCame() {
    switch safekeeping?.step {
    case .holding: endSafekeeping()
    case .saving(let manager) where manager.hasSaved: check(manager)
    // It says that it is done once it has everything.
    case .saving, .checking, nil: break
    }
  }

  /// Gives up the step of the moment.
  func safekeepingTimedOut() {
    switch safekeeping?.step {
    case .saving(let manager): if kept?.isOwned == true { leave(manager) } else { check(manager) }
    case .holding(let process):
      // It must not come when something else is in the clipboard.
      process.kill()
      endSafekeeping()
    // The reading has bounds of its own.
    case .checking, nil: endSafekeeping()
    }
  }

  /// Without the manager.
  ///
  /// The holder is next, where the content is still ours.
  private func leave(_ manager: Safekeeping.ClipboardManager) {
    guard let current = safekeeping else { return }
    server.destroy(manager.requestor)
    guard let kept, kept.isOwned else { return endSafekeeping() }
    hold(kept, done: current.done)
  }

  /// Whether the manager has all of it: some keep nothing but text.
  ///
  /// With some of it missing the content is taken back and given to a holder.
  private func check(_ manager: Safekeeping.ClipboardManager) {
    guard let current = safekeeping else { return }
    safekeeping?.step = .checking(manager)
    safekeeping?.deadline = .max
    guard let owner = owner(for: manager) else {
      server.destroy(manager.requestor)
      return endSafekeeping()
    }
    read(.clipboard, forms: nil, limits: .everything) { [self] result in
      guard case .checking = safekeeping?.step else { return }
      let found = Dictionary(((try? result.get()) ?? []).map { ($0.target, $0.bytes) }) { $1 }
      guard !current.forms.allSatisfy({ found[$0.target] == $0.bytes }),
        self.owner(for: manager) == owner
      else {
        server.destroy(manager.requestor)
        return endSafekeeping()
      }
      putBack(current.forms, from: owner)
      leave(manager)
    }
  }

  /// The clipboard's owner, if that is the manager: a program that has copied since is left alone.
  private func owner(for manager: Safekeeping.ClipboardManager) -> XWindow? {
    server.owner(of: words.clipboard).flatMap {
      server.isSameClient($0, manager.window) ? $0 : nil
    }
  }

  // MARK: The holder

  /// Starts a holder, which takes the clipboard over with the same time: a program that has copied
  /// since stays the owner.
  private func hold(_ kept: OwnedSelection, done: [() -> Void]) {
    let lifetime = words.isSecret(kept.forms) ? Self.secretLifetime : 0
    let parcel = ClipboardParcel(forms: kept.forms, time: kept.time, lifetime: lifetime)
    let process = holder?.start(parcel) { [thread, box = ThreadConfined(Weak(self))] process in
      thread.post { box.value.object?.holderEnded(process) }
    }
    guard let process else {
      safekeeping = nil
      for job in done { job() }
      return
    }
    safekeeping = Safekeeping(
      step: .holding(process), forms: kept.forms,
      deadline: MonotonicClock.now + Self.patience.holder, done: done)
  }

  /// It has ended, or never came.
  private func holderEnded(_ process: HolderProcess) {
    guard case .holding(let current) = safekeeping?.step, current === process else { return }
    endSafekeeping()
  }

  /// Calls everybody who waits for the end, once.
  func endSafekeeping() {
    guard let ended = safekeeping else { return }
    safekeeping = nil
    for job in ended.done { job() }
  }
}
