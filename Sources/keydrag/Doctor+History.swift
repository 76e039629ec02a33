import Glibc
import KeyDragCore
import KeyDragFiles
import SystemPackage

extension DoctorProbe {
  /// The journal behind undo, redo and history.
  static let journal = DoctorProbe(
    id: "history",
    // keydrag doctor: the name of a part, the list of what was done.
    title: .term(in: "part", "History"), isNeeded: { _ in true },
    run: { context, part in describe(JournalProbe.look(), context, &part) })

  static func describe(
    _ facts: JournalFacts, _ context: DoctorContext, _ part: inout DoctorPart
  ) {
    if let trouble = facts.trouble {
      part.state = .missing
      // keydrag doctor: what follows when the history can't be used.
      part.meaning = .phrase("What is done now can't be undone later.")
      describe(trouble, context.shown(facts.file.string), context, &part)
    } else if !facts.exists {
      let folder = context.shown(facts.folder.string)
      // keydrag doctor: there is no history yet. %1$@ is a folder.
      part.found = .phrase("Nothing has been done yet. It will be kept in %1$@.", folder)
    } else {
      describe(facts, context.shown(facts.file.string), &part)
    }
  }

  private static func describe(_ facts: JournalFacts, _ file: String, _ part: inout DoctorPart) {
    part.found = Wording { phrases in
      let contents = phrases.list([
        // keydrag doctor: how many things that were done are in the history. %1$@ is the number.
        phrases.plural("%1$@ entry", "%1$@ entries", Int(facts.entries)),
        phrases.size(facts.bytes),
        // keydrag doctor: the version of the history's file. %1$@ is a number.
        phrases.phrase("version %1$@", phrases.number(Int(facts.schema))),
      ])
      let runs =
        facts.running > 0
        ? phrases.plural(
          // keydrag doctor: how many keydrags work beside this one. %1$@ is the number.
          "%1$@ other run is at work.", "%1$@ other runs are at work.", facts.running)
        : ""
      // keydrag doctor: what is in the history. %1$@ is its file, %2$@ what it holds, such as "3
      // entries, 20 kilobytes, version 1".
      return phrases.join(phrases.phrase("%1$@: %2$@.", file, contents), runs)
    }
    if facts.unfinished > 0 {
      part.meaning = .plural(
        // keydrag doctor: keydrag or the computer stopped while copying or moving. %1$@ is how
        // often.
        "%1$@ run ended in the middle.", "%1$@ runs ended in the middle.", facts.unfinished)
      part.repair = .own(["history"])
      // keydrag doctor: what to do about runs that ended in the middle. keydrag history stays as
      // it is.
      part.remedy = .phrase("keydrag history puts that right.")
    } else if facts.isOpenToOthers {
      // keydrag doctor: the file of the history can be read by other people.
      part.meaning = .phrase("Others may read it.")
      // keydrag doctor: after "Others may read it." A delivery is a copy or move.
      part.remedy = .phrase("The next delivery closes it to them.")
    }
  }

  private static func describe(
    _ trouble: JournalFacts.Trouble, _ file: String, _ context: DoctorContext,
    _ part: inout DoctorPart
  ) {
    switch trouble {
    case .refused(let path, let reason):
      let left = JournalFacts.leftByRoot(on: path)
      let path = context.shown(path.string)
      part.found = Wording { phrases in
        // keydrag doctor: the file of the history or its folder. %1$@ is its name, %2$@ the reason,
        // such as "not permitted".
        phrases.phrase("%1$@ can't be used: %2$@.", path, phrases.short(reason))
      }
      let hasHome =
        context.environment["HOME"] != nil || context.environment["XDG_STATE_HOME"] != nil
      part.remedy = Wording { phrases in
        hasHome
          ? phrases.phrase(
            // keydrag doctor: what to do when the folder of the history can't be used.
            // XDG_STATE_HOME stays as it is.
            "Make that folder your own, or set XDG_STATE_HOME to a folder that you may write.")
          // keydrag doctor: what to do when a setting of the system is missing. HOME stays as it
          // is.
          : phrases.phrase("Set HOME to your home folder.")
      }
      if let left {
        part.mend(asAdministrator: "chown", "-R", "\(geteuid())", left.string)
      }
    case .notOwn(let path):
      let problem = Problem.journal(.journalUnavailable, notOwn: context.shown(path.string))
      part.found = Wording { $0.problemParts(problem).what }
      part.remedy = Wording { $0.problemParts(problem).remedy }
    case .locked:
      // keydrag doctor: the history is in use. %1$@ is its file.
      part.found = .phrase("Another program holds %1$@.", file)
      // keydrag doctor: what to do when the history is in use.
      part.remedy = .phrase("End the other keydrag, or wait for it.")
    case .damaged:
      // keydrag doctor: the history can't be read. %1$@ is its file.
      part.found = .phrase("%1$@ is damaged.", file)
      part.remedy = .phrase(
        // keydrag doctor: what to do with the damaged file of the history.
        "Move it away, and a new one is begun; what it held can't be undone any more.")
    case .newer:
      // keydrag doctor: the history can't be read. %1$@ is its file.
      part.found = .phrase("%1$@ was written by a newer keydrag.", file)
      // keydrag doctor: what to do when the history is from a newer version.
      part.remedy = .phrase("Use the newer keydrag.")
    case .unknown:
      // keydrag doctor: the history can't be read. %1$@ is its file.
      part.found = .phrase("%1$@ can't be opened.", file)
      // keydrag doctor: what to do with a file of the history that can't be opened.
      part.remedy = .phrase("Move it away, and a new one is begun.")
    }
  }

  static let homeTrash = DoctorProbe(
    id: "home-trash",
    // keydrag doctor: the name of a part.
    title: .term(in: "part", "Trash for the home folder"),
    run: { context, part in
      guard let home = context.environment["HOME"], home.hasPrefix("/") else {
        part.state = .missing
        // keydrag doctor: a setting of the system is missing. HOME stays as it is.
        part.found = .phrase("HOME is not set.")
        // keydrag doctor: what to do when a setting of the system is missing. HOME stays as it
        // is.
        part.remedy = .phrase("Set HOME to your home folder.")
        return
      }
      trash(FilePath(home), context, &part)
    })

  static let currentTrash = DoctorProbe(
    id: "trash-here",
    // keydrag doctor: the name of a part. This folder: the one in which the command was started.
    title: .term(in: "part", "Trash for this folder"),
    run: { context, part in trash(".", context, &part) })

  private static func trash(
    _ folder: FilePath, _ context: DoctorContext, _ part: inout DoctorPart
  ) {
    guard let reason = TrashCan().canTrash(anythingIn: folder) else { return }
    describe(noTrash: reason, folder, context, &part)
  }

  static func describe(
    noTrash reason: Reason, _ folder: FilePath, _ context: DoctorContext,
    _ part: inout DoctorPart
  ) {
    part.state = .missing
    let shown = context.shown(folder.string)
    part.found = Wording { phrases in
      folder == "."
        // keydrag doctor: why nothing here can go to the trash. %1$@ is the reason, such as "there
        // is no trash".
        ? phrases.phrase("This folder: %1$@.", phrases.short(reason))
        // keydrag doctor: why nothing in a folder can go to the trash. %1$@ is the folder, %2$@ the
        // reason, such as "there is no trash".
        : phrases.phrase("%1$@: %2$@.", shown, phrases.short(reason))
    }
    guard reason == .noTrash else {
      // keydrag doctor: what follows when the folder may not be written.
      part.meaning = .phrase("Nothing can be moved or removed from here.")
      // keydrag doctor: what to do when the folder may not be written.
      part.remedy = .phrase("Ask the owner for permission to write.")
      return
    }
    // keydrag doctor: what follows when there is no trash.
    part.meaning = .phrase("Removing from here can't be undone; you are asked first.")
    let home = context.shown(FolderProbe.homeTrash.string)
    if folder != "." {
      let own = FolderProbe.homeTrash.string
      part.repair = .person([["mkdir", "-p", own], ["chmod", "700", own]])
    }
    // keydrag doctor: what to do when there is no trash. %1$@ is a folder.
    part.remedy = .phrase("Make the folder %1$@.", home)
  }
}
