import KeyDragCore

/// Failures count as no command.
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

  /// - Throws: why it was not carried out.
  package func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason) {
    try await bus.carryOut(command, in: frame, called: names, mayOpen: mayOpen)
  }

  /// `nil` when it is not reported.
  package func address(of element: ElementID) async -> String? {
    try? await bus.address(of: element)
  }

  /// `nil` when it is not reported.
  package func pictureAddress(
    of element: ElementID
  ) async -> String? {
    try? await bus.pictureAddress(of: element)
  }
}
