import Dispatch
import KeyDragAccessibility
import KeyDragCore
import KeyDragX11

extension DoctorProbe {
  /// How long windows and programs are waited for, in milliseconds.
  private static let patience = 400

  /// The windows of running programs, and what is in them.
  static let desktop = DoctorProbe(
    id: "desktop",
    title: { phrases in
      // keydrag doctor: the name of a part: the windows of other programs.
      phrases.term(in: "part", "Running programs")
    },
    run: { context, part in
      // Both are asked at once: one after the other they could take longer than this part may.
      let end = DispatchTime.now() + .milliseconds(patience)
      let reader = ProgramReader(environment: context.environment)
      let told = LateAnswer<[ProgramFacts]?>()
      reader.programs { told.give($0) }
      let windows: DisplayWindows
      do throws(XError) {
        windows = try DesktopParts.windows(
          context.environment, within: .milliseconds(patience))
      } catch {
        return describeNoDisplay(context, error, &part)
      }
      let shown = LateAnswer<[WindowFacts]?>()
      windows.windows { shown.give($0) }
      guard let found = shown.value(until: end) ?? nil else {
        return describeNoDisplay(context, .noAnswer, &part)
      }
      guard let programs = told.value(until: end) ?? nil else { return describeNoTree(&part) }
      describe(found, programs, &part)
    })

  static func describe(
    _ windows: [WindowFacts], _ programs: [ProgramFacts], _ part: inout DoctorPart
  ) {
    let hung = Set(programs.filter { !$0.isResponding }.compactMap(\.processID))
    let silent = Set(
      windows.filter { window in window.processID.map(hung.contains) ?? false }.map(\.className))
    part.found = { phrases in
      phrases.join(
        phrases.plural(
          // keydrag doctor: %1$@ is how many windows of other programs are there.
          "%1$@ window can be reached.", "%1$@ windows can be reached.", windows.count),
        silent.isEmpty
          ? ""
          // keydrag doctor: %1$@ is one or more names of programs that hang.
          : phrases.phrase("No answer from %1$@.", phrases.list(silent.sorted())))
    }
  }

  private static func describeNoDisplay(
    _ context: DoctorContext, _ error: XError, _ part: inout DoctorPart
  ) {
    part.state = error == .noAnswer ? .silent : .absent
    let environment = context.environment
    part.found = { DesktopParts.absence(error, environment, $0) }
    part.meaning = { DesktopParts.remainder(environment, $0) }
  }

  private static func describeNoTree(_ part: inout DoctorPart) {
    part.state = .missing
    // Where there are windows, what is in them is what this program is for.
    part.isNeeded = true
    part.found = { phrases in phrases.phrase("There is no accessibility bus.") }
    part.meaning = { phrases in
      // keydrag doctor: what follows where the service is missing that tells what is in windows.
      phrases.phrase("Windows are known by their titles only.")
    }
    part.remedy = { phrases in
      // keydrag doctor: what to do. at-spi2-core is a package.
      phrases.phrase("Install at-spi2-core and log in again.")
    }
  }
}
