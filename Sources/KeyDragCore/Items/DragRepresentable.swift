/// A value that can be dragged: it lists its forms, best first, and makes each when a target asks.
public protocol DragRepresentable: Sendable {
  /// The content types in which every value is available, best fidelity first.
  static var representedTypes: [String] { get }

  /// The content types of this value; those of the type by default.
  var representedTypes: [String] { get }

  /// The visibility of a form; everyone by default.
  static func visibility(of contentType: String) -> Representation.Visibility

  /// A name for the item where it arrives, without a path.
  var suggestedName: String { get }

  /// The bytes in one of the forms; throws a ``Reason`` or an error of its own.
  func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8]
}

extension DragRepresentable {
  /// The content types of the type.
  public var representedTypes: [String] { Self.representedTypes }

  /// Everyone.
  public static func visibility(of contentType: String) -> Representation.Visibility { .everyone }
}

extension ItemProvider {
  /// Offers a value in its own forms; within the program the value itself is handed over.
  public init<Value: DragRepresentable>(_ value: Value) throws(Mistake) {
    let forms = value.representedTypes.map { type in
      Representation(type, visibility: Value.visibility(of: type)) {
        try await value.represented(as: type, progress: $0)
      }
    }
    // A value without forms can't be dragged, even though the object itself could be handed over.
    if forms.isEmpty { throw .noRepresentation }
    try self.init(suggestedName: value.suggestedName, representations: forms, object: value)
  }
}

/// A value that can be made from dropped or pasted data.
public protocol DropReadable: Sendable {
  /// The content types it is made from, preferred first. "image/*" stands for a family.
  ///
  /// The item's own order decides between forms in the list; a form that only conforms to a listed
  /// type is used when none is in the list.
  static var acceptedTypes: [String] { get }

  /// The longest data it is made from, in bytes; 64 MiB by default.
  static var mostBytes: Int64 { get }

  /// Makes the value.
  ///
  /// - Parameter contentType: the accepted type that was chosen; for a family, the type of the
  ///   form.
  /// - Throws: ``Reason/malformed`` or another reason, which is announced.
  init(dragged data: [UInt8], contentType: String) throws

  /// The parts of the data that could not be read while the rest could; none by default.
  var leftOut: [UnreadPart] { get }
}

/// A part of something dropped that could not be read.
public struct UnreadPart: Hashable, Sendable {
  /// Its name; empty if unknown.
  public var name: String
  /// Its number among the parts, from 1.
  public var number: Int
  /// Why it could not be read.
  public var reason: Reason

  /// A part with its name or its number.
  public init(name: String, number: Int, reason: Reason) {
    (self.name, self.number, self.reason) = (name, number, reason)
  }
}

extension DropReadable {
  /// No parts.
  public var leftOut: [UnreadPart] { [] }

  /// 64 MiB.
  public static var mostBytes: Int64 { ItemProvider.longestLoad }
}

extension String: DragRepresentable, DropReadable {
  /// Plain text in UTF-8.
  public static var representedTypes: [String] { ["text/plain"] }
  /// Plain text in UTF-8.
  public static var acceptedTypes: [String] { ["text/plain"] }

  /// The first words, up to 40 characters.
  public var suggestedName: String {
    let line = drop { $0.isWhitespace }.prefix { !$0.isNewline }
    guard line.count > 40 else { return String(line) }
    let start = line.prefix(40)
    return String(start.lastIndex(of: " ").map { start[..<$0] } ?? start)
  }

  /// The text in UTF-8.
  public func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] { Array(utf8) }

  /// Decodes UTF-8, with or without a byte order mark; throws for anything else.
  public init(dragged data: [UInt8], contentType: String) throws {
    guard !data.isEmpty else { throw Reason.nothingThere }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = data.starts(with: mark) ? data[mark.count...] : data[...]
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Reason.malformed }
    self = text
  }
}
