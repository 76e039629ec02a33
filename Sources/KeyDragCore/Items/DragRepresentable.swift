/// A value that can be dragged: it says in which forms, best first, and makes them when a target
/// asks.
public protocol DragRepresentable: Sendable {
  /// The content types in which every value can be given, best fidelity first.
  static var representedTypes: [String] { get }

  /// Those of this value; the type's own unless it says otherwise.
  var representedTypes: [String] { get }

  /// The visibility of a form; everyone unless the type says otherwise.
  static func visibility(of contentType: String) -> Representation.Visibility

  /// A name for what arrives, without a path.
  var suggestedName: String { get }

  /// The bytes of one of the forms; throws a ``Reason`` or an error of its own.
  func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8]
}

extension DragRepresentable {
  /// Those of the type.
  public var representedTypes: [String] { Self.representedTypes }

  /// Everyone.
  public static func visibility(of contentType: String) -> Representation.Visibility { .everyone }
}

extension ItemProvider {
  /// A value in its own forms; within the program the value itself is handed over.
  public init<Value: DragRepresentable>(_ value: Value) throws(Mistake) {
    let forms = value.representedTypes.map { type in
      Representation(type, visibility: Value.visibility(of: type)) {
        try await value.represented(as: type, progress: $0)
      }
    }
    // A value that offers no form can't be dragged, though the object itself could be handed over.
    if forms.isEmpty { throw .noRepresentation }
    try self.init(suggestedName: value.suggestedName, representations: forms, object: value)
  }
}

/// A value that can be made from what was dropped or pasted.
public protocol DropReadable: Sendable {
  /// The content types it is made from, the one it likes best first. "image/*" stands for a family.
  ///
  /// The item's own order of forms decides which one comes; a form that only conforms to a type of
  /// the list comes where none is in it.
  static var acceptedTypes: [String] { get }

  /// The longest data it is made from; 64 MiB unless the type says otherwise.
  static var mostBytes: Int64 { get }

  /// Makes the value.
  ///
  /// - Parameter contentType: the type of the accept list that was chosen, or for a family the form's
  ///   own.
  /// - Throws: ``Reason/malformed`` or another reason, which is said.
  init(dragged data: [UInt8], contentType: String) throws

  /// The parts of the data that could not be read while the rest was; by default none.
  var leftOut: [UnreadPart] { get }
}

/// A part of something dropped that could not be read.
public struct UnreadPart: Hashable, Sendable {
  /// Its name; empty where that is not known.
  public var name: String
  /// Which of the parts it is, counted from 1.
  public var number: Int
  /// Why it could not be read.
  public var reason: Reason

  /// A part by its name or its number.
  public init(name: String, number: Int, reason: Reason) {
    (self.name, self.number, self.reason) = (name, number, reason)
  }
}

extension DropReadable {
  /// Nothing.
  public var leftOut: [UnreadPart] { [] }

  /// 64 MiB.
  public static var mostBytes: Int64 { ItemProvider.longestLoad }
}

extension String: DragRepresentable, DropReadable {
  /// Plain text in UTF-8.
  public static var representedTypes: [String] { ["text/plain"] }
  /// Plain text in UTF-8.
  public static var acceptedTypes: [String] { ["text/plain"] }

  /// The first words.
  public var suggestedName: String {
    let line = drop { $0.isWhitespace }.prefix { !$0.isNewline }
    guard line.count > 40 else { return String(line) }
    let start = line.prefix(40)
    return String(start.lastIndex(of: " ").map { start[..<$0] } ?? start)
  }

  /// Its UTF-8.
  public func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] { Array(utf8) }

  /// UTF-8, with or without a byte order mark; nothing else is taken for text.
  public init(dragged data: [UInt8], contentType: String) throws {
    guard !data.isEmpty else { throw Reason.nothingThere }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = data.starts(with: mark) ? data[mark.count...] : data[...]
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Reason.malformed }
    self = text
  }
}
