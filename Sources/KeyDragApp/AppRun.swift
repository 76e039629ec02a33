import KeyDrag
import KeyDragAccessibility
import KeyDragCore
import KeyDragPeer
import KeyDragRuntime
import KeyDragTerminal

/// One run of a session: the source of its keys, the channels of its messages, and its end.
package struct AppRun: Sendable {
  package enum Keys: Sendable {
    /// A person at a terminal; the relay buffers keys until there is a session.
    case terminal(Terminal, TerminalRelay)
    case script([ScriptWord])
    /// A script that is read from standard input as it arrives.
    case stream
  }

  /// Gives the exit status of a run that has ended.
  ///
  /// The flag says that none of its containers could be listed.
  package typealias Status = @Sendable (RunResult, _ isNothingThere: Bool) -> Int32

  package var keys: Keys
  package var outputs: Outputs
  package var reader: ScreenReader?
  package var phrases: Phrasebook
  package var keymap = Keymap.standard
  package var settings = Session.Settings()
  /// The mistakes in the settings, reported once at the start.
  package var problems: [Problem] = []

  /// - Parameter outputs: without the terminal and the reader, which are added here.
  package init(
    keys: Keys, outputs: Outputs, reader: ScreenReader?, phrases: Phrasebook
  ) {
    self.keys = keys
    self.outputs = outputs
    self.reader = reader
    self.phrases = phrases
    self.outputs.announcer = reader
    if case .terminal(let terminal, _) = keys {
      if terminal.hasScreen {
        self.outputs.screen = TerminalScreen(terminal)
      } else {
        self.outputs.text = TerminalLines(terminal: terminal)
      }
    }
  }

  private var isInteractive: Bool {
    if case .terminal = keys { true } else { false }
  }

  /// Runs a session over a world, to its end.
  ///
  /// - Returns: the result of `status`, which is also the transcript's last line.
  package func run(
    _ world: any World, roots: [ContainerDescriptor], status: Status
  ) async -> Int32 {
    var settings = settings
    settings.asksPerson = isInteractive
    let session = Session(roots: roots, keymap: keymap, settings: settings)
    let runner = runner(session, world)
    var inputs: [SessionInput] = []
    var signals: SignalRelay?
    switch keys {
    case .terminal(let terminal, let relay):
      relay.connect(runner)
      inputs.append(.resized(rows: max(terminal.size.rows - 4, 1)))
    case .script: signals = SignalRelay(send: runner.send)
    case .stream:
      signals = SignalRelay(send: runner.send)
      ScriptReader.start(runner.send)
    }
    inputs.append(.start)
    inputs += problems.map { .report(.problem($0)) }
    // Settled first, so that the first message takes the same route as the others.
    reader?.settle(within: 0.5)
    let result = await runner.run(inputs)
    await world.closed()
    signals?.cancel()
    await runner.finishRecording()
    if case .terminal(let terminal, _) = keys { terminal.close(leaving: await runner.lastMessage) }
    await runner.finishSpeaking(within: isInteractive ? 3 : 30)
    var code = status(result, await runner.hasNoContainer)
    // EX_IOERR of sysexits.h.
    if code == 0, await runner.hasLostOutput { code = 74 }
    await runner.end(status: code)
    return code
  }

  private func runner(_ session: Session, _ world: any World) -> Runner {
    let words: [ScriptWord]? =
      switch keys {
      case .terminal: nil
      case .script(let words): words
      case .stream: []
      }
    let isOpen = if case .stream = keys { true } else { false }
    return Runner(
      session: session, world: world, outputs: outputs, phrases: phrases, script: words,
      isScriptOpen: isOpen, isScriptAlone: !isInteractive)
  }

  // MARK: Among other programs

  /// Runs an app on the library, beside other worlds, and with the person's other KeyDrag programs
  /// if there is a folder to meet in.
  ///
  /// - Parameters:
  ///   - name: the name of this program in others.
  ///   - others: further worlds, with the containers that follow the app's own in the walk.
  package func run(
    _ host: DragHost, named name: String, beside others: [(any World, [ContainerDescriptor])] = [],
    environment: [String: String], status: Status
  ) async -> Int32 {
    await run(
      host.world(), roots: host.containers, named: name, beside: others, environment: environment,
      status: status)
  }

  /// The same for any world, whose places other programs see.
  package func run(
    _ own: any World, roots: [ContainerDescriptor], named name: String,
    beside others: [(any World, [ContainerDescriptor])] = [], environment: [String: String],
    status: Status
  ) async -> Int32 {
    var run = self
    let worlds = [own] + others.map(\.0)
    var world = CompositeWorld(worlds)
    var service: PeerService?
    do throws(PeerError) {
      let folder = try PeerFolder(environment: environment)
      let impostor: PeerProgram.Impostor = { [phrases] in phrases.impostor($0) }
      let met = try CompositeWorld(
        worlds + [PeerWorld(in: folder, program: name, impostor: impostor)])
      service = try PeerService(in: folder, program: name, places: met, impostor: impostor)
      world = met
    } catch {
      // Without other programs; unexpected reasons are reported.
      if let problem = error.problem { run.problems.append(problem) }
    }
    let code = await run.run(world, roots: roots + others.flatMap(\.1), status: status)
    service?.close()
    return code
  }
}
