/// Why something is refused or failed: a stable word for the transcript. The sentence a person
/// hears is in the phrasebook. Reasons may be added, never renamed.
public enum Reason: String, Error, Hashable, Sendable, CaseIterable {
  /// The place can be looked at, not changed.
  case readOnly = "read-only"
  /// No form of what is carried is one that the place takes.
  case wrongType = "wrong-type"
  /// More things than the place takes at once.
  case tooMany = "too-many"
  /// A folder is not put into itself, nor into what it holds.
  case ownDescendant = "own-descendant"
  /// It is there already: nothing would change.
  case samePlace = "same-place"
  /// The disk or the quota is full.
  case noSpace = "no-space"
  /// Something of this name is there, and nobody was asked.
  case nameExists = "name-exists"
  /// The file system takes no name of this length.
  case nameTooLong = "name-too-long"
  /// The file system takes no name with these characters, or with such an end.
  case nameRefused = "name-refused"
  /// The file system has no symbolic links.
  case noLinks = "no-links"
  /// Another file system is mounted there, which does not go along.
  case otherDisk = "other-disk"
  /// It was there and is no more: a file, a row, a place.
  case gone = "gone"
  /// The person has no right to do this here.
  case notPermitted = "not-permitted"
  /// Nobody may change it before its protection is lifted, which takes an administrator.
  case protected
  /// The file system does not do this, whoever asks.
  case notSupported = "not-supported"
  /// The system itself uses it: a mount point, a swap file, a program that runs.
  case busy
  /// The folder that it is to go into, or back into, has been removed.
  case folderGone = "folder-gone"
  /// The person has no right to read it, so it can't be copied.
  case unreadable
  /// The folder that it is in lets nothing be taken out, so it can't be moved.
  case notRemovable = "not-removable"
  /// A program did not answer in time.
  case notResponding = "not-responding"
  /// Things are moved here in the edit mode only, and it is off.
  case editModeOff = "edit-mode-off"
  /// The folder can be written but not read, so what lands there is not seen again.
  case writeOnly = "write-only"
  /// There is no trash for this file system and none can be made.
  case noTrash = "no-trash"
  /// A FIFO, a socket or a device.
  case specialFile = "special-file"
  /// A folder was asked for, and this is none.
  case notAFolder = "not-a-folder"
  /// A file was asked for, and this is a folder.
  case isAFolder = "is-a-folder"
  /// Symbolic links that lead in a circle.
  case linkLoop = "link-loop"
  /// The contents changed while they were being read, or since they were delivered.
  case changed = "changed"
  /// Another program has it open for writing.
  case inUse = "in-use"
  /// It has arrived, and the original could not be removed, or not all of it.
  case bothHold = "both-hold"
  /// A copy that can't be taken back: its original is gone or has changed.
  case lastCopy = "last-copy"
  /// The folder that it was in has been replaced by another one.
  case otherFolder = "other-folder"
  /// The device reported an input or output error.
  case deviceError = "device-error"
  /// The device that it is on can't read its contents.
  case readError = "read-error"
  /// A file is larger than the file system or the quota allows.
  case tooLarge = "too-large"
  /// Bytes that arrived are not what their type promises: damaged, or answered twice.
  case malformed
  /// A contact that can't be written to.
  case noAddress = "no-address"
  /// Longer than a place takes in at once, or than is taken from another program.
  case tooBig = "too-big"
  /// Nothing is selected or in focus.
  case nothingThere = "nothing-there"
  /// The item says of itself that it cannot be dragged, or offers no representation.
  case notDraggable = "not-draggable"
  /// It is among what is carried already.
  case alreadyHeld = "already-held"
  /// A folder that holds it is among what is carried already.
  case heldWithFolder = "held-with-folder"
  /// The operation is not offered here, or not allowed by the source.
  case operationNotOffered = "operation-not-offered"
  /// There is no order to change.
  case notOrdered = "not-ordered"
  /// No program is known that could do it.
  case noProgram = "no-program"
  /// A program could not be started, or ended with an error.
  case programFailed = "program-failed"
  /// A program has ended while it had something in hand.
  case programEnded = "program-ended"
  /// The journal cannot be written or read.
  case journalUnavailable = "journal-unavailable"
  /// The journal was written by a newer version.
  case journalNewer = "journal-newer"
  /// A running program refuses what it was asked to take, and programs never say why.
  case notTaken = "not-taken"
  /// A running program refuses a drop; its Paste command is left, for a drop of its own.
  case pasteLeft = "paste-left"
  /// A running program does not say what is selected in it, and gave nothing to be copied.
  case selectionUntold = "selection-untold"
  /// There is no X server: no desktop, or Wayland alone.
  case noDisplay = "no-display"
  /// There is no accessibility bus, so nothing is known of what programs show.
  case noAccessibility = "no-accessibility"
  /// A password is never picked up.
  case password
  /// The window is minimised or the place is not shown, and the program needs it shown.
  case notShown = "not-shown"
  /// It did not stay where the drop was aimed at, so that something else would have taken it.
  case placeMoves = "place-moves"
  /// Its program does not say exactly enough where it is: a drop might meet what is beside it.
  case placeUncertain = "place-uncertain"
  /// A program waits for the person's answer in another of its windows, and takes nothing meanwhile.
  case waitsForAnswer = "waits-for-answer"
  /// Only the program that has it can undo it.
  case programsOwn = "programs-own"
  /// The same, where it can't be asked to.
  case leftToProgram = "left-to-program"
  /// Nothing can be called so: it is empty, or has a slash in it.
  case badName = "bad-name"
  /// "." and "..", which stand for folders.
  case dotName = "dot-name"
  /// "/", the folder that holds all others.
  case fileRoot = "file-root"
  /// There is no clipboard that can be read or written here.
  case noClipboard = "no-clipboard"
  /// Nothing was copied that could be picked up.
  case emptyClipboard = "empty-clipboard"
  /// It was stopped in the middle.
  case interrupted
  /// An error that is none of these: what an app throws that is no ``Reason``.
  case unknown

  /// Whether it is about what is carried, wherever that would go.
  package var isOfSource: Bool { self == .unreadable || self == .notRemovable }
}
