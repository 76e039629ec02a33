import KeyDragCore

/// Reads the programs of a desktop from the accessibility tree that they keep.
///
/// It has a thread and a connection of its own, apart from those of announcements, so that neither
/// waits for the other.
package final class ProgramReader {
  private let bus: ProgramBus
  private let changes = ProgramChanges()

  /// Returns at once; the bus is joined when something is asked.
  ///
  /// - Parameter environment: names the buses, as the environment of a process does.
  package init(environment: [String: String]) {
    bus = ProgramBus(environment: environment, changes: changes)
  }

  package func programs(_ reply: @escaping @Sendable ([ProgramFacts]?) -> Void) {
    Task { [bus] in reply(await bus.programs()) }
  }

  package func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?, roles: Set<String>,
    most: Int, _ reply: @escaping @Sendable (Result<[ElementFacts], Reason>) -> Void
  ) {
    Task { [bus] in
      do throws(Reason) {
        reply(
          .success(
            try await bus.elements(
              of: frame, in: program, origin: windowOrigin, roles: roles, most: most)))
      } catch {
        reply(.failure(error))
      }
    }
  }
}
