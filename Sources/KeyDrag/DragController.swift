import KeyDragRuntime

/// A message of a running session, with what it says in plain values.
public struct SpokenAnnouncement: Hashable, Sendable {
  /// The stable id ("picked-up").
  public var id: String
  /// The words, fit to be spoken.
  public var text: String
  /// Whether it may interrupt what is being said.
  public var urgency: Urgency

  package init(_ announcement: Announcement, _ text: String) {
    id = announcement.id
    self.text = text
    urgency = announcement.urgency
  }
}

extension DragHost {
  /// Begins taking keys and commands for this app's sources and drop points.
  ///
  /// - Parameters:
  ///   - catalogue: the words, in the person's language; English where none is given.
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
  /// This app's own world, for whoever runs its session.
  package func world() -> any World { HostWorld(self) }

  package var containers: [ContainerDescriptor] { registry.entries.values.map(\.container) }
}

/// A running session: keys, commands and text go in here.
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

  /// A key was pressed.
  public func press(_ stroke: KeyStroke) { runner.send(.stroke(stroke)) }

  /// A command from a menu, a button or an assistive technology.
  public func perform(_ command: CommandName) { runner.send(.command(command)) }

  /// Text to search for.
  public func type(_ text: String) { runner.send(.text(text)) }

  /// Cancels what is held, waits for deliveries that run, and returns when all has been said.
  public func end() async {
    runner.send(.input(.ended))
    await task.value
  }
}
