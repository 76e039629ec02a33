import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragTypes
import KeyDragWayland

/// Access to running programs.
enum DesktopParts {
  /// The displays, for a command that needs one.
  static func displays(
    _ environment: [String: String], _ phrases: Phrasebook
  ) throws(CommandError) -> [any Display] {
    do throws(Reason) {
      return try Displays.connect(environment)
    } catch {
      throw unavailable(error, environment, phrases)
    }
  }

  /// The error of a command that needs the display: what is missing, and what still works.
  static func unavailable(
    _ error: Reason, _ environment: [String: String], _ phrases: Phrasebook
  ) -> CommandError {
    CommandError(
      description: phrases.join(
        phrases.problemText(.noDisplay), absence(error, environment, phrases),
        remainder(environment, phrases)), status: .unavailable)
  }

  /// The reason why the display can't be reached.
  static func absence(
    _ error: Reason, _ environment: [String: String], _ phrases: Phrasebook
  ) -> String {
    let display = SpokenName.clean(environment["DISPLAY"] ?? "")
    if error == .notResponding { return silence(of: [display], phrases) }
    guard !display.isEmpty else {
      // There are no windows to be reached. DISPLAY stays as it is.
      return phrases.phrase("There is no X server: DISPLAY is not set.")
    }
    // There are no windows to be reached. %1$@ is the name of a display, such as ":0".
    return phrases.phrase("There is no X server at %1$@.", display)
  }

  /// The sentence on what works without windows.
  static func remainder(_ environment: [String: String], _ phrases: Phrasebook) -> String {
    let unreached = nativeWindows(environment).map { phrases.problemParts($0).what }
    return phrases.join(
      unreached ?? "",
      // What works without windows. keydrag files stays as it is.
      phrases.phrase("keydrag files works all the same."))
  }

  /// The problem of native windows in a Wayland session; `nil` in any other.
  static func nativeWindows(_ environment: [String: String]) -> Problem? {
    WaylandSession.find(environment).map { .nativeWindows(compositor: $0.compositor) }
  }

  /// The sentence on displays that did not answer the last request; otherwise empty.
  static func silence(of displays: [any Display], _ phrases: Phrasebook) -> String {
    let silent = displays.filter(\.isSilent).map { SpokenName.clean($0.name) }
    return silent.isEmpty ? "" : silence(of: silent, phrases)
  }

  /// The sentence on anything that does not answer.
  static func silence(of names: [String], _ phrases: Phrasebook) -> String {
    // What does not answer: %1$@ is one or more names of programs that hang, or the name of a
    // display, such as ":0".
    phrases.phrase("No answer from %1$@.", phrases.list(names))
  }
}

extension Composition {
  /// The adapters for running programs. A missing one is `nil`, and is reported when it is needed.
  func desktopParts(
    displays: [any Display], files: FilesWorld, courier: JournaledCourier,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> DesktopAdapters {
    let programs = displays.isEmpty ? nil : ProgramReader(environment: environment)
    let goods = FilePayload(world: files, courier: courier, folder: temporaryFolder)
    var parts = DesktopAdapters(
      sources: files, goods: goods, finder: goods, programs: programs,
      displays: displays, profiles: profiles,
      types: SystemContentTypes(phrases: phrases), phrases: phrases, ownProcess: getpid(),
      clock: clock)
    parts.commands = programs
    parts.history = courier.foreignDrops
    return parts
  }
}
