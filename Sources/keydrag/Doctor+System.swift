import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragTypes

extension DoctorProbe {
  /// Whether changes in the current folder are noticed.
  static let watching = DoctorProbe(id: "watching", title: "Watching folders") { context in
    let phrases = context.phrases
    var part = DoctorPart(
      id: "watching", title: phrases.phrase("Watching folders"), state: .works)
    let limit = WatchLimits.folders
    guard let reason = FolderProbe.watching(".") else {
      part.found = limit.map { phrases.phrase("Up to %1$@ folders.", $0) } ?? ""
      return part
    }
    part.state = .missing
    part.meaning = phrases.phrase("Changes made by others are not heard.")
    switch reason {
    case .noSpace, .unknown:
      part.found = phrases.phrase("The limit of watched folders is reached.")
      part.remedy = phrases.phrase(
        """
        As administrator: sysctl fs.inotify.max_user_watches=524288 \
        fs.inotify.max_user_instances=512
        """)
    default:
      part.found = phrases.phrase("This folder can't be watched: %1$@.", phrases.short(reason))
      part.remedy = phrases.phrase("Start keydrag in a folder that you may read.")
    }
    return part
  }

  /// The database that tells what a file is.
  static let types = DoctorProbe(id: "types", title: "File types") { context in
    let phrases = context.phrases
    var part = DoctorPart(id: "types", title: phrases.phrase("File types"), state: .works)
    let types = SystemContentTypes()
    let png = types.type(forName: "a.png", head: nil)
    if png == "image/png", types.conforms("text/vcard", to: "text/plain") { return part }
    part.state = .missing
    part.found = phrases.phrase("The database of file types is not found.")
    part.meaning = phrases.phrase("Kinds of files are not named.")
    part.remedy = phrases.phrase("As administrator: apt install shared-mime-info")
    return part
  }

  /// The program that prints.
  static let printing = DoctorProbe(id: "printing", title: "Printing") { context in
    let phrases = context.phrases
    var part = DoctorPart(id: "printing", title: phrases.phrase("Printing"), state: .works)
    if let printer = FolderProbe.printer() {
      part.found = phrases.phrase("%1$@.", context.shown(printer.string))
      return part
    }
    part.state = .absent
    part.found = phrases.phrase("There is no lp.")
    part.meaning = phrases.phrase("Print is not among the places.")
    part.remedy = phrases.phrase("To print, as administrator: apt install cups-client")
    return part
  }

  /// The programs behind "Open with".
  static let programs = DoctorProbe(id: "programs", title: "Opening with a program") { context in
    let phrases = context.phrases
    var part = DoctorPart(
      id: "programs", title: phrases.phrase("Opening with a program"), state: .works)
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      context.environment[$0]?.isEmpty == false
    }
    let known = ["text/plain", "application/pdf", "image/png", "text/html"].compactMap {
      SystemPrograms().defaultProgram(for: $0)?.name
    }
    var names: [String] = []
    for name in known where !names.contains(name) { names.append(name) }
    if !names.isEmpty {
      part.found = phrases.list(names) + "."
      return part
    }
    part.state = .absent
    part.found =
      hasDisplay
      ? phrases.phrase("No program is set for texts, pictures or PDF documents.")
      : phrases.phrase("There is no display to show a program on.")
    part.meaning = phrases.phrase("Open with is not among the places.")
    return part
  }

  /// What the file system of the current folder can do.
  static let folder = DoctorProbe(id: "folder", title: "Instant copies in this folder") { context in
    let phrases = context.phrases
    var part = DoctorPart(
      id: "folder", title: phrases.phrase("Instant copies in this folder"), state: .absent)
    let features = FolderProbe.features(of: ".")
    switch features.clones {
    case true:
      part.state = .works
      part.found = phrases.phrase("Copies take no time and no space.")
    case false: part.found = phrases.phrase("Its file system makes copies in full.")
    default: part.found = phrases.phrase("Its file system could not be tried.")
    }
    if features.attributes == false {
      part.meaning = phrases.phrase("It keeps no extended attributes; copies say so.")
    }
    return part
  }
}

/// The kernel's limits on watching, as it tells them.
private enum WatchLimits {
  /// How many folders one person may watch.
  static var folders: String? {
    let file = open("/proc/sys/fs/inotify/max_user_watches", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(file, &bytes, bytes.count)
    let digits = bytes.prefix(max(count, 0)).prefix { (0x30...0x39).contains($0) }
    return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
  }
}
