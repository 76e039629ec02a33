import Glibc
import KeyDragAccessibility
import KeyDragConfiguration
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragTypes
import KeyDragX11
import SystemPackage

extension Composition {
  /// The folder for files that last as long as a drag.
  var temporaryFolder: FilePath {
    FilePath(environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp")
  }

  /// The windows of running programs, beside an app of its own; `nil` without a display. Connects
  /// later: a start waits for no display.
  func windowsBesideApp() -> WindowsWorld? {
    guard environment["DISPLAY"]?.isEmpty == false else { return nil }
    let (environment, phrases, courier) = (environment, phrases, courier)
    let folder = temporaryFolder
    return WindowsWorld(
      make: { WindowsWorld.Parts(environment, phrases, folder, courier()) },
      tidying: { ItemPayload.sweep(folder) })
  }
}

extension WindowsWorld.Parts {
  /// Connects to the desktop; `nil` if none answers.
  ///
  /// - Parameter folder: for temporary files.
  fileprivate init?(
    _ environment: [String: String], _ phrases: Phrasebook, _ folder: FilePath,
    _ courier: JournaledCourier,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    guard let windows = try? DesktopParts.windows(environment) else { return nil }
    let types = SystemContentTypes(phrases: phrases)
    let files = FilesWorld(
      roots: [], types: types, programs: SystemPrograms(), delivering: courier, phrases: phrases,
      canTrash: { courier.canTrash($0) })
    let goods = ItemPayload(types: types, courier: courier, folder: folder, clock: clock)
    let programs = ProgramReader(environment: environment)
    var parts = DesktopAdapters(
      sources: files, goods: goods, programs: programs, windows: windows, drags: XDragFactory(),
      profiles: ProfileFile.load(environment: environment).profiles, types: types,
      phrases: phrases, ownProcess: getpid(), clock: clock)
    parts.commands = programs
    parts.history = courier.foreignDrops
    parts.clipboard = ClipboardCoordinator(holder: .own)
    parts.ownWindow = environment["WINDOWID"].flatMap { UInt32($0) }.map { WindowID($0) }
    self.init(desktop: DesktopWorld(parts), goods: goods)
  }
}
