extension Phrasebook {
  /// The reason in a few words that follow a comma or a colon.
  public func short(_ reason: Reason) -> String {
    switch reason {
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .readOnly: phrase("it is read-only")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Of a file,
    // for this place.
    case .wrongType: phrase("wrong type")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. For this
    // place.
    case .tooMany: phrase("too many items")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A folder
    // inside a folder that is carried.
    case .ownDescendant: phrase("it is part of what is carried")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. The item is
    // in this folder.
    case .samePlace: phrase("it is there already")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. On the
    // disk.
    case .noSpace: phrase("not enough space")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. In the
    // folder.
    case .nameExists: phrase("the name already exists")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .nameTooLong: phrase("the name is too long")
    // Why something failed; follows a comma, or is a sentence of its own. A name with characters
    // that the disk does not take, such as a colon.
    case .nameRefused: phrase("this disk does not allow that name")
    // Why something failed; follows a comma, or is a sentence of its own. Symbolic links.
    case .noLinks: phrase("this disk can't hold links")
    // Why something failed; follows a comma, or is a sentence of its own. A folder to be moved or
    // deleted, or one in it, is where another disk is shown.
    case .otherDisk: phrase("another disk is mounted there")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file or
    // place that was removed.
    case .gone: phrase("it is gone")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .notPermitted: phrase("not permitted")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file or
    // folder that nobody may change, by the flags that chattr sets.
    case .protected: phrase("it is protected against changes")
    // Why something failed; follows a comma, or is a sentence of its own. A disk that can't do what
    // was asked, whoever asks.
    case .notSupported: phrase("its disk does not allow that")
    // Why something failed; follows a comma, or is a sentence of its own. A file or folder, such as
    // one on which a disk is mounted.
    case .busy: phrase("it is in use")
    // Why something failed, or can't be undone; follows a comma, or is a sentence of its own. The
    // folder that something is to go into, or back into, was removed.
    case .folderGone: phrase("its folder is gone")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A program.
    case .notResponding: phrase("it is not responding")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file or
    // folder that is to be copied: the person has no right to read it.
    case .unreadable: phrase("you may not read it")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file or
    // folder that is to be moved: the folder that it is in can't be changed.
    case .notRemovable: phrase("it can't be removed from its folder")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Edit is a
    // mode of a list.
    case .editModeOff: phrase("turn on Edit to move rows")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A folder:
    // what is put into it is not seen again.
    case .writeOnly: phrase("it can be written but not read")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. For this
    // disk.
    case .noTrash: phrase("there is no trash")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file that
    // was to be replaced by a new one.
    case .oldHasNoTrash: phrase("there is no trash for the old one")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .specialFile: phrase("devices and pipes can't be copied")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .notAFolder: phrase("it is not a folder")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .isAFolder: phrase("it is a folder")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Symbolic
    // links.
    case .linkLoop: phrase("its links lead in a circle")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. The file
    // was changed since.
    case .changed: phrase("it has changed")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Another
    // program writes to the file now.
    case .inUse: phrase("another program is writing to it")
    // Why something failed; follows a comma, or is a sentence of its own. A file or folder that was to
    // be moved to another disk: it is there, and the original could not be removed.
    case .bothHold: phrase("it arrived, but the original is still there")
    // Why a copy can't be undone, which would remove it; follows a comma, or is a sentence of its own.
    case .lastCopy where isBrief: phrase("this may be the last copy")
    // Why a copy can't be undone, which would remove it; follows a comma, or is a sentence of its own.
    case .lastCopy: phrase("the original is gone or changed: this may be the last copy")
    // Why a copy is refused by a place in a program; follows a comma, or is a sentence of its own.
    case .takesOnlyMove: phrase("it takes only a move")
    // Why what a file had replaced can't come back; follows a comma, or is a sentence of its own.
    case .replacedGone: phrase("it is no longer in the trash")
    // Why something can't be undone; follows a comma, or is a sentence of its own. In the place of the
    // folder that it came from or went to is another folder with the same name.
    case .otherFolder: phrase("its folder is now a different one")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .deviceError: phrase("the disk reports an error")
    // Why something failed; follows a comma, or is a sentence of its own. A file, or a folder, of
    // which the disk that it is on can't read the contents.
    case .readError: phrase("it can't be read from its disk")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file.
    case .tooLarge: phrase("it is too large for that disk")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. What was
    // dropped can't be read.
    case .malformed: phrase("its contents are damaged")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A contact, for
    // a list of people to write to.
    case .noAddress: phrase("it has no address")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A file or
    // text, for a place in a program.
    case .tooBig: phrase("it is too large")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. To pick up.
    case .nothingThere: phrase("there is nothing")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .notDraggable: phrase("it can't be dragged")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. It is among
    // what is carried.
    case .alreadyHeld: phrase("it is held already")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. The folder
    // is carried, and the file with it.
    case .heldWithFolder: phrase("its folder is held already")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. The
    // operation.
    case .operationNotOffered: phrase("that is not offered here")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .notOrdered: phrase("there is no order to change")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. To open the
    // file.
    case .noProgram: phrase("no program is known for it")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .programFailed: phrase("the program failed")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .programEnded: phrase("the program has ended")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .journalUnavailable: phrase("the history can't be used")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .journalNewer: phrase("the history is from a newer version")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A running
    // program, at the place where the drop would be.
    case .notTaken: phrase("the program does not take it here")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A running
    // program, at the place where the drop would be.
    case .pasteLeft: phrase("the program does not take a drop")
    // Why there is nothing to pick up; is a sentence of its own, after the name of a program.
    case .selectionUntold: phrase("it tells nothing of what is selected")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Nothing
    // with windows runs on this computer, or only programs that can't be reached.
    case .noDisplay: phrase("there is no desktop that can be reached")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. The service
    // of the desktop through which screen readers learn what programs show.
    case .noAccessibility: phrase("the accessibility service is missing")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. To pick up.
    case .password: phrase("it is a password")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A place in
    // the window of a program.
    case .notShown: phrase("it is not shown now")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A place in
    // the window of a program, such as a folder in a list that scrolls.
    case .placeMoves: phrase("the place keeps moving")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. A place in
    // the window of a program, such as a folder in a list: its program does not tell its position.
    case .placeUncertain: phrase("its program does not say where it is")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Another
    // window of the program, which takes nothing meanwhile.
    case .waitsForAnswer: phrase("the program waits for your answer")
    // Why a drop can't be undone; follows a comma, or is a sentence of its own. The program into
    // which it was dropped.
    case .programsOwn, .leftToProgram: phrase("only its program can undo it")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. Of a file or
    // folder that is to be named.
    case .badName: phrase("a name can't be empty or have a slash in it")
    // Why something is refused; follows a comma, or is a sentence of its own. Of a file or folder that
    // is to be named "." or "..", which mean the folder itself and the one around it.
    case .dotName: phrase("dots alone stand for a folder")
    // Why something is refused; follows a comma, or is a sentence of its own. Of "/", the folder that
    // holds all others, so that it can't be copied or moved anywhere.
    case .fileRoot: phrase("it is the root of the file system")
    // Why something is refused or failed; follows a comma, or is a sentence of its own. The
    // clipboard is where Copy puts something and Paste takes it from.
    case .noClipboard: phrase("the clipboard can't be reached")
    // Why nothing can be picked up; follows a comma, or is a sentence of its own. The clipboard is
    // where Copy puts something and Paste takes it from.
    case .emptyClipboard: phrase("the clipboard is empty")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .interrupted: phrase("it was interrupted")
    // Why something is refused or failed; follows a comma, or is a sentence of its own.
    case .unknown: phrase("the reason is not known")
    }
  }

  /// The reason as a sentence of its own, with the remedy if there is one.
  public func sentence(for reason: Reason) -> String {
    let why = closed(capitalised(short(reason)))
    guard !isBrief, let remedy = remedy(reason) else { return why }
    return join(why, remedy)
  }

  private func remedy(_ reason: Reason) -> String? {
    switch reason {
    // Advice, after the word that a program does not take a drop. Paste is a command in its menu.
    case .pasteLeft: phrase("Drop it there again to use its Paste command.")
    // Advice, after the reason why something was refused or failed.
    case .noSpace: phrase("Free some space or choose another place.")
    // Advice, after the reason why something was refused or failed.
    case .nameExists: phrase("Rename one of them.")
    // Advice, after the word that there is no trash for a file that was to be replaced. As the answer
    // "Keep both".
    case .oldHasNoTrash: phrase("Keep both instead.")
    // Advice, after the reason why something was refused or failed.
    case .nameTooLong: phrase("Give it a shorter name.")
    // Advice, after the word that a disk does not take the name of a file.
    case .nameRefused: phrase("Give it another name.")
    // Advice, after the word that another disk is mounted in a folder.
    case .otherDisk: phrase("Unmount it first.")
    // Advice, after the word that a file or folder is protected against changes. chattr -ia is a
    // command, and stays as it is.
    case .protected: phrase("An administrator can lift that with chattr -ia.")
    // Advice, after the word that a disk can't read a file: it is about to break.
    case .readError: phrase("The disk may be failing. Save what is on it.")
    // Advice, after the reason why something was refused or failed. The owner of a file or
    // folder, who may change its permissions.
    case .notPermitted, .unreadable: phrase("Its owner can change that.")
    // Advice, after the reason why something was refused or failed. At the file that has
    // changed.
    case .changed: phrase("Look at it before trying again.")
    // Advice, after the reason why something was refused or failed. keydrag doctor is a
    // command, and stays as it is.
    case .journalUnavailable: phrase("keydrag doctor says why.")
    // Advice, after the reason why something was refused or failed. keydrag is the program.
    case .journalNewer: phrase("Use the newer keydrag.")
    case .noClipboard:
      phrase(
        // Advice, after the word that the clipboard can't be reached. %1$@ are the keys by which most
        // terminals paste, such as Ctrl+Shift+V.
        "Paste with the keys of your terminal, often %1$@.",
        keyName(KeyStroke(.character("v"), [.ctrl, .shift])))
    // Advice, after the reason why something was refused or failed.
    case .notResponding: phrase("Try again later.")
    // Advice, after the word that a program does not say where a folder in its list is.
    case .placeUncertain: phrase("Open it first, then drop into it.")
    // Advice, after "only its program can undo it": the same command once more. The program is
    // the one into which something was dropped.
    case .programsOwn: phrase("Undo again to have the program undo its last change.")
    // Advice, after the reason why something was refused or failed. keydrag doctor is a
    // command, and stays as it is.
    case .noDisplay, .noAccessibility: phrase("keydrag doctor says what is missing.")
    default: nil
    }
  }
}
