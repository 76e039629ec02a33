extension Phrasebook {
  package func problemText(_ problem: Problem) -> String {
    let parts = problemParts(problem)
    return isBrief ? parts.what : join(parts.what, parts.consequence, parts.remedy)
  }

  /// The three parts for the transcript's `args`.
  package func problemParts(
    _ problem: Problem
  ) -> (what: String, consequence: String, remedy: String) {
    (what(problem), consequence(problem), remedy(problem))
  }

  private func what(_ problem: Problem) -> String {
    switch problem {
    // At the start: there is nothing to play sound on.
    case .noSoundDevice: phrase("No sound device.")
    case .noSynthesizer: phrase("%1$@: does not work.", term(in: "part", "Voice"))
    // At the start: the synthesizer does not speak the language. %1$@ is a language's name or tag.
    case .noVoice(let language): phrase("No voice for %1$@.", language)
    // At the start: the language that was asked for is not there. %1$@ is what was asked for, such
    // as "tlh".
    case .unknownLanguage(let tag): phrase("Language %1$@ is not known.", tag)
    // At the start: the translation of the messages is missing or damaged. %1$@ is the English name
    // of a language, such as "German".
    case .catalogue(let language): phrase("The messages in %1$@ can't be read.", language)
    case .configuration(let file, let line, let column, let detail):
      // A mistake in the settings. %1$@ is the file, %2$@ and %3$@ are numbers, %4$@ whole
      // sentences that say what is wrong and what to do.
      phrase("%1$@, line %2$@, column %3$@: %4$@", file, number(line), number(column), detail)
    case .journal(_, let path?):
      // The list of what was done, kept for undo, can't be opened safely. %1$@ is the path of its file or
      // folder.
      phrase("The history can't be used: %1$@ must be your own, and no link.", path)
    case .journal(let reason, nil):
      // The list of what was done, kept for undo, is not writable. %1$@ is why, such as "not enough
      // space".
      phrase("The history can't be written: %1$@.", short(reason))
    // Changes that others make in a folder can't be followed. %1$@ is the folder.
    case .notWatching(let container): phrase("%1$@ can't be watched for changes.", container)
    // So much changed in a folder that it was listed again. %1$@ is the folder.
    case .lostChanges(let container): phrase("Much changed in %1$@ at once.", container)
    case .lostAttributes(let names):
      // After a copy to a disk that can't keep permissions, dates or the like. %1$@ is one or more
      // names of attributes.
      phrase("Some attributes could not be kept: %1$@.", list(names))
    // A key by which the program is called from anywhere does not work. %1$@ is the key, such as
    // Ctrl+Alt+Space.
    case .takenKey(let name): phrase("%1$@ belongs to another program.", name)
    // The key that picks up was pressed while a menu of another program was open, which had all keys:
    // nothing was done.
    case .menuIsOpen: phrase("A menu took the key. Press it again when the menu is closed.")
    case .noDisplay: closed(capitalised(short(.noDisplay)))
    case .noAccessibility: closed(capitalised(short(.noAccessibility)))
    case .nativeWindows(let compositor):
      phrase(
        // What can't be reached. %1$@ is the program that manages the windows of a Wayland session,
        // such as sway or KWin. Wayland and XWayland stay as they are.
        "Under %1$@ only windows in XWayland can be reached, native Wayland windows can't.",
        compositor)
    case .noWayToReader(let wanted, let reader, let way, _):
      join("--announce \(wanted.rawValue):", reachable(reader), missing(wanted, way))
    // The file in which the person has everything written down can't be written.
    case .transcriptClosed: phrase("The transcript can't be written any more.")
    // What the program writes is not read any more.
    case .outputClosed: phrase("The output is closed.")
    case .noPeers(let trouble): what(trouble)
    case .leftOut(let parts): leftOutNames(parts)
    }
  }

  private func what(_ trouble: PeerTrouble) -> String {
    switch trouble {
    case .notPrivate(let folder):
      phrase(
        // At the start or from keydrag doctor: a folder must be one's own. %1$@ is its path.
        "Other keydrag programs can't be reached: %1$@ must be your own folder and closed to "
          + "others. Remove it.", folder)
    case .pathTooLong(let folder):
      phrase(
        // At the start or from keydrag doctor. %1$@ is a folder's path. XDG_RUNTIME_DIR stays as it
        // is.
        "Other keydrag programs can't be reached: the name of %1$@ is too long. Set "
          + "XDG_RUNTIME_DIR to a shorter one.", folder)
    case .failed(let reason):
      phrase(
        // At the start or from keydrag doctor. %1$@ is why, such as "not enough space".
        "Other keydrag programs can't be reached: %1$@.", short(reason))
    case .otherVersion(let program):
      phrase(
        // Another program is there that was built with another version of KeyDrag, so that nothing can
        // be dropped there. %1$@ is its name.
        "%1$@ is of another version of KeyDrag: nothing can be dropped there. Start it again, or "
          + "update it.", program)
    }
  }

  /// The name of a program that falsely claims to be one of ours.
  package func impostor(_ name: String) -> String {
    // Stands for the name of another program, which says that it is one of KeyDrag's own, and is not.
    // %1$@ is the name that it gives itself, such as "keydrag files".
    phrase("a program that calls itself %1$@", name)
  }

  private func reachable(_ reader: String) -> String {
    reader.isEmpty
      // keydrag doctor: no program that reads the screen is there.
      ? phrase("No screen reader is running.")
      // keydrag doctor: a screen reader was found. %1$@ is its name and version, such as Orca 43.1.
      : phrase("%1$@ is running.", reader)
  }

  /// The feature that the running reader lacks.
  private func missing(_ wanted: ReaderRoute, _ way: ReaderRoute?) -> String {
    guard way != nil else { return "" }
    return switch wanted {
    // keydrag doctor: why messages go over the accessibility bus and not to a service of the
    // screen reader.
    case .orca: phrase("It has no service of its own for messages.")
    // keydrag doctor: why messages go to the screen reader as notifications: it is too old for
    // announcements, which are messages over the accessibility bus.
    case .atspi: phrase("It does not listen for announcements.")
    case .notification: ""
    }
  }

  func consequence(_ problem: Problem) -> String {
    switch problem {
    // After "No sound device.": what follows from it.
    case .noSoundDevice, .noSynthesizer: phrase("Messages are shown as text.")
    // After "No voice for …": what follows from it.
    case .noVoice: phrase("The English voice is used.")
    // After "Language … is not known." or "The messages in … can't be read.": what follows from it.
    case .unknownLanguage, .catalogue: phrase("English is used.")
    // After "The history can't be written": what follows from it.
    case .journal: phrase("What is done now can't be undone later.")
    // After "… can't be watched for changes.": what follows from it.
    case .notWatching: phrase("What is shown may be out of date.")
    // After "Much changed … at once.": what follows from it. It is the folder.
    case .lostChanges: phrase("It was listed again.")
    // After "Some attributes could not be kept": the files are copied completely.
    case .lostAttributes: phrase("The contents are complete.")
    // After "The transcript can't be written any more.": what follows from it.
    case .transcriptClosed: phrase("Everything else goes on.")
    // After "The desktop's accessibility service is missing.": what follows from it.
    case .noAccessibility: phrase("Windows are known by their titles only.")
    // keydrag doctor: what follows where no screen reader runs.
    case .noWayToReader(_, _, _, true): phrase("KeyDrag speaks itself.")
    // What follows where no screen reader can be told, and KeyDrag's own voice is off.
    case .noWayToReader(_, _, _, false): phrase("Messages are shown as text.")
    // What follows and what to do differ from mistake to mistake: the detail says both.
    case .configuration, .outputClosed, .takenKey, .menuIsOpen, .noPeers, .noDisplay,
      .nativeWindows:
      ""
    case .leftOut(let parts): commonSentence(parts)
    }
  }

  private func remedy(_ problem: Problem) -> String {
    switch problem {
    case .noSoundDevice, .noSynthesizer, .journal(_, nil):
      // Advice. keydrag doctor is a command, and stays as it is.
      phrase("keydrag doctor says what to do.")
    // Advice about the file or folder of the history.
    case .journal(_, _?): phrase("Move it away, and a new one is begun.")
    // Advice. espeak-ng is the synthesizer.
    case .noVoice: phrase("Install more espeak-ng voices.")
    // Advice for when a file that came with KeyDrag can't be read.
    case .catalogue: phrase("Install KeyDrag again.")
    // Advice, to see a folder as it is now.
    case .notWatching: phrase("Leave it and open it again to refresh.")
    // Advice. keydrag doctor is a command, and stays as it is.
    case .noAccessibility: phrase("keydrag doctor says what is missing.")
    case .takenKey:
      join(
        // After "… belongs to another program.": what to do. The key is KeyDrag's as soon as it is free.
        phrase("End that program or change its key."), otherChord)
    case .nativeWindows:
      phrase(
        // After "… native Wayland windows can't.": how a program is started so that it can be reached.
        // %1$@ is settings that are typed before its name, %2$@ is one that is typed after it.
        "To reach a program, start it with %1$@ before its name, or with %2$@ after it.",
        "GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb MOZ_ENABLE_WAYLAND=0", "--ozone-platform=x11")
    case .noWayToReader(_, _, let way?, _): "--announce \(way.rawValue)"
    // Without a reader there are KeyDrag's own voice and the text.
    case .noWayToReader(_, _, nil, let speaks):
      list([speaks ? "--announce speech" : "--speech on", "--announce text"])
    case .unknownLanguage, .configuration, .lostChanges, .lostAttributes, .transcriptClosed,
      .outputClosed, .noPeers, .noDisplay, .menuIsOpen, .leftOut:
      ""
    }
  }

  /// Advice when another program uses a key of KeyDrag's, after what to do with that program.
  package var otherChord: String {
    // After what to do with another program, such as "End that program or change its key.": the same
    // can be done in KeyDrag's own settings, which are in the file config.yaml.
    phrase("Or give KeyDrag another key in config.yaml.")
  }
}
