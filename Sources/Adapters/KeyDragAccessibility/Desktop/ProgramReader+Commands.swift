import KeyDragCore

/// What fails is no command.
extension ProgramReader: ProgramCommanding {
  package func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async -> Bool? {
    try? await bus.offers(command, in: frame, called: names)
  }

  package func canUse(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async -> Bool? {
    (try? await bus.canUse(command, in: frame, called: names)) ?? nil
  }

  /// Throws why it was not carried out.
  package func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason) {
    try await bus.carryOut(command, in: frame, called: names, mayOpen: mayOpen)
  }

  /// The address that a link leads to; `nil` where it is not told.
  package func address(of element: ElementID) async -> String? {
    try? await bus.address(of: element)
  }

  /// The address of a picture; `nil` where it is not told.
  package func pictureAddress(
    of element: ElementID
  ) async -> String? {
    try? await bus.pictureAddress(of: element)
  }
}
