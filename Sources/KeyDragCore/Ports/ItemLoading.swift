/// The contents of one item as they are read, piece by piece, at the reader's pace.
package struct ItemStream: Sendable {
  /// How many bytes there are in all, where that is known.
  package let byteCount: Int64?
  /// Gives the next bytes, at most as many as asked for; none at the end. Throws a ``Reason``, or
  /// `CancellationError` when its task is cancelled. One call at a time.
  package let next: @Sendable (_ most: Int) async throws -> [UInt8]

  package init(byteCount: Int64?, next: @escaping @Sendable (_ most: Int) async throws -> [UInt8]) {
    self.byteCount = byteCount
    self.next = next
  }
}

/// Gives the contents of carried items to whoever takes them.
package protocol ItemLoading: AnyObject, Sendable {
  /// Begins to read an item in one of the content types it was picked up with.
  ///
  /// - Parameter progress: told while the contents are being made, before the first byte.
  /// - Throws: a ``Reason``.
  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream

  /// The absolute path of an item that is a file or a folder, in its own bytes, so that a folder
  /// copies from there itself; `nil` for anything else. Does not block.
  func filePath(of source: DragSourceID) -> [UInt8]?

  /// The name, in its own bytes, of a file or folder of another program, which hands it over open; `nil`
  /// for anything else. Does not block.
  func fileName(of source: DragSourceID) -> [UInt8]?

  /// Opens an item that is a file or a folder, with the rights of the program that it is picked up in.
  ///
  /// - Returns: a descriptor for reading, which the caller closes.
  /// - Throws: a ``Reason``.
  func openFile(_ source: DragSourceID) async throws -> Int32

  /// The program that drops the items here, safe to speak; `nil` for this one.
  var visitor: String? { get }

  /// The content types in which another program may have an item, best first. Does not block.
  func typesForEveryone(of item: DragItem) -> [String]

  /// The name for the file that arrives, without a path; the item's own name may say more than
  /// that. Does not block.
  func suggestedName(of item: DragItem) -> String
}

extension ItemLoading {
  package func fileName(of source: DragSourceID) -> [UInt8]? { nil }

  package func openFile(_ source: DragSourceID) async throws -> Int32 { throw Reason.gone }

  package var visitor: String? { nil }

  package func typesForEveryone(of item: DragItem) -> [String] { item.types }

  package func suggestedName(of item: DragItem) -> String { item.name }
}

extension ItemStream {
  /// Bytes that are there already.
  package init(_ bytes: [UInt8]) {
    let reader = ByteReader(bytes)
    self.init(byteCount: Int64(bytes.count)) { await reader.next($0) }
  }
}

private actor ByteReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func next(_ most: Int) -> [UInt8] {
    let end = min(offset + max(most, 0), bytes.count)
    defer { offset = end }
    return Array(bytes[offset..<end])
  }
}
