import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragX11

extension Composition {
  /// What reaches running programs here. A part that is missing is `nil`, and is said when it is
  /// needed.
  func desktopParts(files: FilesWorld, courier: JournaledCourier) -> DesktopWorld.Parts {
    let display = environment["DISPLAY"] ?? ""
    // Without a name the library would try the first display of the machine, whoever owns it.
    let windows: DisplayWindows? = display.isEmpty ? nil : try? DisplayWindows()
    let programs: (any ProgramReading)? =
      windows == nil ? nil : ProgramReader(environment: environment)
    let drags: (any DragMaking)? = windows == nil ? nil : XDragMaker()
    return DesktopWorld.Parts(
      sources: files, goods: FileGoods(world: files, courier: courier), programs: programs,
      windows: windows, drags: drags, profiles: [], phrases: phrases, ownProcess: getpid())
  }
}
