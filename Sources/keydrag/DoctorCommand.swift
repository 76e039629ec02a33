import ArgumentParser
import Dispatch
import Glibc
import KeyDragConfiguration
import KeyDragCore
import KeyDragRuntime
import KeyDragThreads

/// `keydrag doctor`: what works on this machine, and how to mend the rest.
struct DoctorCommand: BlockingSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: Words.phrases.phrase(
        // Help page: what keydrag doctor does. A part is a thing such as the voice or the terminal.
        "Try each part that KeyDrag uses, and say how to mend what does not work."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag doctor. The numbers and keydrag doctor --speech on stay as they are.
        "One line for each part. Nothing is changed. The exit status is 0 when all that is needed "
          + "works, and 69 when something needed does not. To hear it: keydrag doctor --speech on"))
  }

  @Flag(
    help: ArgumentHelp(
      // Help page of keydrag doctor: what an option does. JSON is a format.
      Words.phrases.phrase("Answer with one JSON object instead of lines.")))
  var json = false

  @OptionGroup var options: SharedOptions

  func perform() throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    let parts = DoctorRun(composition).parts()
    let status: ExitStatus = parts.contains(where: \.affectsExitStatus) ? .unavailable : .done
    if json {
      let isWritten = Descriptor.write(
        object(parts, status, composition.phrases), to: STDOUT_FILENO)
      return isWritten || status != .done ? status : .inputOutput
    }
    // Reported as parts of their own, with their remedies.
    composition.settings.fileProblems = []
    composition.settings.keyProblems = []
    let lines = try SpokenLines(composition)
    for part in parts { lines.add(id: "part") { part.line($0) } }
    lines.add(id: "summary") { Self.summary(parts, $0) }
    return lines.end(status)
  }

  private func object(
    _ parts: [DoctorPart], _ status: ExitStatus, _ phrases: Phrasebook
  ) -> [UInt8] {
    JSONLine([
      "version": KeyDragVersion.current, "status": status.rawValue,
      "parts": ArgumentValue.objects(parts.map { $0.object(phrases) }),
    ]).bytes
  }

  /// - Parameter isSetup: whether it ends `keydrag setup`, which has done what it can.
  static func summary(
    _ parts: [DoctorPart], _ phrases: Phrasebook, isSetup: Bool = false
  ) -> String {
    let broken = parts.filter(\.affectsExitStatus)
    if !broken.isEmpty {
      let canBeMended = broken.contains { $0.repair != nil }
      return phrases.join(
        // keydrag doctor: its last line. %1$@ is the names of parts, such as "Sound, Voice".
        phrases.phrase("To be mended: %1$@.", phrases.list(broken.map { $0.title(phrases) })),
        isSetup
          ? phrases.phrase("keydrag doctor says what to do.")
          : !canBeMended
            ? ""
            // keydrag doctor: its last line, after "To be mended: Voice." keydrag setup stays as it is.
            : phrases.phrase("keydrag setup does what it can of that, and asks before each step."))
    }
    // keydrag doctor: its last line, when all is well. %1$@ is the version of KeyDrag.
    return phrases.phrase("KeyDrag %1$@: all that is needed works.", KeyDragVersion.current)
  }
}

/// Runs all probes concurrently; a hung one does not block the others.
struct DoctorRun {
  /// The timeout of each part, in milliseconds: on a busy machine a working one is slow.
  private static let patience = 2_000
  let context: DoctorContext
  let probes: [DoctorProbe]

  init(_ composition: Composition) {
    let speech =
      composition.options.speech ?? SpeechOption(composition.settings.configuration.speech)
    context = DoctorContext(
      environment: composition.environment,
      wantsSpeech: speech == .on || composition.options.announce == .speech,
      wantsSilence: speech == .off || composition.options.announce == .text)
    probes = DoctorProbe.all(composition)
  }

  init(_ context: DoctorContext, _ probes: [DoctorProbe]) {
    self.context = context
    self.probes = probes
  }

  /// The findings, in the order of the probes.
  func parts() -> [DoctorPart] {
    let end = DispatchTime.now() + .milliseconds(Self.patience)
    let answers = probes.map { probe in (probe, start(probe)) }
    return answers.map { probe, answer in
      answer.value(until: end) ?? unanswered(probe)
    }
  }

  private func start(_ probe: DoctorProbe) -> BlockingResult<DoctorPart> {
    let answer = BlockingResult<DoctorPart>()
    let context = context
    // A queue each, so that a hung probe blocks no other.
    DispatchQueue(label: "keydrag.doctor").async { answer.give(probe.part(context)) }
    return answer
  }

  /// One part, probed again.
  func part(_ id: String) -> DoctorPart? {
    DoctorRun(context, probes.filter { $0.id == id }).parts().first
  }

  func unanswered(_ probe: DoctorProbe) -> DoctorPart {
    DoctorPart(
      id: probe.id, title: probe.title, state: .silent, isNeeded: probe.isNeeded(context),
      // keydrag doctor: a part hangs.
      found: .phrase("It was waited for two seconds."),
      // keydrag doctor: what to do about a part that hangs. keydrag doctor stays as it is.
      remedy: .phrase("Try keydrag doctor again; then restart the computer."))
  }
}

struct DoctorProbe: Sendable {
  var id: String
  var title: Wording
  var isNeeded: @Sendable (DoctorContext) -> Bool = { _ in false }
  /// Fills in what it finds; may block. A part works unless it says otherwise.
  var run: @Sendable (DoctorContext, inout DoctorPart) -> Void

  func part(_ context: DoctorContext) -> DoctorPart {
    var part = DoctorPart(id: id, title: title, isNeeded: isNeeded(context))
    run(context, &part)
    return part
  }

  /// The configuration file, if it has no mistakes and no keys, so that some can be appended.
  private static func keysFile(_ composition: Composition) -> String? {
    let settings = composition.settings
    guard settings.configuration.keys.isEmpty, settings.keyProblems.isEmpty,
      settings.fileProblems.isEmpty
    else { return nil }
    return composition.options.config ?? ConfigurationFile.defaultPath(composition.environment)
  }

  /// All parts, in the order of the report.
  static func all(_ composition: Composition) -> [DoctorProbe] {
    [
      terminal, voice(composition), sound, screenReader, desktop,
      desktopKeys(composition.settings.desktopChords.all, addedTo: keysFile(composition)), login,
      configuration(composition), keys(composition), journal, homeTrash, currentTrash, watching,
      types, printing, programs, folder,
    ]
  }
}
