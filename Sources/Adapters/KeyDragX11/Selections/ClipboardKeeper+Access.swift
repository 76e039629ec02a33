import KeyDragCore

extension ClipboardKeeper: ClipboardAccess {
  /// The clipboard's contents, in the forms that are asked for and there. What this process owns is
  /// answered from memory.
  package func read(_ forms: [String]) async throws(Reason) -> [SelectedForm] {
    try await lines.ask { line, reply in
      line.worker.post { desk in
        if let kept = desk.keptForms, desk.isOwnerByServer {
          return reply(Self.chosen(forms, of: desk.names(of: kept)))
        }
        desk.read(.clipboard, forms: forms, limits: .everything) {
          reply($0.map(desk.names(of:)))
        }
      }
    }
  }

  /// The same of what this process owns itself.
  private static func chosen(
    _ names: [String], of forms: [SelectedForm]
  ) -> Result<[SelectedForm], Reason> {
    let chosen = names.compactMap { name in forms.first { $0.contentType == name } }
    return chosen.isEmpty ? .failure(.wrongType) : .success(chosen)
  }

  /// Waits for whoever has the clipboard now. A manager or a holder is then asked to keep it.
  package func put(_ forms: [SelectedForm]) async throws(Reason) {
    try await lines.ask { (line, reply: @escaping @Sendable (Result<Void, Reason>) -> Void) in
      let turns = line.turns
      return line.worker.post { desk in
        guard turns.value.waiting.count < ClipboardKeeper.mostWaiting else {
          return reply(.failure(.notResponding))
        }
        turns.value.take(desk) { _ in
          guard desk.put(forms) else {
            turns.value.end()
            return reply(.failure(.noDisplay))
          }
          reply(.success(()))
          desk.keepSafe { turns.value.end() }
        }
      }
    }
  }
}
