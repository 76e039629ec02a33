import KeyDragCore
import KeyDragThreads

/// The atoms of what is kept, lent and handed over.
///
/// Interned once a connection.
struct ClipboardWords: Hashable, Sendable {
  /// The clipboard's selection, and the property that values are read by.
  let clipboard, property: XAtom
  /// Says of content that it is a secret, or that it is not to be kept.
  let hint: XAtom
  /// The clipboard manager specification of freedesktop.org: CLIPBOARD_MANAGER, SAVE_TARGETS, NULL.
  let manager, saveTargets, null: XAtom

  static let names = [
    "CLIPBOARD", "KEYDRAG_SELECTION", "x-kde-passwordManagerHint", "CLIPBOARD_MANAGER",
    "SAVE_TARGETS", "NULL",
  ]

  /// - Parameter atoms: one for each of ``names``, in their order.
  init?(_ atoms: [XAtom]) {
    guard atoms.count == Self.names.count, !atoms.contains(.none) else { return nil }
    (clipboard, property, hint) = (atoms[0], atoms[1], atoms[2])
    (manager, saveTargets, null) = (atoms[3], atoms[4], atoms[5])
  }

  /// For an owner that lets its content be kept.
  var saving: SelectionServer.Saving { .init(target: saveTargets, null: null) }

  /// Whether a program of passwords says that it is one.
  func isSecret(_ forms: [SelectionFetch.Form]) -> Bool {
    forms.contains { $0.target == hint && $0.bytes.starts(with: Array("secret".utf8)) }
  }
}

/// The clipboard: what is kept of it, what is lent in its place.
///
/// All of it runs on the thread of the desk.
extension SelectionDesk {
  /// A program that is to copy.
  struct Copying {
    /// The server's time before it was asked: an older owner is not its answer.
    var since: UInt32
    /// Milliseconds.
    var deadline: Milliseconds
    /// The new owner; `nil` where none came in time.
    var answer: (XWindow?) -> Void
  }

  /// Lent content on its way back, once nobody takes it any more.
  struct Ending {
    /// Milliseconds.
    var deadline: Milliseconds
    var answer: (_ wasTaken: Bool) -> Void
  }

  /// Content that is to be put back, and could not be while the display did not answer.
  struct Debt {
    let forms: [SelectionFetch.Form]
    /// The window that owns the clipboard in its place.
    let owner: XWindow
    /// When it is tried again.
    ///
    /// Milliseconds.
    let next: Milliseconds
  }

  /// Between two tries to put something back.
  ///
  /// 1 s.
  private static let pause: Milliseconds = 1_000

  // MARK: The clipboard's owner

  /// Whether new owners of the clipboard are told here.
  ///
  /// `false` without XFIXES.
  func followClipboard() -> Bool { server.followOwner(of: words.clipboard, by: window) }

  /// The kept forms while they are still the clipboard's content.
  var keptForms: [SelectionFetch.Form]? { kept.flatMap { $0.isOwned ? $0.forms : nil } }

  /// Whether the server says so too: its word that another program has copied may not have been read
  /// yet.
  var isOwnerByServer: Bool { server.owner(of: words.clipboard) == window }

  /// Waits for another program to take the clipboard, which `start` has it do.
  func awaitOwner(
    within patience: Milliseconds, start: () -> Void, answer: @escaping (XWindow?) -> Void
  ) {
    guard !isClosed, let time = now() else { return answer(nil) }
    copying = Copying(since: time, deadline: MonotonicClock.now + patience, answer: answer)
    start()
  }

  /// The first new owner is the answer, whoever it is; we ourselves are none.
  func ownerChanged(_ selection: XAtom, _ owner: XWindow, _ time: UInt32) {
    guard let copying, selection == words.clipboard, owner != .none, owner != window,
      Int32(bitPattern: time &- copying.since) >= 0
    else { return }
    endCopying(owner)
  }

  /// Answers once.
  func endCopying(_ owner: XWindow?) {
    guard let done = copying else { return }
    copying = nil
    done.answer(owner)
  }

  /// Puts content back into the clipboard that a program has taken, unless another one has it now.
  /// `false` while the display does not answer: it is tried again, and kept until then.
  @discardableResult
  func putBack(_ forms: [SelectionFetch.Form], from owner: XWindow) -> Bool {
    debt = nil
    let lent = owner == window ? kept : nil
    if server.owner(of: words.clipboard) == owner, !replace(with: forms) {
      debt = Debt(forms: forms, owner: owner, next: MonotonicClock.now + Self.pause)
      return false
    }
    if let lent, lent.isOwned, kept === lent { kept = nil }
    return true
  }

  /// Takes the clipboard for this content, or empties it for none.
  ///
  /// `false` while the server does not tell the time, or does not let.
  private func replace(with forms: [SelectionFetch.Form]) -> Bool {
    guard let time = now() else { return false }
    guard forms.isEmpty else {
      return own(forms, saving: words.isSecret(forms) ? nil : words.saving, time: time)
    }
    server.disown(words.clipboard, time: time)
    server.flush()
    return true
  }

  /// Tries again to put back what could not be; whether nothing is left to be put back.
  @discardableResult
  func payDebt() -> Bool {
    guard let debt else { return true }
    return putBack(debt.forms, from: debt.owner)
  }

  /// - Parameter saving: `nil` where nobody is to keep it, as with secrets.
  private func own(
    _ forms: [SelectionFetch.Form], saving: SelectionServer.Saving?, time: UInt32
  ) -> Bool {
    let owned = OwnedSelection(
      forms, as: words.clipboard, by: window, since: time, saving: saving,
      // Clipboard histories look at this hint alone, which does not count as taking the content.
      uncounted: words.hint, on: server, atoms)
    if let owned { kept = owned }
    return owned != nil
  }

  /// Another program has taken the clipboard; what it has replaced is forgotten, once nobody takes
  /// it any more.
  func lostClipboard() {
    // Of what was owned before: it has been taken again since.
    guard server.owner(of: words.clipboard) != window else { return }
    kept?.lost()
    safekeeperCame()
    forgetIfIdle()
  }

  /// Lets go of content that nobody can take any more.
  func forgetIfIdle() { if let kept, !kept.isOwned, !kept.isBusy { self.kept = nil } }

  /// Requests for what is not owned here are refused.
  func serve(_ request: SelectionServer.Request, _ selection: XAtom) {
    guard let kept, selection == words.clipboard else {
      server.notify(
        request.requestor, selection: selection, target: request.target, property: .none,
        time: request.time)
      return
    }
    safekeeperAsked()
    kept.serve(request)
  }

  // MARK: Lending

  /// Puts content of ours into the clipboard; `false` when the server does not let.
  ///
  /// - Parameter before: what is put back after it.
  func offer(_ forms: [SelectedForm], over before: [SelectionFetch.Form]) -> Bool {
    guard !isClosed, !isSettling, let time = now() else { return false }
    guard own(owned(forms), saving: nil, time: time) else { return false }
    self.before = before
    return true
  }

  /// Puts content there for good, as a person does who copies; `false` when the server does not
  /// let.
  func put(_ forms: [SelectedForm]) -> Bool {
    guard !isClosed, !isSettling, let time = now(),
      own(owned(forms), saving: words.saving, time: time)
    else { return false }
    // Whatever was to be put back has been replaced.
    debt = nil
    return true
  }

  /// Forms whose names can be told; each in the type of its own name.
  private func owned(_ forms: [SelectedForm]) -> [SelectionFetch.Form] {
    let names = SelectionForms.askable(forms.map(\.contentType))
    let offered = forms.filter { names.contains($0.contentType) }
    return zip(server.atoms(offered.map(\.contentType)), offered).map {
      SelectionFetch.Form(target: $0, type: $0, bytes: $1.bytes)
    }
  }

  /// Puts back what was there before what is lent, once nobody takes that any more.
  ///
  /// - Parameter patience: milliseconds.
  func endOffer(
    within patience: Milliseconds, answer: @escaping (_ wasTaken: Bool) -> Void
  ) {
    endLending()
    ending = Ending(deadline: MonotonicClock.now + patience, answer: answer)
    if isClosed { endLending() }
  }

  /// Whether it was taken, or can't be any more. A busy program may paste later, and must not find
  /// what the person had copied then.
  var isDoneLending: Bool {
    guard before != nil, let kept, kept.isOwned else { return true }
    return kept.taken > 0 && !kept.isBusy
  }

  /// Answers whether anything of it was taken.
  func endLending() {
    guard let done = ending else { return }
    ending = nil
    let wasTaken = before != nil && (kept?.taken ?? 0) > 0
    recall()
    done.answer(wasTaken)
  }

  /// Puts back at once what was there before what is lent.
  ///
  /// Does nothing where nothing is lent.
  func recall() {
    guard let saved = before else { return }
    before = nil
    // Content that another program has copied meanwhile is newer than what was kept.
    guard !isClosed, kept?.isOwned == true else { return }
    putBack(saved, from: window)
  }
}
