import ArgumentParser
import ContactsSample
import Glibc
import ImageSample
import KeyDrag
import KeyDragApp
import KeyDragFiles
import KeyDragPictures
import KeyDragThreads
import KeyDragTypes
import NotesSample
import PlacesSample
import SystemPackage

enum SampleName: String, ExpressibleByArgument, CaseIterable {
  case contacts, image, notes, places
}

/// `keydrag sample`: programs that adopt drag and drop, small enough to read.
struct SampleCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "sample",
      // Help page: what keydrag sample does. The samples are lists of contacts, lists of places, and
      // an image.
      abstract: Words.phrases.phrase("Try drag and drop in a small program, by keyboard."),
      discussion: Words.phrases.phrase(
        "Space picks up, Tab walks the places, Enter drops, Escape cancels, ? is help."))
  }

  @Argument(
    help: ArgumentHelp(
      // Help page of keydrag sample. contacts, image, notes and places stay as they are.
      Words.phrases.phrase("The program: contacts, image, notes or places."),
      // Help page, in angle brackets: what is to be typed, the name of a program.
      valueName: Words.phrases.term(in: "to be typed", "program")))
  var sample: SampleName

  @Argument(
    help: ArgumentHelp(
      // Help page of keydrag sample: what can be named. A program begins with a file of contacts or
      // an image; things can be dragged to it from the folders.
      Words.phrases.phrase("A file to begin with, and folders to drag from."),
      // Help page, in angle brackets: what is to be typed, the names of files.
      valueName: Words.phrases.term(in: "to be typed", "files")), completion: .file())
  var paths: [String] = []

  // Help page of keydrag sample: what an option does.
  @Flag(help: ArgumentHelp(Words.phrases.phrase("Lists of places take several texts at once.")))
  var several = false

  @OptionGroup var script: KeysOption

  @OptionGroup var options: SharedOptions

  func perform() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let phrases = composition.phrases
    var folders: [FilePath] = []
    var file: String?
    for path in paths {
      if Self.isFolder(path) {
        folders.append(try await FolderArgument.checked(path, isRead: true, phrases))
      } else {
        try await FileArgument.require([path], phrases)
        file = file ?? path
      }
    }
    let (host, leftOut) = try host(file, SystemContentTypes(phrases: phrases), phrases)
    var run = try composition.appRun(keys: script.keys)
    if let file, !leftOut.isEmpty {
      run.problems.append(.leftOut(leftOut.map { Self.failure($0, in: Self.name(file)) }))
    }
    let courier = composition.courier()
    let files = composition.world(roots: folders, courier: courier)
    // Without a folder Undo would take back what was done elsewhere.
    var others: [(any World, [ContainerDescriptor])] =
      folders.isEmpty ? [] : [(files, files.roots)]
    if let windows = composition.windowsBesideApp() {
      others.append((windows, []))
      run.settings.reachesWindows = true
    }
    let code = await run.run(
      host, named: "keydrag sample " + sample.rawValue, beside: others,
      environment: composition.environment
    ) { ExitStatus.of($0, isNothingThere: $1, phrases).rawValue }
    return ExitStatus(rawValue: code) ?? .internalError
  }

  private static func isFolder(_ path: String) -> Bool {
    var information = stat()
    return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
  }

  private func host(
    _ file: String?, _ types: SystemContentTypes, _ phrases: Phrasebook
  ) throws(CommandError) -> (DragHost, leftOut: [UnreadPart]) {
    do {
      switch sample {
      case .places:
        return (PlacesSample(several: several, types: types, phrases: phrases).host, [])
      case .notes: return (NotesSample(types: types, phrases: phrases).host, [])
      case .contacts:
        let sample = try ContactsSample(file: file.map(Self.read), types: types, phrases: phrases)
        return (sample.host, sample.leftOut)
      case .image:
        let sample = try ImageSample(
          file: file.map { (Self.name($0), try Self.read($0)) }, pictures: PixbufPictures(),
          types: types, phrases: phrases)
        return (sample.host, [])
      }
    } catch {
      throw CommandError.file(file ?? "", error as? Reason ?? .unknown, as: .file, phrases)
    }
  }

  /// A part by its name, or by the file's name and its number.
  private static func failure(_ part: UnreadPart, in file: String) -> DeliveryFailure {
    DeliveryFailure(
      name: part.name.isEmpty ? "\(file) (\(part.number))" : SpokenName.clean(part.name),
      reason: part.reason)
  }

  private static func name(_ path: String) -> String {
    SpokenName.clean(path.split(separator: "/").last.map(String.init) ?? path)
  }

  /// The bytes of a sample's initial file. A device or an endless file is refused as `specialFile`,
  /// a file beyond `ItemProvider.longestLoad` bytes as `tooBig`.
  private static func read(_ path: String) throws(Reason) -> [UInt8] {
    let most = Int(ItemProvider.longestLoad)
    guard let bytes = SystemFiles.bytes(path, most: most + 1) else {
      throw [EISDIR, ENXIO].contains(errno) ? .specialFile : Reason(errno: errno)
    }
    guard bytes.count <= most else { throw .tooBig }
    return bytes
  }
}
