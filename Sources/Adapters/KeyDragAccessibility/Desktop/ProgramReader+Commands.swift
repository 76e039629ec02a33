import KeyDragCore

/// Calls return at once. What fails is no command.
extension ProgramReader: ProgramCommanding {
  /// `false` also where the program does not answer.
  package func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern],
    _ reply: @escaping @Sendable (Bool) -> Void
  ) {
    Task { [bus] in
      reply((try? await bus.offers(command, in: frame, called: names)) ?? false)
    }
  }

  /// Replies why it was not carried out; `nil` when it was.
  package func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool,
    _ reply: @escaping @Sendable (Reason?) -> Void
  ) {
    Task { [bus] in
      do throws(Reason) {
        try await bus.carryOut(command, in: frame, called: names, mayOpen: mayOpen)
        reply(nil)
      } catch {
        reply(error)
      }
    }
  }

  /// The address that a link leads to; `nil` where it is not told.
  package func address(of element: ElementID, _ reply: @escaping @Sendable (String?) -> Void) {
    Task { [bus] in reply(try? await bus.address(of: element)) }
  }

  /// The address of a picture; `nil` where it is not told.
  package func pictureAddress(
    of element: ElementID, _ reply: @escaping @Sendable (String?) -> Void
  ) {
    Task { [bus] in reply(try? await bus.pictureAddress(of: element)) }
  }
}
