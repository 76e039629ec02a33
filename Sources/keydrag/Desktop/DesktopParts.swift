import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragTypes
import KeyDragX11

/// What reaches running programs.
enum DesktopParts {
  /// The windows of the display; `nil` when there is none that answers.
  static func windows(_ environment: [String: String]) -> DisplayWindows? {
    // Without a name the library would try the first display of the machine, whoever owns it.
    guard environment["DISPLAY"]?.isEmpty == false else { return nil }
    return try? DisplayWindows()
  }
}

extension Composition {
  /// What reaches running programs here. A part that is missing is `nil`, and is said when it is
  /// needed.
  ///
  /// - Parameter windows: the display's, as ``DesktopParts/windows(_:)`` gives them.
  func desktopParts(
    windows: DisplayWindows?, files: FilesWorld, courier: JournaledCourier
  ) -> DesktopWorld.Parts {
    let programs: (any ProgramReading)? =
      windows == nil ? nil : ProgramReader(environment: environment)
    let drags: (any DragMaking)? = windows == nil ? nil : XDragMaker()
    let goods = FileGoods(world: files, courier: courier)
    return DesktopWorld.Parts(
      sources: files, goods: goods, finder: goods, programs: programs,
      windows: windows, drags: drags, profiles: profiles,
      types: SystemContentTypes(phrases: phrases), phrases: phrases, ownProcess: getpid())
  }
}
