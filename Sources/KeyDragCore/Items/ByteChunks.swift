/// The bytes of one form in pieces of at most 64 KiB, in order.
///
/// Each piece is made on demand, so a form of any length takes little memory; to stop iterating
/// ends the load.
public struct ByteChunks: AsyncSequence, Sendable {
  /// A piece of 1 to ``longest`` bytes.
  public typealias Element = [UInt8]
  /// The length of the longest piece, in bytes.
  public static let longest = 65_536

  let form: Representation
  let range: Range<Int64>?
  let progress: LoadProgress
  let gate: LoadGate

  /// Starts a load of its own for each iterator.
  public func makeAsyncIterator() -> Iterator {
    Iterator(form, range: range, progress: progress, gate: gate)
  }

  /// The pieces of one load, in order.
  public struct Iterator: AsyncIteratorProtocol {
    private let form: Representation
    private let progress: LoadProgress
    private let gate: LoadGate
    /// Whether the whole form was requested, so that its length is checked.
    private let isWhole: Bool
    private let start: Int64
    /// `nil` when neither the caller nor the form gives it.
    private let end: Int64?
    private var offset: Int64
    private var reading: ByteReading?
    private var isDone = false

    init(
      _ form: Representation, range: Range<Int64>?, progress: LoadProgress, gate: LoadGate
    ) {
      self.form = form
      self.progress = progress
      self.gate = gate
      isWhole = range == nil
      start = Swift.max(0, range?.lowerBound ?? 0)
      let ends = [range?.upperBound, form.byteCount].compactMap { $0 }
      end = ends.min()
      offset = start
    }

    /// The next piece; `nil` at the end.
    ///
    /// - Throws: a ``Reason``, the loader's own error, `CancellationError`, or
    ///   ``ItemProvider/Mistake/tooLate`` after the drop.
    public mutating func next() async throws -> [UInt8]? {
      guard !isDone else { return nil }
      do {
        try Task.checkCancellation()
        try gate.check()
        let piece = try await nextPiece()
        try gate.check()
        offset += Int64(piece.count)
        gate.arrived(piece)
        if let end, end > start { progress(Double(offset - start) / Double(end - start)) }
        guard piece.isEmpty else { return piece }
      } catch {
        finish()
        throw error
      }
      finish()
      return nil
    }

    /// Empty at the end.
    private mutating func nextPiece() async throws -> [UInt8] {
      let wanted = end.map { Int(Swift.min(Int64(ByteChunks.longest), $0 - offset)) }
      if let wanted, wanted <= 0 {
        if isWhole { try await checkEnd() }
        return []
      }
      let piece = try await read(wanted ?? ByteChunks.longest)
      guard piece.isEmpty else { return piece }
      // The form is shorter than announced, or empty without having said so.
      if let known = form.byteCount, offset < known { throw Reason.changed }
      if isWhole, offset == 0 { throw Reason.nothingThere }
      return []
    }

    /// A form longer than announced is not the one that was picked up.
    private mutating func checkEnd() async throws {
      guard try await read(1).isEmpty else { throw Reason.changed }
    }

    private mutating func read(_ count: Int) async throws -> [UInt8] {
      if reading == nil { reading = try await form.reading(progress, gate) }
      guard let reading else { return [] }
      let offset = offset
      let piece = try await CancellableAnswer.of { try await reading(offset, count) }
      guard piece.count <= count else { throw Reason.malformed }
      return piece
    }

    private mutating func finish() {
      isDone = true
      reading = nil
    }
  }
}

extension Representation {
  func reading(_ progress: LoadProgress, _ gate: LoadGate) async throws -> ByteReading {
    if case .open(let open) = form { return try await CancellableAnswer.of(open) }
    let bytes = try await whole(progress, gate) ?? []
    return { offset, count in
      let start = min(Int(clamping: offset), bytes.count)
      return Array(bytes[start..<(start + min(count, bytes.count - start))])
    }
  }

  func load(
    range: Range<Int64>?, atMost most: Int64, progress: LoadProgress, gate: LoadGate
  ) async throws -> [UInt8] {
    let wanted = range.map { Int64($0.count) }
    let length = [wanted, byteCount].compactMap { $0 }.min()
    if let length, length > most { throw Reason.tooBig }
    if range == nil, let whole = try await loadedWhole(progress, gate) {
      guard Int64(whole.count) <= most else { throw Reason.tooBig }
      return whole
    }
    var bytes: [UInt8] = []
    if let length { bytes.reserveCapacity(Int(length)) }
    for try await piece in ByteChunks(form: self, range: range, progress: progress, gate: gate) {
      guard Int64(bytes.count + piece.count) <= most else { throw Reason.tooBig }
      bytes += piece
    }
    return bytes
  }

  /// The bytes of a form that is loaded in one piece anyway; `nil` for a form that is read.
  private func whole(_ progress: LoadProgress, _ gate: LoadGate) async throws -> [UInt8]? {
    switch form {
    case .open: nil
    case .bytes(let ready): ready
    case .load(let load): try await CancellableAnswer.of { try await load(progress) }
    case .answer(let start): try await CancellableAnswer<[UInt8]>.callback(start, progress, gate)
    }
  }

  /// The same, checked against what the form says of itself.
  private func loadedWhole(
    _ progress: LoadProgress, _ gate: LoadGate
  ) async throws -> [UInt8]? {
    guard let bytes = try await whole(progress, gate) else { return nil }
    try gate.check()
    if let byteCount, Int64(bytes.count) != byteCount { throw Reason.changed }
    if byteCount == nil, bytes.isEmpty { throw Reason.nothingThere }
    gate.arrived(bytes)
    return bytes
  }
}
