/// The contents of one item as a stream, read at the reader's pace.
package struct ItemStream: Sendable {
  /// The total in bytes, if known.
  package let byteCount: Int64?
  /// Reads up to `most` bytes; empty at the end. Throws a ``Reason``, or `CancellationError` when
  /// its task is cancelled. Calls must not overlap.
  package let next: @Sendable (_ most: Int) async throws -> [UInt8]

  package init(byteCount: Int64?, next: @escaping @Sendable (_ most: Int) async throws -> [UInt8]) {
    self.byteCount = byteCount
    self.next = next
  }
}

package protocol ItemLoading: AnyObject, Sendable {
  /// Opens an item in one of the content types it was picked up with.
  ///
  /// - Parameter progress: reports while the contents are being made, before the first byte.
  /// - Throws: a ``Reason``.
  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream

  /// The absolute path of a file or folder, as raw bytes, so that a folder can copy from it
  /// directly; `nil` for anything else. Does not block.
  func filePath(of source: DragSourceID) -> [UInt8]?

  /// The name, as raw bytes, of a file or folder that another program passes as an open descriptor;
  /// `nil` for anything else. Does not block.
  func fileName(of source: DragSourceID) -> [UInt8]?

  /// Opens a file or folder with the permissions of the program that it was picked up in.
  ///
  /// - Returns: a descriptor for reading, owned by the caller.
  /// - Throws: a ``Reason``.
  func openFile(_ source: DragSourceID) async throws -> Int32

  /// The program that drops the items here, safe to speak; `nil` for this one.
  var visitor: String? { get }

  /// The content types offered to other programs, best first. Does not block.
  func typesForEveryone(of item: DragItem) -> [String]

  /// The file name at the destination, without a path; the item's own name may contain more than
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
