import KeyDragCore
import KeyDragThreads

/// The atoms for keeping, lending and handing over, interned once per connection.
struct ClipboardAtoms: Hashable, Sendable {
  /// The clipboard's selection, and the property through which values are read.
  let clipboard, property: XAtom
  /// Marks content as secret, or as not to be kept.
  let hint: XAtom
  /// The clipboard manager specification of freedesktop.org: CLIPBOARD_MANAGER, SAVE_TARGETS, NULL.
  let manager, saveTargets, null: XAtom

  static let names = [
    "CLIPBOARD", "KEYDRAG_SELECTION", "x-kde-passwordManagerHint", "CLIPBOARD_MANAGER",
    "SAVE_TARGETS", "NULL",
  ]

  /// - Parameter atoms: in the order of ``names``.
  init?(_ atoms: [XAtom]) {
    guard atoms.count == Self.names.count, !atoms.contains(.none) else { return nil }
    (clipboard, property, hint) = (atoms[0], atoms[1], atoms[2])
    (manager, saveTargets, null) = (atoms[3], atoms[4], atoms[5])
  }

  /// For an owner whose content may be kept.
  var saving: SelectionServer.Saving { .init(target: saveTargets, null: null) }

  /// Whether a password manager has marked the content.
  func isSecret(_ forms: [SelectionFetch.Form]) -> Bool {
    forms.contains { $0.target == hint && $0.bytes.starts(with: Array("secret".utf8)) }
  }
}

/// The clipboard's kept and lent content. Confined to the desk's thread.
extension SelectionCoordinator {
  /// A program that is expected to copy.
  struct Copying {
    /// Server time before the request: an older owner change is not its answer.
    var since: UInt32
    var deadline: Milliseconds
    /// The new owner; `nil` on timeout.
    var answer: (XWindow?) -> Void
  }

  /// Lent content to be taken back once its transfers are done.
  struct Ending {
    var deadline: Milliseconds
    var answer: (_ wasTaken: Bool) -> Void
  }

  /// Content to be restored, which failed while the display did not answer.
  struct PendingRestore {
    let forms: [SelectionFetch.Form]
    /// The window that owns the clipboard in its place.
    let owner: XWindow
    let next: Milliseconds
  }

  private static let pause: Milliseconds = 1_000

  // MARK: The clipboard's owner

  /// Subscribes to new owners of the clipboard; `false` without XFIXES.
  func followClipboard() -> Bool { server.followOwner(of: words.clipboard, by: window) }

  var keptForms: [SelectionFetch.Form]? { kept.flatMap { $0.isOwned ? $0.forms : nil } }

  /// Whether the server confirms it: its notice that another program has copied may not have been
  /// read yet.
  var isOwnerByServer: Bool { server.owner(of: words.clipboard) == window }

  /// Waits for another program to take the clipboard, which `start` triggers.
  func awaitOwner(
    within patience: Milliseconds, start: () -> Void, answer: @escaping (XWindow?) -> Void
  ) {
    guard !isClosed, let time = now() else { return answer(nil) }
    copying = Copying(since: time, deadline: MonotonicClock.now + patience, answer: answer)
    start()
  }

  /// The first new owner other than ourselves is the answer.
  func ownerChanged(_ selection: XAtom, _ owner: XWindow, _ time: UInt32) {
    guard let copying, selection == words.clipboard, owner != .none, owner != window,
      Int32(bitPattern: time &- copying.since) >= 0
    else { return }
    endCopying(owner)
  }

  func endCopying(_ owner: XWindow?) {
    guard let done = copying else { return }
    copying = nil
    done.answer(owner)
  }

  /// Restores the clipboard after a program has copied, unless yet another one owns it now. `false`
  /// when the display does not answer: the content is kept and retried.
  @discardableResult
  func putBack(_ forms: [SelectionFetch.Form], from owner: XWindow) -> Bool {
    pendingRestore = nil
    let lent = owner == window ? kept : nil
    if server.owner(of: words.clipboard) == owner, !replace(with: forms) {
      pendingRestore = PendingRestore(
        forms: forms, owner: owner, next: MonotonicClock.now + Self.pause)
      return false
    }
    if let lent, lent.isOwned, kept === lent { kept = nil }
    return true
  }

  /// Takes the clipboard for this content, or empties it for none. `false` when the server does not
  /// tell the time, or refuses.
  private func replace(with forms: [SelectionFetch.Form]) -> Bool {
    guard let time = now() else { return false }
    guard forms.isEmpty else {
      return own(forms, saving: words.isSecret(forms) ? nil : words.saving, time: time)
    }
    server.disown(words.clipboard, time: time)
    server.flush()
    return true
  }

  /// Retries a failed restore; `true` when nothing is left to restore.
  @discardableResult
  func retryRestore() -> Bool {
    guard let pendingRestore else { return true }
    return putBack(pendingRestore.forms, from: pendingRestore.owner)
  }

  /// - Parameter saving: `nil` when nobody may keep it, as with secrets.
  private func own(
    _ forms: [SelectionFetch.Form], saving: SelectionServer.Saving?, time: UInt32
  ) -> Bool {
    let owned = OwnedSelection(
      forms, as: words.clipboard, by: window, since: time, saving: saving,
      // Clipboard histories read only this hint, which does not count as taking the content.
      uncounted: words.hint, on: server, atoms)
    if let owned { kept = owned }
    return owned != nil
  }

  /// Another program has taken the clipboard; ours is dropped once its transfers are done.
  func lostClipboard() {
    // Stale: the clipboard has been taken again since.
    guard server.owner(of: words.clipboard) != window else { return }
    kept?.lost()
    keeperTookClipboard()
    forgetIfIdle()
  }

  /// Drops content that nobody can request any more.
  func forgetIfIdle() { if let kept, !kept.isOwned, !kept.isBusy { self.kept = nil } }

  /// Refuses requests for selections that are not owned here.
  func serve(_ request: SelectionServer.Request, _ selection: XAtom) {
    guard let kept, selection == words.clipboard else {
      return server.refuse(request, of: selection)
    }
    safekeeperAsked()
    kept.serve(request)
  }

  // MARK: Lending

  /// Lends content; `false` when the server refuses.
  ///
  /// - Parameter before: restored afterwards.
  func offer(_ forms: [SelectedForm], over before: [SelectionFetch.Form]) -> Bool {
    guard !isClosed, !isExiting, let time = now() else { return false }
    guard own(owned(forms), saving: nil, time: time) else { return false }
    self.before = before
    return true
  }

  /// Puts content there for good, as a user's copy does; `false` when the server refuses.
  func put(_ forms: [SelectedForm]) -> Bool {
    guard !isClosed, !isExiting, let time = now(),
      own(owned(forms), saving: words.saving, time: time)
    else { return false }
    // A pending restore is superseded.
    pendingRestore = nil
    return true
  }

  /// Forms with valid names, each in the type of its own name.
  private func owned(_ forms: [SelectedForm]) -> [SelectionFetch.Form] {
    let names = SelectionForms.askable(forms.map(\.contentType))
    let offered = forms.filter { names.contains($0.contentType) }
    return zip(server.atoms(offered.map(\.contentType)), offered).map {
      SelectionFetch.Form(target: $0, type: $0, bytes: $1.bytes)
    }
  }

  /// Ends a loan once its transfers are done, and restores the previous content.
  func endOffer(
    within patience: Milliseconds, answer: @escaping (_ wasTaken: Bool) -> Void
  ) {
    endLending()
    ending = Ending(deadline: MonotonicClock.now + patience, answer: answer)
    if isClosed { endLending() }
  }

  /// Whether it was taken, or can't be any more. A busy program may paste late, and must not get
  /// what the user had copied.
  var isDoneLending: Bool {
    guard before != nil, let kept, kept.isOwned else { return true }
    return kept.taken > 0 && !kept.isBusy
  }

  /// Answers whether any of it was taken.
  func endLending() {
    guard let done = ending else { return }
    ending = nil
    let wasTaken = before != nil && (kept?.taken ?? 0) > 0
    recall()
    done.answer(wasTaken)
  }

  /// Restores the content before the loan at once; no-op without a loan.
  func recall() {
    guard let saved = before else { return }
    before = nil
    // Content that another program has copied meanwhile is newer.
    guard !isClosed, kept?.isOwned == true else { return }
    putBack(saved, from: window)
  }
}
