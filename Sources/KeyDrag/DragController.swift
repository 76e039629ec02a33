import KeyDragRuntime

/// A message of a running session, in plain values.
public struct SpokenAnnouncement: Hashable, Sendable {
  /// The stable identifier ("picked-up").
  public var id: String
  /// The text, fit to be spoken.
  public var text: String
  /// Whether it may interrupt current speech.
  public var urgency: Urgency

  package init(_ announcement: Announcement, _ text: String) {
    id = announcement.id
    self.text = text
    urgency = announcement.urgency
  }
}

extension DragHost {
  /// Starts a session that takes keys and commands for this app's sources and drop points.
  ///
  /// - Parameters:
  ///   - catalogue: the wording in the person's language; English by default.
  ///   - announcing: called for every message, in order, from any thread.
  public func begin(
    in catalogue: any Catalogue = SourceCatalogue(),
    announcing: @escaping @Sendable (SpokenAnnouncement) -> Void
  ) -> DragController {
    var outputs = Outputs()
    outputs.listener = { announcement, text in announcing(SpokenAnnouncement(announcement, text)) }
    let world = world()
    var settings = Session.Settings()
    settings.asksPerson = true
    let runner = Runner(
      session: Session(roots: containers, settings: settings), world: world, outputs: outputs,
      phrases: Phrasebook(catalogue: catalogue))
    return DragController(runner, world)
  }
}

extension DragHost {
  /// This app's own world, for the runner of its session.
  package func world() -> any World { HostWorld(self) }

  package var containers: [ContainerDescriptor] { registry.entries.values.map(\.container) }
}

/// A running session, which receives keys, commands and text.
public final class DragController: Sendable {
  private let runner: Runner
  private let task: Task<Void, Never>

  init(_ runner: Runner, _ world: any World) {
    self.runner = runner
    task = Task {
      _ = await runner.run([.start])
      world.close()
    }
  }

  /// Sends a key that was pressed.
  public func press(_ stroke: KeyStroke) { runner.send(.stroke(stroke)) }

  /// Runs a command from a menu, a button or an assistive technology.
  public func perform(_ command: CommandName) { runner.send(.command(command)) }

  /// Sends text to search for.
  public func type(_ text: String) { runner.send(.text(text)) }

  /// Cancels what is held, waits for running deliveries, and returns when everything has been
  /// announced.
  public func end() async {
    runner.send(.input(.ended))
    await task.value
  }
}
