import ArgumentParser
import Glibc
import KeyDragAccessibility
import KeyDragApp
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragRuntime
import KeyDragWayland

/// `keydrag desktop`: the agent that drags between running programs.
struct DesktopCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "desktop",
      // Help page: what keydrag desktop does.
      abstract: Words.phrases.phrase("Drag and drop between running programs, by keyboard."),
      discussion: Words.phrases.join(
        Words.phrases.phrase(
          // Help page of keydrag desktop. The names of keys are written as they are in your language.
          "Ctrl+Alt+Space picks up what is in focus. Ctrl+Alt+Shift+Space lists what was delivered, "
            + "with undo and quit."),
        // Help page of keydrag desktop, after the sentences about its keys.
        Words.phrases.phrase("A program with an open menu may keep these keys from KeyDrag.")))
  }

  @OptionGroup var script: KeysOption

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      // Help page of keydrag desktop: what an option does, and its opposite.
      Words.phrases.phrase("Start whenever you log in, or not any more.")))
  var autostart: Bool?

  /// Whether a desktop started it and records its output; ``AutostartEntry`` sets it.
  @Flag(help: .hidden) var captured = false

  @OptionGroup var options: SharedOptions

  func validate() throws {
    if autostart != nil, script.keys != nil {
      throw ValidationError(
        // A mistake on the command line of keydrag desktop. The options stay as they are.
        Words.phrases.phrase("Give --autostart or --no-autostart without --keys."))
    }
  }

  func perform() async throws(CommandError) -> ExitStatus {
    if let autostart { return try startAtLogin(autostart) }
    return try await DesktopRun(keys: script.keys, options: options, isCaptured: captured).run()
  }

  private func startAtLogin(_ isOn: Bool) throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let login = AutostartEntry(composition.environment)
    guard let path = login.path else {
      throw CommandError(
        description: composition.phrases.phrase("Set HOME to your home folder."),
        status: .unavailable)
    }
    do throws(Reason) {
      if isOn {
        try login.turnOn(comment: Self.configuration.abstract)
      } else {
        try login.turnOff()
      }
    } catch {
      throw .file(path, error, as: .file, composition.phrases)
    }
    if let sway = SwayStart(composition.environment) {
      do throws(Reason) {
        if isOn {
          try sway.turnOn(program: AutostartEntry.ownPath())
        } else {
          try sway.turnOff()
        }
      } catch {
        throw .file(sway.path, error, as: .file, composition.phrases)
      }
    }
    let lines = try SpokenLines(composition)
    lines.add(id: "autostart") { phrases in
      isOn
        // After keydrag desktop --autostart. keydrag desktop stays as it is.
        ? phrases.phrase("keydrag desktop starts whenever you log in.")
        // After keydrag desktop --no-autostart. keydrag desktop stays as it is.
        : phrases.phrase("keydrag desktop does not start when you log in.")
    }
    return lines.end(.done)
  }
}

private struct DesktopRun {
  var keys: String?
  var options: SharedOptions
  var isCaptured: Bool

  func run() async throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    composition.loadProfiles()
    let phrases = composition.phrases
    let words = try composition.scriptWords(keys)
    let displays = try DesktopParts.displays(composition.environment, phrases)
    let seats = try takeSeats(on: displays, composition.environment, phrases)
    defer { withExtendedLifetime(seats) {} }
    // Before anything starts the launcher of the accessibility bus: running Qt programs query it
    // once, when it appears.
    let activation = AccessibilityActivation(environment: composition.environment)
    _ = await activation.begin()
    do throws(CommandError) {
      let status = try await run(composition, words, displays)
      await activation.end()
      return status
    } catch {
      await activation.end()
      throw error
    }
  }

  private func run(
    _ composition: Composition, _ words: [ScriptWord]?, _ displays: [any Display]
  ) async throws(CommandError) -> ExitStatus {
    let nativeWindows = DesktopParts.nativeWindows(composition.environment)
    var worded = composition.phrases
    worded.compositor = WaylandSession.find(composition.environment)?.compositor
    let phrases = worded
    let isInteractive = keys == nil
    let reader = composition.reader(isInteractive: isInteractive)
    let unreached = composition.unreached(reader, isInteractive: isInteractive)
    var outputs = try composition.outputs(
      isInteractive: isInteractive, isReaderUnreached: unreached != nil)
    if isInteractive, options.transcript != "-" {
      outputs.text = TextStream(descriptor: STDOUT_FILENO)
    }
    if outputs.text != nil,
      let log = AgentLog(isCaptured: isCaptured, environment: composition.environment)
    {
      outputs.text = nil
      outputs.listener = { announcement, _ in log.write(announcement, phrases) }
    }
    outputs.announcer = reader
    let courier = composition.courier()
    courier.recover(waiting: !isInteractive)
    let files = composition.world(roots: [], courier: courier)
    var parts = composition.desktopParts(displays: displays, files: files, courier: courier)
    parts.phrases = phrases
    let world = DesktopWorld(parts)
    reader?.followKeys()
    // Modifiers are never grabbed, so a screen reader sees them.
    let chords = composition.settings.desktopChords
    let relay = DesktopKeyRelay(
      phrases: phrases, chords: chords, followsKeyboards: nativeWindows != nil
    ) { [weak reader] stroke in
      reader?.keyTaken(isSeen: !stroke.modifiers.isEmpty)
    }
    outputs.screen = DesktopView(world: world, displays: displays)
    let memory = IdleMemoryTrimmer()
    outputs.phases = { phase in
      relay.follow(phase)
      memory.follow(phase)
    }
    var settings = composition.settings.session
    settings.hasHome = false
    settings.picksFocus = true
    settings.pickUpChord = chords.pickUp
    settings.deliveriesChord = chords[.deliveries].first
    settings.takenKeys = Set(DesktopChords.walk)
    settings.finderKey = DesktopKeyRelay.finder
    relay.takeChords(on: displays)
    settings.isPickUpTaken = relay.isPickUpTaken
    let others = PeerPrograms(
      named: "keydrag desktop", environment: composition.environment, phrases: phrases,
      recording: PeerHistory(in: courier).record)
    let joined = CompositeWorld([world] + [others.world].compactMap(\.self))
    let session = Session(roots: [], keymap: composition.settings.keymap, settings: settings)
    let runner = Runner(
      session: session, world: joined, outputs: outputs, phrases: phrases, script: words,
      isScriptOpen: keys == "-")
    let signals = SignalRelay(send: runner.send)
    relay.connect(wasPickUpTaken: session.settings.isPickUpTaken, runner.send)
    world.onFocus { relay.passwordHasFocus($0) }
    if keys == "-" { ScriptReader.start(runner.send) }
    let problems =
      (composition.problems(in: phrases)
      + [unreached, others.problem, nativeWindows].compactMap(\.self))
      .map { SessionInput.report(.problem($0)) }
    reader?.settle(within: 0.5)
    let result = await runner.run([.start] + problems)
    relay.end()
    await joined.closed()
    signals.cancel()
    await runner.finishRecording()
    await runner.finishSpeaking(
      within: isInteractive || relay.isDisplayLost ? 3 : 30, isTold: relay.isDisplayLost)
    var status = ExitStatus.of(result, isNothingThere: false, phrases)
    if relay.isDisplayLost, result.scriptError == nil { status = .unavailable }
    await runner.end(status: status.rawValue)
    return status
  }

  /// One agent for each display: two would both grab the chords.
  private func takeSeats(
    on displays: [any Display], _ environment: [String: String], _ phrases: Phrasebook
  ) throws(CommandError) -> [AnyObject] {
    var seats: [AnyObject] = []
    do throws(Reason) {
      for display in displays { if let seat = try display.takeSeat() { seats.append(seat) } }
    } catch {
      throw DesktopParts.unavailable(error, environment, phrases)
    }
    guard seats.count == displays.count else {
      throw CommandError(
        // keydrag desktop was started a second time, and stays as it is.
        description: phrases.phrase("keydrag desktop runs already."), status: .unavailable)
    }
    return seats
  }
}
