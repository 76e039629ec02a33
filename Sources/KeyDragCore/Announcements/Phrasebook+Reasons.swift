extension Phrasebook {
  /// Why, in a few words that follow a comma or a colon.
  public func short(_ reason: Reason) -> String {
    switch reason {
    case .readOnly: phrase("it is read-only")
    case .wrongType: phrase("wrong type")
    case .tooMany: phrase("too many items")
    case .ownDescendant: phrase("it is part of what is carried")
    case .samePlace: phrase("it is there already")
    case .noSpace: phrase("not enough space")
    case .nameExists: phrase("the name exists")
    case .nameTooLong: phrase("the name is too long")
    case .gone: phrase("it is gone")
    case .notPermitted: phrase("not permitted")
    case .notResponding: phrase("it does not answer")
    case .editModeOff: phrase("turn on Edit to move rows")
    case .writeOnly: phrase("it can be written but not read")
    case .noTrash: phrase("there is no trash")
    case .specialFile: phrase("a device or pipe has no contents to copy")
    case .notAFolder: phrase("it is not a folder")
    case .isAFolder: phrase("it is a folder")
    case .linkLoop: phrase("its links lead in a circle")
    case .changed: phrase("it has changed")
    case .deviceError: phrase("the disk reports an error")
    case .tooLarge: phrase("it is too large for that disk")
    case .nothingThere: phrase("there is nothing")
    case .notDraggable: phrase("it can't be dragged")
    case .alreadyHeld: phrase("it is held already")
    case .heldWithFolder: phrase("its folder is held already")
    case .operationNotOffered: phrase("that is not offered here")
    case .notOrdered: phrase("there is no order to change")
    case .noProgram: phrase("no program is known for it")
    case .programFailed: phrase("the program failed")
    case .journalUnavailable: phrase("the history can't be used")
    case .journalNewer: phrase("the history is from a newer version")
    case .interrupted: phrase("it was interrupted")
    case .unknown: phrase("the reason is not known")
    }
  }

  /// Why, as a sentence of its own, with the remedy where there is one.
  public func sentence(for reason: Reason) -> String {
    let why = capitalised(short(reason)) + "."
    guard !isBrief, let remedy = remedy(reason) else { return why }
    return join(why, remedy)
  }

  private func remedy(_ reason: Reason) -> String? {
    switch reason {
    case .noSpace: phrase("Free some space or choose another place.")
    case .nameExists: phrase("Rename one of them.")
    case .nameTooLong: phrase("Give it a shorter name.")
    case .notPermitted: phrase("Its owner can change that.")
    case .changed: phrase("Look at it before trying again.")
    case .journalUnavailable: phrase("keydrag doctor says why.")
    case .journalNewer: phrase("Use the newer keydrag.")
    case .notResponding: phrase("Try again later.")
    default: nil
    }
  }

  /// What does not work, what follows, and what the person can do.
  public func problemText(_ problem: Problem) -> String {
    let parts = problemParts(problem)
    return isBrief ? parts.what : join(parts.what, parts.consequence, parts.remedy)
  }

  /// The three parts of a problem, as the transcript's `args` hold them.
  func problemParts(_ problem: Problem) -> (what: String, consequence: String, remedy: String) {
    switch problem {
    case .noSoundDevice:
      (
        phrase("No sound device."), phrase("Messages are shown as text."),
        phrase("keydrag doctor says what to do.")
      )
    case .noVoice(let language):
      (
        phrase("No voice for %1$@.", language), phrase("The English voice is used."),
        phrase("Install more espeak-ng voices.")
      )
    case .unknownLanguage(let tag):
      (phrase("Language %1$@ is not known.", tag), phrase("English is used."), "")
    case .configuration(let file, let line, let column, let detail):
      // What follows and what to do differ from mistake to mistake: the detail says both.
      (
        phrase(
          "%1$@, line %2$@, column %3$@: %4$@", file, number(line), number(column), detail),
        "", ""
      )
    case .journal(let reason):
      (
        phrase("The history can't be written: %1$@.", short(reason)),
        phrase("What is done now can't be undone later."),
        phrase("keydrag doctor says what to do.")
      )
    case .notWatching(let container):
      (
        phrase("%1$@ can't be watched for changes.", container),
        phrase("What is shown may be old."), phrase("Leave it and open it again to refresh.")
      )
    case .lostChanges(let container):
      (phrase("Much changed in %1$@ at once.", container), phrase("It was listed anew."), "")
    case .lostAttributes(let names):
      (
        phrase("Some attributes could not be kept: %1$@.", list(names)),
        phrase("The contents are whole."), ""
      )
    case .transcriptClosed:
      (phrase("The transcript can't be written any more."), phrase("Everything else goes on."), "")
    case .outputClosed: (phrase("The output is closed."), "", "")
    }
  }
}
