extension ItemProvider {
  /// An item of another world or program, whose forms (`types`, best first) are loaded from there
  /// on demand; `nil` without any form.
  package init?(
    carried item: DragItem, as types: [String], from loading: any ItemLoading
  ) {
    var seen: Set<String> = []
    let forms = types.filter { $0 != Self.objectType }.map { type in
      Representation(type, byteCount: nil) {
        let stream = try await loading.open(item.source, as: type, progress: LoadProgress())
        let pieces = StreamPieces(stream)
        return { offset, count in try await pieces.next(at: offset, count) }
      }
    }.filter { seen.insert($0.contentType).inserted }
    try? self.init(suggestedName: loading.suggestedName(of: item), representations: forms)
  }
}

/// Adapts a stream to reads by offset, which may only move forward.
private actor StreamPieces {
  private let stream: ItemStream
  private var position: Int64 = 0

  init(_ stream: ItemStream) { self.stream = stream }

  func next(at offset: Int64, _ count: Int) async throws -> [UInt8] {
    guard offset >= position else { throw Reason.unknown }
    while position < offset {
      let skipped = try await stream.next(Int(min(offset - position, 65_536)))
      if skipped.isEmpty { return [] }
      position += Int64(skipped.count)
    }
    let piece = try await stream.next(count)
    position += Int64(piece.count)
    return piece
  }
}
