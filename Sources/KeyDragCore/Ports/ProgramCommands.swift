// MARK: What programs can be had do by themselves

/// A command that most programs have in a menu, and with the same key everywhere.
package enum ProgramCommand: String, Hashable, Sendable, CaseIterable {
  case copy
  case paste
  case undo
}

/// Invokes commands in the menus of programs, as a person would.
package protocol ProgramCommanding: AnyObject, Sendable {
  /// Whether a window has a command that can be found without opening menus: by its key, the same
  /// in every language, or by its name. `nil` if unknown, because the program does not respond or
  /// fills its menus only when they open.
  func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async throws(Reason) -> Bool?

  /// Whether a command can be used now, as far as its menu says so without being opened; `nil` where
  /// that can't be known.
  func canUse(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async throws(Reason) -> Bool?

  /// Invokes a command as soon as it is enabled; to return means only that the program accepted the
  /// call.
  ///
  /// Throws ``Reason/operationNotOffered`` if the window has none, and ``Reason/notTaken`` if it is
  /// disabled.
  ///
  /// - Parameter mayOpen: whether menus that are empty until opened may be opened briefly on the
  ///   screen.
  func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason)

  /// The address of a link as its program writes it; `nil` if the element is no link.
  func address(of element: ElementID) async throws(Reason) -> String?

  /// The address of an element's picture as its program writes it.
  func pictureAddress(of element: ElementID) async throws(Reason) -> String?
}

// MARK: Their keys

/// Presses keys in programs that do not expose the contents of their windows.
package protocol KeyPressing: AnyObject, Sendable {
  /// Presses Ctrl+C in a window with the keyboard once no modifier is held; `false` if it could
  /// not.
  func pressCopy(in window: WindowID) async -> Bool
}

// MARK: The clipboard, lent

/// Lends the clipboard to a program's Paste and Copy commands, and restores its contents.
package protocol ClipboardLending: AnyObject, Sendable {
  /// Saves the clipboard and replaces it by these forms. Concurrent loans are serialized.
  ///
  /// - Throws: why the clipboard can't be saved; it is then not touched.
  func lend(_ forms: [SelectedForm]) async throws(Reason) -> any ClipboardLoan

  /// Saves the clipboard, has the program copy, reads the result and restores the clipboard.
  /// Concurrent calls are serialized.
  ///
  /// A clipboard that can't be saved is not touched, and `copy` is not called.
  ///
  /// - Parameters:
  ///   - forms: types such as "text/uri-list" and "UTF8_STRING"; all when none is named.
  ///   - most: the maximum of bytes in total.
  ///   - copy: triggers the program's command; called on any thread, must not block.
  func borrow(
    forms: [String], most: Int, copy: @escaping @Sendable () -> Void
  ) async throws(Reason) -> [SelectedForm]

  /// Restores outstanding loans, and returns once the restored contents survive the end of this
  /// program, or after a few seconds. For the end of the program; may block.
  func settle()
}

/// A temporary replacement of the clipboard's contents.
package protocol ClipboardLoan: AnyObject, Sendable {
  /// Restores the saved contents after the current readers, unless another program has copied
  /// since; returns whether anything was read.
  func giveBack() async -> Bool
}

// MARK: The clipboard, at a person's word

/// The system's clipboard, for the person's own copying and pasting.
package protocol ClipboardAccess: AnyObject, Sendable {
  /// The requested forms that the clipboard has, in order.
  ///
  /// - Throws: ``Reason/nothingThere`` if the clipboard is empty, ``Reason/wrongType`` if it has
  ///   none of these.
  func read(_ forms: [String]) async throws(Reason) -> [SelectedForm]

  /// Puts these forms into the clipboard, where they survive the end of this program.
  func put(_ forms: [SelectedForm]) async throws(Reason)

  /// Returns once the contents survive the end of this program, or after a few seconds.
  func settle()
}
