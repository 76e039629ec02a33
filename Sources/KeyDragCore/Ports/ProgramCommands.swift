// MARK: What programs can be had do by themselves

/// A command that most programs have in a menu, and with the same key everywhere.
package enum ProgramCommand: String, Hashable, Sendable, CaseIterable {
  case copy
  case paste
  case undo
}

/// Has programs carry out commands of their own menus, as a person would who opens them.
package protocol ProgramCommanding: AnyObject, Sendable {
  /// Whether a window has such a command where it can be found without opening anything: by its
  /// key, which is the same in every language, or by its name; `nil` where that can't be known, as the
  /// program does not answer or fills its menus when they open.
  func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async -> Bool?

  /// Whether a command can be used now, as far as its menu says so without being opened; `nil` where
  /// that can't be known.
  func canUse(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async -> Bool?

  /// Carries out a command as soon as it can be used; that it returns says that the program
  /// took the call.
  ///
  /// Fails with ``Reason/operationNotOffered`` where the window has none, and with
  /// ``Reason/notTaken`` where it can't be used now.
  ///
  /// - Parameter mayOpen: whether menus that are empty until they are opened are opened for it, on
  ///   the screen for a moment.
  func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason)

  /// The address of a link, as its program writes it; `nil` for an element that is no link.
  func address(of element: ElementID) async -> String?

  /// The address of an element's picture, as its program writes it.
  func pictureAddress(of element: ElementID) async -> String?
}

// MARK: Their keys

/// Presses keys in programs that tell nothing of what is in their windows.
package protocol KeyPressing: AnyObject, Sendable {
  /// Presses Ctrl+C in a window that has the keyboard, once no hand holds a modifier; `false` where it
  /// was not pressed.
  func pressCopy(in window: WindowID) async -> Bool
}

// MARK: The clipboard, lent

/// Puts something into the clipboard for a program to paste, and gives back what was in it.
package protocol ClipboardLending: AnyObject, Sendable {
  /// Keeps what is in the clipboard and puts these forms in its place. One at a time, the others
  /// wait.
  ///
  /// - Throws: why the clipboard can't be kept; it is not touched then.
  func lend(_ forms: [SelectedForm]) async throws(Reason) -> any ClipboardLoan

  /// Puts back what is lent still, and returns once what was put back stays in the clipboard also
  /// when this program ends, or after a few seconds. For the end of the program; may block.
  func settle()
}

/// The content of the clipboard for a while.
package protocol ClipboardLoan: AnyObject, Sendable {
  /// Puts back what was kept, after whoever takes it now has it, unless another program has copied
  /// since.
  ///
  /// - Returns: whether anybody has taken any of it.
  func giveBack() async -> Bool
}

// MARK: The clipboard, at a person's word

/// The system's clipboard, from which a person pastes and to which a person copies.
package protocol ClipboardAccess: AnyObject, Sendable {
  /// The forms wanted, in their order, as far as the clipboard has them.
  ///
  /// - Throws: ``Reason/nothingThere`` where nothing was copied, ``Reason/wrongType`` where it has
  ///   none of these.
  func read(_ forms: [String]) async throws(Reason) -> [SelectedForm]

  /// Puts these into the clipboard, where they stay also when this program ends.
  ///
  /// - Throws: why that did not work.
  func put(_ forms: [SelectedForm]) async throws(Reason)

  /// Returns once what was put there stays without this program, or after a few seconds.
  func settle()
}
