import Dispatch
import KeyDragAccessibility
import KeyDragCore
import KeyDragThreads
import KeyDragWayland

extension DoctorProbe {
  /// The timeout for windows and programs, in milliseconds.
  private static let patience = 400

  /// The windows of running programs, and what is in them.
  static let desktop = DoctorProbe(
    id: "desktop",
    // keydrag doctor: the name of a part: the windows of other programs.
    title: .term(in: "part", "Running programs"),
    run: { context, part in
      // Concurrently: one after the other could take longer than this part may.
      let end = DispatchTime.now() + .milliseconds(patience)
      let reader = ProgramReader(environment: context.environment)
      let told = BlockingResult<[ProgramFacts]?>()
      Task.immediate { told.give(await reader.programs()) }
      let displays: [any Display]
      do throws(Reason) {
        displays = try Displays.connect(context.environment, within: .milliseconds(patience))
      } catch {
        return describeNoDisplay(context, error, &part)
      }
      let shown = BlockingResult<[WindowFacts]?>()
      Task.immediate { shown.give(await displays.windows()) }
      guard let found = shown.value(until: end) ?? nil else {
        return describeNoDisplay(context, .notResponding, &part)
      }
      if let programs = told.value(until: end) ?? nil {
        describe(found, programs, &part)
      } else {
        describeNoTree(&part)
      }
      if let problem = DesktopParts.nativeWindows(context.environment) {
        describe(unreached: problem, isReached: !found.isEmpty, &part)
      }
    })

  /// In a Wayland session: the reachable windows, and the means of making others so.
  static func describe(unreached problem: Problem, isReached: Bool, _ part: inout DoctorPart) {
    if part.state != .missing { part.state = isReached ? .partly : .missing }
    part.isNeeded = true
    let (meaning, remedy) = (part.meaning, part.remedy)
    part.meaning = Wording { $0.join(meaning($0), $0.problemParts(problem).what) }
    part.remedy = Wording { $0.join(remedy($0), $0.problemParts(problem).remedy) }
  }

  static func describe(
    _ windows: [WindowFacts], _ programs: [ProgramFacts], _ part: inout DoctorPart
  ) {
    describeUntold(windows, programs, &part)
    let untold = part.found
    let hung = Set(programs.filter { !$0.isResponding }.compactMap(\.processID))
    let silent = Set(
      windows.filter { window in window.processID.map(hung.contains) ?? false }.map(\.className))
    part.found = Wording { phrases in
      phrases.join(
        phrases.plural(
          // keydrag doctor: %1$@ is how many windows of other programs are there.
          "%1$@ window can be reached.", "%1$@ windows can be reached.", windows.count),
        silent.isEmpty
          ? ""
          // keydrag doctor: %1$@ is one or more names of programs that hang.
          : phrases.phrase("No answer from %1$@.", phrases.list(silent.sorted())),
        untold(phrases))
    }
  }

  /// Programs whose windows are known by their titles only.
  private static func describeUntold(
    _ windows: [WindowFacts], _ programs: [ProgramFacts], _ part: inout DoctorPart
  ) {
    var names: [String] = []
    for window in OpaqueWindows.of(windows, programs) {
      let name = window.className.isEmpty ? window.title : window.className
      if !names.contains(name) { names.append(name) }
    }
    guard !names.isEmpty else { return }
    let silent = names
    part.state = .partly
    part.found = Wording { phrases in
      // keydrag doctor: %1$@ is one or more names of programs of which only the titles of their windows
      // are known.
      phrases.phrase("Nothing is told of what is in windows of %1$@.", phrases.list(silent))
    }
    part.remedy = Wording { phrases in
      // keydrag doctor: what to do where a program tells nothing of what is in its windows. %1$@ is one
      // or more names of programs; keydrag desktop stays as it is.
      phrases.phrase("Start %1$@ again while keydrag desktop runs.", phrases.list(silent))
    }
  }

  private static func describeNoDisplay(
    _ context: DoctorContext, _ error: Reason, _ part: inout DoctorPart
  ) {
    part.state = error == .notResponding ? .silent : .absent
    let environment = context.environment
    part.found = Wording { DesktopParts.absence(error, environment, $0) }
    part.meaning = Wording { DesktopParts.remainder(environment, $0) }
    guard DesktopParts.nativeWindows(environment) != nil else { return }
    // There are windows, but none is reachable.
    part.isNeeded = true
    guard error != .notResponding else { return }
    describeNoXWayland(environment, &part)
  }

  /// In a Wayland session without a server for X11 programs.
  static func describeNoXWayland(_ environment: [String: String], _ part: inout DoctorPart) {
    part.state = .missing
    guard !WaylandSession.hasXWayland(environment) else { return }
    part.mend(asAdministrator: "apt", "install", "xwayland")
  }

  private static func describeNoTree(_ part: inout DoctorPart) {
    part.state = .missing
    // Needed wherever there are windows: reaching into them is the purpose of this program.
    part.isNeeded = true
    part.found = .phrase("There is no accessibility bus.")
    // keydrag doctor: what follows where the service is missing that tells what is in windows.
    part.meaning = .phrase("Windows are known by their titles only.")
    part.repair = .administrator(["apt", "install", "at-spi2-core"])
    // keydrag doctor: what to do. at-spi2-core is a package.
    part.remedy = .phrase("Install at-spi2-core and log in again.")
  }
}
