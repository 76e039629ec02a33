/// Why something is refused or failed; the raw value appears in the transcript. Reasons may be
/// added, never renamed.
public enum Reason: String, Error, Codable, Hashable, Sendable, CaseIterable {
  /// The place can be viewed but not changed.
  case readOnly = "read-only"
  /// The place takes none of the forms of what is carried.
  case wrongType = "wrong-type"
  /// More items than the place takes at once.
  case tooMany = "too-many"
  /// A folder can't go into itself or one of its descendants.
  case ownDescendant = "own-descendant"
  /// It is there already: nothing would change.
  case samePlace = "same-place"
  /// The disk or the quota is full.
  case noSpace = "no-space"
  /// The name exists there, and nobody was asked.
  case nameExists = "name-exists"
  /// The name is too long for the file system.
  case nameTooLong = "name-too-long"
  /// The file system refuses a character or the ending of the name.
  case nameRefused = "name-refused"
  /// The file system has no symbolic links.
  case noLinks = "no-links"
  /// Another file system is mounted there, which is not moved along.
  case otherDisk = "other-disk"
  /// It no longer exists: a file, a row, a place.
  case gone = "gone"
  /// The person lacks the permission.
  case notPermitted = "not-permitted"
  /// It is protected against changes by anybody; an administrator can lift that.
  case protected
  /// The file system does not support this for anybody.
  case notSupported = "not-supported"
  /// The system uses it: a mount point, a swap file, a running program.
  case busy
  /// The destination folder, or the one to return to, has been removed.
  case folderGone = "folder-gone"
  /// The person may not read it, so it can't be copied.
  case unreadable
  /// Its folder lets nothing be removed, so it can't be moved.
  case notRemovable = "not-removable"
  /// A program did not answer in time.
  case notResponding = "not-responding"
  /// Items can be moved only in edit mode, which is off.
  case editModeOff = "edit-mode-off"
  /// The folder can be written but not read, so what lands there can't be seen.
  case writeOnly = "write-only"
  /// There is no trash for this file system and none can be made.
  case noTrash = "no-trash"
  /// An existing item would be replaced, and has no trash to go to.
  case oldHasNoTrash = "old-has-no-trash"
  /// A FIFO, a socket or a device.
  case specialFile = "special-file"
  /// A folder is required, and this is none.
  case notAFolder = "not-a-folder"
  /// A file is required, and this is a folder.
  case isAFolder = "is-a-folder"
  /// Symbolic links form a loop.
  case linkLoop = "link-loop"
  /// The contents changed while they were being read, or since delivery.
  case changed = "changed"
  /// Another program has it open for writing.
  case inUse = "in-use"
  /// It has arrived, but some or all of the original could not be removed.
  case bothHold = "both-hold"
  /// A copy that can't be undone: its original is gone or has changed.
  case lastCopy = "last-copy"
  /// What it had replaced can't come back: it is no longer in the trash.
  case replacedGone = "replaced-gone"
  /// Its folder has been replaced by another one.
  case otherFolder = "other-folder"
  /// The device reported an input or output error.
  case deviceError = "device-error"
  /// The device can't read the contents.
  case readError = "read-error"
  /// A file is larger than the file system or the quota allows.
  case tooLarge = "too-large"
  /// The bytes do not match their type: damaged, or answered twice.
  case malformed
  /// A contact without an address to write to.
  case noAddress = "no-address"
  /// Longer than the place takes at once, or than is accepted from another program.
  case tooBig = "too-big"
  /// Nothing is selected or focused.
  case nothingThere = "nothing-there"
  /// The item declares that it can't be dragged, or offers no representation.
  case notDraggable = "not-draggable"
  /// It is already carried.
  case alreadyHeld = "already-held"
  /// A folder that holds it is already carried.
  case heldWithFolder = "held-with-folder"
  /// The operation is not offered here, or not allowed by the source.
  case operationNotOffered = "operation-not-offered"
  /// The items have no order that could be changed.
  case notOrdered = "not-ordered"
  /// No program is known that could do it.
  case noProgram = "no-program"
  /// A program could not be started, or ended with an error.
  case programFailed = "program-failed"
  /// A program ended in the middle of its task.
  case programEnded = "program-ended"
  /// The journal can't be written or read.
  case journalUnavailable = "journal-unavailable"
  /// The journal was written by a newer version.
  case journalNewer = "journal-newer"
  /// A running program refused it, without a reason as always.
  case notTaken = "not-taken"
  /// A running program refuses to copy or link, and accepts a move.
  case takesOnlyMove = "takes-only-move"
  /// A running program refuses drops; its Paste command remains, for a drop of its own.
  case pasteLeft = "paste-left"
  /// A running program does not report its selection, and its Copy command gave nothing.
  case selectionUntold = "selection-untold"
  /// There is no X server: no desktop, or Wayland alone.
  case noDisplay = "no-display"
  /// There is no accessibility bus, so nothing is known of what programs show.
  case noAccessibility = "no-accessibility"
  /// A password, which is never picked up.
  case password
  /// The window is minimized or the place not visible, and the program needs it visible.
  case notShown = "not-shown"
  /// The place moved away from the target of the drop, so that something else would have received
  /// it.
  case placeMoves = "place-moves"
  /// The program reports the place too imprecisely: a drop might hit what is beside it.
  case placeUncertain = "place-uncertain"
  /// A program waits for an answer in another of its windows and takes nothing meanwhile.
  case waitsForAnswer = "waits-for-answer"
  /// Only the program that has it can undo it.
  case programsOwn = "programs-own"
  /// Only its program can undo it, and can't be asked to.
  case leftToProgram = "left-to-program"
  /// The name is empty or contains a slash.
  case badName = "bad-name"
  /// "." or "..", which stand for folders.
  case dotName = "dot-name"
  /// "/", the root folder.
  case fileRoot = "file-root"
  /// There is no clipboard that can be read or written here.
  case noClipboard = "no-clipboard"
  /// The clipboard holds nothing that could be picked up.
  case emptyClipboard = "empty-clipboard"
  /// It was stopped partway.
  case interrupted
  /// Any other error, such as one thrown by an app that is no ``Reason``.
  case unknown

  /// Whether another name would help.
  package var isOfName: Bool {
    [.nameExists, .nameTooLong, .nameRefused, .badName, .dotName].contains(self)
  }

  /// Whether the folder is to blame, rather than one item in it.
  package var isOfFolder: Bool {
    [.notPermitted, .readOnly, .noSpace, .folderGone, .otherFolder, .deviceError, .notResponding]
      .contains(self)
  }

  /// Whether it is about the carried item, whatever the destination.
  package var isOfSource: Bool { self == .unreadable || self == .notRemovable }
}

extension Reason {
  /// Another program may have reasons that are unknown here.
  public init(from decoder: any Decoder) throws {
    self = Reason(rawValue: try String(from: decoder)) ?? .unknown
  }
}
