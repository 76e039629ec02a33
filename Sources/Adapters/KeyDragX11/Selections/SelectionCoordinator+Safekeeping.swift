import KeyDragCore
import KeyDragThreads

/// Keeps restored content available after this process exits: by a clipboard manager that does so
/// well, else by a process that only holds it.
///
/// The order is: ask the manager, read back its content, else start a holder. ``handOverContent(_:)``
/// calls back when the first has succeeded or all have failed.
extension SelectionCoordinator {
  /// Content being handed over to its keeper.
  struct Safekeeping {
    /// In this order; a step may be skipped.
    enum Step {
      /// A clipboard manager was asked to save it.
      case saving(ClipboardManager)
      /// The manager's saved content is read back.
      case checking(ClipboardManager)
      case holding(HolderProcess)
    }

    struct ClipboardManager {
      /// Owns the manager selection.
      var window: XWindow
      var requestor: XWindow
      /// It has answered SAVE_TARGETS with its property.
      var hasSaved = false
      /// Deadline for all of it, whatever the progress.
      var end: Milliseconds
    }

    var step: Step
    let forms: [SelectionFetch.Form]
    var deadline: Milliseconds
    /// All of these are called, once.
    var done: [() -> Void]

    var requestor: XWindow? {
      if case .saving(let manager) = step { manager.requestor } else { nil }
    }
  }

  /// A manager's longest pause and total time, and the holder's time to start.
  private static let patience: (quiet: Milliseconds, whole: Milliseconds, holder: Milliseconds) =
    (500, 5_000, 5_000)
  /// A secret is held no longer than password managers usually leave it in the clipboard.
  private static let secretLifetime: UInt32 = 60_000

  /// Hands restored content to a keeper that outlives this process, and calls `done` once that has
  /// succeeded or failed. Lent content is never handed over.
  func handOverContent(_ done: @escaping () -> Void) {
    if handover != nil {
      handover?.done.append(done)
      return
    }
    // A pending restore comes first; nothing else is kept in its place.
    guard retryRestore(), holder != nil, !isClosed, before == nil, let kept, kept.isOwned else {
      return done()
    }
    let now = MonotonicClock.now
    if !words.isSecret(kept.forms), let manager = server.owner(of: words.manager) {
      let asked = Safekeeping.ClipboardManager(
        window: manager, requestor: server.makeHiddenWindow(), end: now + Self.patience.whole)
      handover = Safekeeping(
        step: .saving(asked), forms: kept.forms, deadline: now + Self.patience.quiet,
        done: [done])
      // The request's property lists the forms to keep (clipboard manager specification).
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

  /// The clipboard was read, presumably by the manager: it is at work.
  func safekeeperAsked() {
    guard let current = handover, case .saving(let manager) = current.step else { return }
    handover?.deadline = min(MonotonicClock.now + Self.patience.quiet, manager.end)
  }

  /// The answer to SAVE_TARGETS; a property of none is a refusal.
  func managerAnswered(isSaved: Bool) {
    guard let current = handover, case .saving(var manager) = current.step else { return }
    guard isSaved else { return leave(manager) }
    manager.hasSaved = true
    handover?.step = .saving(manager)
    if kept?.isOwned != true { check(manager) }
  }

  /// The clipboard was taken, by its keeper or by a program that has copied.
  func keeperTookClipboard() {
    switch handover?.step {
    case .holding: endHandover()
    case .saving(let manager) where manager.hasSaved: check(manager)
    // The manager reports once it has everything.
    case .saving, .checking, nil: break
    }
  }

  /// Gives up the current step.
  func safekeepingTimedOut() {
    switch handover?.step {
    case .saving(let manager): if kept?.isOwned == true { leave(manager) } else { check(manager) }
    case .holding(let process):
      // It must not take the clipboard after other content has arrived.
      process.kill()
      endHandover()
    // Reading has its own timeouts.
    case .checking, nil: endHandover()
    }
  }

  /// Continues without the manager: with a holder, if the content is still ours.
  private func leave(_ manager: Safekeeping.ClipboardManager) {
    guard let current = handover else { return }
    server.destroy(manager.requestor)
    guard let kept, kept.isOwned else { return endHandover() }
    hold(kept, done: current.done)
  }

  /// Verifies the manager's content: some keep only text. An incomplete one is taken back and given
  /// to a holder.
  private func check(_ manager: Safekeeping.ClipboardManager) {
    guard let current = handover else { return }
    handover?.step = .checking(manager)
    handover?.deadline = .max
    guard let owner = owner(for: manager) else {
      server.destroy(manager.requestor)
      return endHandover()
    }
    read(forms: nil, limits: .everything) { [self] result in
      guard case .checking = handover?.step else { return }
      let found = Dictionary(((try? result.get()) ?? []).map { ($0.target, $0.bytes) }) { $1 }
      guard !current.forms.allSatisfy({ found[$0.target] == $0.bytes }),
        self.owner(for: manager) == owner
      else {
        server.destroy(manager.requestor)
        return endHandover()
      }
      putBack(current.forms, from: owner)
      leave(manager)
    }
  }

  /// The clipboard's owner, if it is the manager: a program that has copied since is left alone.
  private func owner(for manager: Safekeeping.ClipboardManager) -> XWindow? {
    server.owner(of: words.clipboard).flatMap {
      server.isSameClient($0, manager.window) ? $0 : nil
    }
  }

  // MARK: The holder

  /// Starts a holder, which takes over with the same time: a program that has copied since stays
  /// the owner.
  private func hold(_ kept: OwnedSelection, done: [() -> Void]) {
    let lifetime = words.isSecret(kept.forms) ? Self.secretLifetime : 0
    let parcel = SerializedClipboard(forms: kept.forms, time: kept.time, lifetime: lifetime)
    let process = holder?.start(parcel) { [thread, box = ThreadConfined(Weak(self))] process in
      thread.post { box.value.object?.holderEnded(process) }
    }
    guard let process else {
      handover = nil
      for job in done { job() }
      return
    }
    handover = Safekeeping(
      step: .holding(process), forms: kept.forms,
      deadline: MonotonicClock.now + Self.patience.holder, done: done)
  }

  private func holderEnded(_ process: HolderProcess) {
    guard case .holding(let current) = handover?.step, current === process else { return }
    endHandover()
  }

  func endHandover() {
    guard let ended = handover else { return }
    handover = nil
    for job in ended.done { job() }
  }
}
