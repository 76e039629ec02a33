/// Items of another program, or of another world of this one, on an app's drop points; and the
/// app's own items when they are dropped elsewhere.
extension HostWorld: ItemLoading {
  func answers(of inquiry: ProposalRequest, from loading: any ItemLoading) async -> [Answer] {
    let isVisit = HostWorld.isVisit(inquiry.items)
    return await answers(inquiry, providers(of: inquiry.items, from: loading)).map { answer in
      var answer = answer
      // Nothing is removed from another program.
      answer.proposal.offers.formIntersection(.copy)
      // Neither that program nor any history can undo the effect here.
      if isVisit, !answer.proposal.offers.isEmpty {
        answer.proposal.predictions.append(.inProgram(isPasted: false, undo: .impossible))
      }
      return answer
    }
  }

  /// Whether any of them comes from another program.
  static func isVisit(_ items: [DragItem]) -> Bool {
    items.contains { $0.source.owner == .visitors }
  }

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }

  func typesForEveryone(of item: DragItem) -> [String] {
    host.state.withLock { $0.items[item.source] }?.typesForEveryone ?? []
  }

  func suggestedName(of item: DragItem) -> String {
    host.state.withLock { $0.items[item.source] }?.suggestedName ?? item.name
  }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let provider = host.state.withLock({ $0.items[source] }) else { throw Reason.gone }
    // Some forms are only for drop points of the same program.
    guard provider.typesForEveryone.contains(contentType) else { throw Reason.wrongType }
    let form = provider.representations.first { $0.contentType == contentType }
    let gate = LoadGate(types: host.types)
    let chunks = try provider.opened(by: gate).chunks(of: contentType, progress: progress)
    let pieces = ChunkPieces(chunks)
    return ItemStream(byteCount: form?.byteCount) { try await pieces.next($0) }
  }

  /// The providers of items, which load on demand from wherever the items are.
  func providers(
    of items: [DragItem], from loading: any ItemLoading
  ) -> [DragSourceID: ItemProvider] {
    let own = host.state.withLock { $0.items }
    var result: [DragSourceID: ItemProvider] = [:]
    for item in items {
      result[item.source] =
        item.source.owner == .app
        ? own[item.source] : ItemProvider(carried: item, as: item.types, from: loading)
    }
    return result
  }
}

/// Splits a form into pieces of the requested length.
private actor ChunkPieces {
  private var chunks: ByteChunks.Iterator
  private var rest: ArraySlice<UInt8> = []

  init(_ chunks: ByteChunks) { self.chunks = chunks.makeAsyncIterator() }

  func next(_ most: Int) async throws -> [UInt8] {
    if rest.isEmpty {
      // Taken out of the actor while it waits; a stream is read one call at a time.
      var chunks = chunks
      rest = try await chunks.next(isolation: self)?[...] ?? []
      self.chunks = chunks
    }
    let piece = rest.prefix(most)
    rest = rest.dropFirst(most)
    return Array(piece)
  }
}
