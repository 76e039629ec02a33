import KeyDragCore
import KeyDragFiles
import SystemPackage

extension DoctorProbe {
  /// The journal behind undo, redo and history.
  static let journal = DoctorProbe(
    id: "history", title: "History", isNeeded: { _ in true },
    run: { context in
      let phrases = context.phrases
      let facts = JournalProbe.look()
      var part = DoctorPart(
        id: "history", title: phrases.phrase("History"), state: .works, isNeeded: true)
      let file = context.shown(facts.file.string)
      if let trouble = facts.trouble {
        part.state = .missing
        part.meaning = phrases.phrase("What is done now can't be undone later.")
        describe(trouble, file, context, &part)
        return part
      }
      guard facts.exists else {
        part.found = phrases.phrase(
          "Nothing has been done yet. It will be kept in %1$@.", context.shown(facts.folder.string))
        return part
      }
      part.found = phrases.phrase(
        "%1$@: entries %2$@, %3$@ kilobytes, version %4$@.", file, String(facts.entries),
        String((facts.bytes + 999) / 1000), String(facts.schema))
      if facts.running > 0 {
        part.found += " " + phrases.phrase("Other runs at work: %1$@.", String(facts.running))
      }
      if facts.unfinished > 0 {
        part.meaning = phrases.phrase(
          "Runs that ended in the middle: %1$@.", String(facts.unfinished))
        part.remedy = phrases.phrase("keydrag history puts them right.")
      } else if facts.isOpenToOthers {
        part.meaning = phrases.phrase("Others may read it.")
        part.remedy = phrases.phrase("The next delivery closes it to them.")
      }
      return part
    })

  private static func describe(
    _ trouble: JournalFacts.Trouble, _ file: String, _ context: DoctorContext,
    _ part: inout DoctorPart
  ) {
    let phrases = context.phrases
    switch trouble {
    case .refused(let path, let reason):
      part.found = phrases.phrase(
        "%1$@ can't be used: %2$@.", context.shown(path.string), phrases.short(reason))
      part.remedy =
        context.environment["HOME"] == nil && context.environment["XDG_STATE_HOME"] == nil
        ? phrases.phrase("Set HOME to your home folder.")
        : phrases.phrase(
          "Make that folder your own, or set XDG_STATE_HOME to a folder that you may write.")
    case .locked:
      part.found = phrases.phrase("Another program holds %1$@.", file)
      part.remedy = phrases.phrase("End the other keydrag, or wait for it.")
    case .damaged:
      part.found = phrases.phrase("%1$@ is damaged.", file)
      part.remedy = phrases.phrase(
        "Move it away, and a new one is begun; what it held can't be undone any more.")
    case .newer:
      part.found = phrases.phrase("%1$@ was written by a newer keydrag.", file)
      part.remedy = phrases.phrase("Use the newer keydrag.")
    case .unknown:
      part.found = phrases.phrase("%1$@ can't be opened.", file)
      part.remedy = phrases.phrase("Move it away, and a new one is begun.")
    }
  }

  /// The trash for the home folder.
  static let homeTrash = DoctorProbe(id: "home-trash", title: "Trash for the home folder") {
    let title = $0.phrases.phrase("Trash for the home folder")
    guard let home = $0.environment["HOME"], home.hasPrefix("/") else {
      return DoctorPart(
        id: "home-trash", title: title, state: .missing,
        found: $0.phrases.phrase("HOME is not set."),
        remedy: $0.phrases.phrase("Set HOME to your home folder."))
    }
    return trash("home-trash", title, FilePath(home), $0)
  }

  /// The trash for the current folder.
  static let currentTrash = DoctorProbe(id: "trash-here", title: "Trash for this folder") {
    trash("trash-here", $0.phrases.phrase("Trash for this folder"), ".", $0)
  }

  private static func trash(
    _ id: String, _ title: String, _ folder: FilePath, _ context: DoctorContext
  ) -> DoctorPart {
    let phrases = context.phrases
    var part = DoctorPart(id: id, title: title, state: .works)
    guard let reason = TrashCan().canTrash(anythingIn: folder) else { return part }
    part.state = .missing
    part.found = phrases.phrase(
      "%1$@: %2$@.", folder == "." ? phrases.phrase("This folder") : context.shown(folder.string),
      phrases.short(reason))
    part.meaning =
      reason == .noTrash
      ? phrases.phrase("Removing from here can't be undone; you are asked first.")
      : phrases.phrase("Nothing can be moved or removed from here.")
    part.remedy =
      reason == .noTrash
      ? phrases.phrase("Make the folder %1$@.", context.shown(FolderProbe.homeTrash.string))
      : phrases.phrase("Ask the owner for permission to write.")
    return part
  }
}
