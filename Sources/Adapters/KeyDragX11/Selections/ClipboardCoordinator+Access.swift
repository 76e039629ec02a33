import KeyDragCore

extension ClipboardCoordinator: ClipboardAccess {
  /// The clipboard's contents in those requested forms that exist; our own are answered from
  /// memory.
  func read(_ forms: [String]) async throws(Reason) -> [SelectedForm] {
    try await connection.ask { desk, reply in
      if let kept = desk.keptForms, desk.isOwnerByServer {
        return reply(Self.chosen(forms, of: desk.names(of: kept)))
      }
      desk.read(forms: forms, limits: .everything) { reply($0.map(desk.names(of:))) }
    }
  }

  private static func chosen(
    _ names: [String], of forms: [SelectedForm]
  ) -> Result<[SelectedForm], Reason> {
    let chosen = names.compactMap { name in forms.first { $0.contentType == name } }
    return chosen.isEmpty ? .failure(.wrongType) : .success(chosen)
  }

  /// Waits for the current user of the clipboard. A manager or a holder is then asked to keep the
  /// content.
  func put(_ forms: [SelectedForm]) async throws(Reason) {
    try await connection.ask { (desk, reply: @escaping @Sendable (Result<Void, Reason>) -> Void) in
      let isQueued = desk.takeTurn { _ in
        guard desk.put(forms) else {
          desk.endTurn()
          return reply(.failure(.noDisplay))
        }
        reply(.success(()))
        desk.handOverContent { desk.endTurn() }
      }
      if !isQueued { reply(.failure(.notResponding)) }
    }
  }
}
