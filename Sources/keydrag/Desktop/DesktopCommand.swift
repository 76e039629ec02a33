import ArgumentParser
import Glibc
import KeyDragApp
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragRuntime
import KeyDragX11

/// `keydrag desktop`: the agent that drags between running programs.
struct DesktopCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "desktop",
      // Help page: what keydrag desktop does.
      abstract: Words.phrases.phrase("Drag and drop between running programs, by keyboard."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag desktop. The names of keys are written as they are in your language.
        "Ctrl+Alt+Space picks up what is in focus. Ctrl+Alt+Shift+Space lists what was delivered, "
          + "with undo and quit."))
  }

  @OptionGroup var script: KeysOption

  @OptionGroup var options: SharedOptions

  func run() async throws {
    throw await DesktopRun(keys: script.keys, options: options).run().code
  }
}

/// One run of the agent.
private struct DesktopRun {
  var keys: String?
  var options: SharedOptions

  func run() async -> ExitStatus {
    do {
      return try await start()
    } catch {
      return report(error)
    }
  }

  private func start() async throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    composition.loadProfiles()
    let phrases = composition.phrases
    let words = try composition.scriptWords(keys)
    let windows = try DesktopParts.windows(composition.environment, phrases)
    let seat = try takeSeat(composition.environment, phrases)
    defer { withExtendedLifetime(seat) {} }
    let isInteractive = keys == nil
    var outputs = try composition.outputs(isInteractive: isInteractive)
    if isInteractive, options.transcript != "-" {
      outputs.text = TextStream(descriptor: STDOUT_FILENO)
    }
    let reader = composition.reader(isInteractive: isInteractive)
    outputs.announcer = reader
    let courier = JournaledCourier()
    courier.recover(waiting: !isInteractive)
    let files = composition.world(roots: [], courier: courier)
    let world = DesktopWorld(
      composition.desktopParts(windows: windows, files: files, courier: courier))
    let relay = DesktopKeyRelay(phrases: phrases)
    outputs.screen = DesktopView(world: world)
    let memory = RestingMemory()
    outputs.phases = { phase in
      relay.follow(phase)
      memory.follow(phase)
    }
    var settings = composition.settings.session
    settings.asksOnArrival = true
    settings.picksFocus = true
    settings.takenKeys = Set(DesktopKeys.standardStrokes)
    settings.finderKey = DesktopKeyRelay.finder
    relay.takeChords()
    settings.isPickUpTaken = relay.isPickUpTaken
    let others = OtherPrograms(named: "keydrag desktop", environment: composition.environment)
    let peers: (any World)? = others.world.map { NotedPeers($0, in: courier) }
    let joined = JoinedWorld([world] + [peers].compactMap(\.self))
    let session = Session(roots: [], keymap: composition.settings.keymap, settings: settings)
    let runner = Runner(
      session: session, world: joined, outputs: outputs, phrases: phrases, script: words,
      isScriptOpen: keys == "-")
    let signals = SignalRelay(send: runner.send)
    relay.connect(runner.send)
    world.onFocus { relay.passwordHasFocus($0) }
    if keys == "-" { ScriptReader.start(runner.send) }
    let problems = (composition.problems(in: phrases) + [others.problem].compactMap(\.self)).map {
      SessionInput.report(.problem($0))
    }
    reader?.settle(within: 0.5)
    let result = await runner.run([.start] + problems)
    relay.end()
    await joined.closed()
    signals.cancel()
    outputs.recorder?.finish(within: 120)
    await runner.finishSpeaking(
      within: isInteractive || relay.isDisplayLost ? 3 : 30, isTold: relay.isDisplayLost)
    var status = ExitStatus.of(result, isNothingThere: false, phrases)
    if relay.isDisplayLost, result.scriptError == nil { status = .unavailable }
    await runner.end(status: status.rawValue)
    return status
  }

  /// One agent for each display: two would both take the chords.
  private func takeSeat(
    _ environment: [String: String], _ phrases: Phrasebook
  ) throws(CommandError) -> DisplaySeat {
    let seat: DisplaySeat?
    do throws(XError) {
      seat = try DisplaySeat.take()
    } catch {
      throw DesktopParts.unavailable(error, environment, phrases)
    }
    guard let seat else {
      throw CommandError(
        // keydrag desktop was started a second time, and stays as it is.
        description: phrases.phrase("keydrag desktop runs already."), status: .unavailable)
    }
    return seat
  }
}
