import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragTypes
import SystemPackage

extension Composition {
  /// The folder for files that last as long as a drag.
  var temporaryFolder: FilePath {
    FilePath(environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp")
  }

  /// The windows of running programs, beside an app of its own; `nil` without a display. Connects
  /// later: a start waits for no display.
  func windowsBesideApp() -> WindowsWorld? {
    guard Displays.areNamed(environment) else { return nil }
    let (composition, folder) = (self, temporaryFolder)
    return WindowsWorld(
      make: { composition.windowParts() }, tidying: { ItemPayload.sweep(folder) })
  }

  /// `nil` if no display answers.
  private func windowParts(
    clock: any Clock<Duration> = ContinuousClock()
  ) -> WindowsWorld.Parts? {
    guard let displays = try? Displays.connect(environment) else { return nil }
    var composition = self
    composition.loadProfiles()
    let courier = courier()
    let goods = ItemPayload(
      types: SystemContentTypes(phrases: phrases), courier: courier, folder: temporaryFolder,
      clock: clock)
    var parts = composition.desktopParts(
      displays: displays, files: world(roots: [], courier: courier), courier: courier, clock: clock)
    // Nothing is picked up from windows there.
    (parts.goods, parts.finder) = (goods, nil)
    parts.ownWindow = Displays.ownWindow(environment)
    return WindowsWorld.Parts(desktop: DesktopWorld(parts), goods: goods)
  }
}
