extension DragHost.DropPoint {
  /// Creates a place that accepts values of one type, from a drop or a paste.
  ///
  /// Everything is loaded before `performDrop` is called: if one item can't be read, or the person
  /// cancels, nothing is accepted and the reason is announced.
  ///
  /// - Parameters:
  ///   - name: the spoken name.
  ///   - type: the type made of the data.
  ///   - limit: more items than these are refused with ``Reason/tooMany``.
  ///   - offers: the operations that the place supports.
  ///   - positions: the positions that accept a drop.
  ///   - performDrop: puts the values into the model, in their order.
  public init<Value: DropReadable>(
    _ name: String, accepting type: Value.Type, atMost limit: Int = .max,
    offers: DragOperations = [.copy, .move], positions: DropPositions = .on,
    performDrop: @escaping @Sendable ([Value], DragHost.DropSession) async throws -> Void
  ) {
    self.init(name, positions: positions) { info in
      info.proposal(accepting: Value.self, atMost: limit, offers: offers)
    } performDrop: { drop in
      try await performDrop(try await drop.load(Value.self), drop)
    }
    measure = Self.measure(as: Value.self)
  }

  /// Creates a folder: each item becomes a file of its own there, under an unused name.
  public init(_ name: String, writingTo folder: any ItemWriting) {
    self.init(name) { info in
      info.proposal(writingTo: folder)
    } performDrop: { drop in
      for index in drop.items.indices { try await drop.write(index, to: folder) }
    }
    measure = Self.measure(writtenTo: folder)
  }
}

extension DragHost.DropInfo {
  fileprivate func proposal(writingTo folder: any ItemWriting) -> DropProposal {
    if let reason = folder.refusal() { return .refused(reason) }
    var refused: [Int: Reason] = [:]
    var files: [ItemFile] = []
    for (index, item) in items.enumerated() {
      if let file = provider(of: item).flatMap(folder.plan(for:)) {
        files.append(file)
      } else {
        refused[index] = .wrongType
      }
    }
    guard !files.isEmpty else { return .refused(.wrongType) }
    let prediction = Prediction.becoming(files, from: items.map(\.name))
    return DropProposal(
      refused.isEmpty ? .all : .some(refused: refused), offers: .copy,
      predictions: prediction.map { [$0] } ?? [])
  }
}

extension DragHost.DropSession {
  fileprivate func write(_ index: Int, to folder: any ItemWriting) async throws {
    do {
      try Task.checkCancellation()
      let provider = items[index].provider
      guard let file = folder.plan(for: provider) else { throw Reason.wrongType }
      let part = progress.part(index, of: items.count)
      let name = try await folder.write(file, from: provider, progress: part)
      let new = file.news(of: name, for: items[index].item.name, among: items.count)
      record.note {
        $0.arrived += 1
        if let new { $0.renamed.append(new) }
      }
      progress.part(index, of: items.count)(1)
    } catch let error as CancellationError {
      throw error
    } catch {
      fail(index, error as? Reason ?? .unknown)
    }
  }
}
