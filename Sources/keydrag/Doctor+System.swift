import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragThreads
import KeyDragTypes

extension DoctorProbe {
  /// Whether changes in the current folder are noticed.
  static let watching = DoctorProbe(
    id: "watching",
    // keydrag doctor: the name of a part: noticing changes that others make.
    title: .term(in: "part", "Watching folders"),
    run: { _, part in
      describe(watching: FolderProbe.watching("."), limit: WatchLimits.folders, &part)
    })

  /// - Parameters:
  ///   - reason: why the folder can't be watched.
  ///   - limit: how many folders may be.
  static func describe(watching reason: Reason?, limit: Int?, _ part: inout DoctorPart) {
    guard let reason else {
      guard let limit else { return }
      // keydrag doctor: how many folders can be watched for changes. %1$@ is the number.
      part.found = .plural("Up to %1$@ folder.", "Up to %1$@ folders.", limit)
      return
    }
    part.state = .missing
    // keydrag doctor: what follows when folders can't be watched.
    part.meaning = .phrase("Changes made by others are not heard.")
    switch reason {
    case .noSpace, .unknown:
      // keydrag doctor: no more folders can be watched for changes.
      part.found = .phrase("The limit of watched folders is reached.")
      part.mend(
        asAdministrator: "sysctl", "fs.inotify.max_user_watches=524288",
        "fs.inotify.max_user_instances=512")
    default:
      part.found = Wording { phrases in
        // keydrag doctor: changes in the folder in which the command was started can't be
        // followed. %1$@ is the reason, such as "not permitted".
        phrases.phrase("This folder can't be watched: %1$@.", phrases.short(reason))
      }
      // keydrag doctor: what to do when the folder can't be watched.
      part.remedy = .phrase("Start keydrag in a folder that you may read.")
    }
  }

  /// The database of content types.
  static let types = DoctorProbe(
    id: "types",
    // keydrag doctor: the name of a part: what a file is, such as a text or a picture.
    title: .term(in: "part", "File types"),
    run: { _, part in
      let types = SystemContentTypes()
      let png = types.type(forName: "a.png", head: nil)
      let isThere = png == "image/png" && types.conforms("text/vcard", to: "text/plain")
      if !isThere { describeNoTypes(&part) }
    })

  static func describeNoTypes(_ part: inout DoctorPart) {
    part.state = .missing
    // keydrag doctor: the system can't tell what a file is.
    part.found = .phrase("The database of file types is not found.")
    // keydrag doctor: what follows when the system can't tell what a file is.
    part.meaning = .phrase("Kinds of files are not named.")
    part.mend(asAdministrator: "apt", "install", "shared-mime-info")
  }

  static let printing = DoctorProbe(
    id: "printing",
    // keydrag doctor: the name of a part: printing on paper.
    title: .term(in: "part", "Printing"),
    run: { context, part in
      describe(printer: FolderProbe.printer().map { context.shown($0.string) }, &part)
    })

  /// - Parameter printer: the path of the printing program, as displayed.
  static func describe(printer: String?, _ part: inout DoctorPart) {
    if let printer {
      part.found = Wording { $0.closed(printer) }
      return
    }
    part.state = .absent
    // keydrag doctor: the program lp, which prints, is not installed.
    part.found = .phrase("There is no lp.")
    part.meaning = Wording { phrases in
      // keydrag doctor: what follows when one can't print. %1$@ is the name of a place, "Print".
      phrases.phrase("%1$@ is not among the places.", phrases.name(of: .print))
    }
    part.repair = .administrator(["apt", "install", "cups-client"])
    // keydrag doctor: what to do to be able to print. %1$@ is a command to type.
    part.remedy = .phrase("To print, as administrator: %1$@", "apt install cups-client")
  }

  /// The programs behind "Open with".
  static let programs = DoctorProbe(
    id: "programs",
    // keydrag doctor: the name of a part: opening files with another program.
    title: .term(in: "part", "Opening with a program"),
    run: { context, part in
      let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
        context.environment[$0]?.isEmpty == false
      }
      let known = ["text/plain", "application/pdf", "image/png", "text/html"].compactMap {
        SystemPrograms().defaultProgram(for: $0)?.name
      }
      var names: [String] = []
      for name in known where !names.contains(name) { names.append(name) }
      describe(programs: names, hasDisplay: hasDisplay, &part)
    })

  static func describe(programs names: [String], hasDisplay: Bool, _ part: inout DoctorPart) {
    if !names.isEmpty {
      part.found = Wording { $0.closed($0.list(names)) }
      return
    }
    part.state = .absent
    part.found = Wording { phrases in
      hasDisplay
        // keydrag doctor: no program opens such files.
        ? phrases.phrase("No program is set for texts, pictures or PDF documents.")
        // keydrag doctor: programs with windows can't be shown.
        : phrases.phrase("There is no display to show a program on.")
    }
    // keydrag doctor: what follows when no program can open files. "Open with" is the name of a
    // place, without the program.
    part.meaning = .phrase("Open with is not among the places.")
  }

  /// The abilities of the file system of the current folder.
  static let folder = DoctorProbe(
    id: "folder",
    // keydrag doctor: the name of a part: copies that take no time, because the disk shares the
    // contents. This folder: the one in which the command was started.
    title: .term(in: "part", "Instant copies in this folder"),
    run: { _, part in describe(FolderProbe.features(of: "."), &part) })

  static func describe(_ features: FolderFeatures, _ part: inout DoctorPart) {
    part.state = .absent
    switch features.clones {
    case true:
      part.state = .works
      // keydrag doctor: the disk shares the contents of copies.
      part.found = .phrase("Copies take no time and no space.")
    case false:
      // keydrag doctor: the disk can't share the contents of copies. It is the folder.
      part.found = .phrase("Its file system makes copies in full.")
    default:
      // keydrag doctor: nothing can be tried in this folder. It is the folder.
      part.found = .phrase("Its file system could not be tried.")
    }
    if features.attributes == false {
      // keydrag doctor: the disk can't keep extended attributes of files.
      part.meaning = .phrase("It keeps no extended attributes; copies say so.")
    }
  }
}

/// The kernel's limits on watching.
private enum WatchLimits {
  /// The most folders that one person may watch.
  static var folders: Int? {
    SystemFiles.text("/proc/sys/fs/inotify/max_user_watches", most: 32).flatMap {
      Int($0.prefix(while: \.isNumber))
    }
  }
}
