/// Reads up to `count` bytes of a form from `offset` on; empty at its end.
public typealias ByteReading =
  @Sendable (_ offset: Int64, _ count: Int) async throws -> [UInt8]

/// One form of an item: a content type and a loader for its bytes.
///
/// A loader throws a ``Reason``, which is announced, or an error of its own, which is announced as
/// unknown; it ends early when its task is cancelled. Only the target of a drop can start it,
/// through ``ItemProvider``.
public struct Representation: Sendable {
  /// To whom a form is offered.
  public enum Visibility: Hashable, Sendable {
    /// Drop points of the same program only.
    case thisProgram
    /// Files and other programs as well.
    case everyone
  }

  enum Form: Sendable {
    case bytes([UInt8])
    case load(@Sendable (LoadProgress) async throws -> [UInt8])
    case answer(@Sendable (LoadReply) -> Void)
    case open(@Sendable () async throws -> ByteReading)
  }

  /// MIME name of the type (RFC 6838, 4.2), in lower case and without parameters. Text is UTF-8.
  public let contentType: String
  /// To whom this form is offered.
  public let visibility: Visibility
  /// The length in bytes where known before loading; a loader that gives another length has failed.
  public let byteCount: Int64?
  /// The path of a file that may be read in place.
  package let file: [UInt8]?
  let form: Form

  private init(
    _ contentType: String, _ visibility: Visibility, _ byteCount: Int64?, file: [UInt8]? = nil,
    _ form: Form
  ) {
    self.contentType = MimeName.essence(contentType)
    self.visibility = visibility
    self.byteCount = byteCount
    self.file = file
    self.form = form
  }

  /// Bytes that are available already.
  public init(_ contentType: String, visibility: Visibility = .everyone, bytes: [UInt8]) {
    self.init(contentType, visibility, Int64(bytes.count), .bytes(bytes))
  }

  /// Bytes that are made in one piece when a target asks.
  public init(
    _ contentType: String, visibility: Visibility = .everyone, byteCount: Int64? = nil,
    load: @escaping @Sendable (LoadProgress) async throws -> [UInt8]
  ) {
    self.init(contentType, visibility, byteCount, .load(load))
  }

  /// Bytes that are read piece by piece, of any length and from any offset: a file, a recording.
  ///
  /// - Parameter open: starts a load; the returned closure is held until the load ends.
  public init(
    _ contentType: String, visibility: Visibility = .everyone, byteCount: Int64?,
    open: @escaping @Sendable () async throws -> ByteReading
  ) {
    self.init(contentType, visibility, byteCount, .open(open))
  }

  /// A file; `file` is its raw path if it may be read in place, `nil` if only a copy is given.
  package init(
    _ contentType: String, byteCount: Int64, file: [UInt8]?,
    open: @escaping @Sendable () async throws -> ByteReading
  ) {
    self.init(contentType, .everyone, byteCount, file: file, .open(open))
  }

  /// Bytes that arrive through a callback, as older interfaces deliver them.
  public static func answering(
    _ contentType: String, visibility: Visibility = .everyone, byteCount: Int64? = nil,
    _ start: @escaping @Sendable (LoadReply) -> Void
  ) -> Representation {
    Representation(contentType, visibility, byteCount, .answer(start))
  }
}

enum MimeName {
  /// The name in lower case, without parameters and surrounding blanks.
  static func essence(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: ";") && !(0x41...0x5A).contains(byte)
    }
    if isPlain { return name }
    let type = name.prefix { $0 != ";" }
    let blanks: Set<Character> = [" ", "\t"]
    return String(type.drop { blanks.contains($0) }.prefix { !blanks.contains($0) }).lowercased()
  }

  /// Whether this is "type/subtype" in the alphabet of RFC 6838; expects ``essence(_:)``.
  static func isValid(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        !part.isEmpty && part.count <= 127 && part.allSatisfy(isAllowed)
      }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x61...0x7A: true
    default: "!#$&-^_.+".utf8.contains(byte)
    }
  }
}
