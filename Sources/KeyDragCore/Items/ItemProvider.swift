/// The ordered representations of one item, best fidelity first, loaded when a target asks.
///
/// Data can be loaded only by the target of a drop while it takes the drop: before that a load
/// throws ``Mistake/tooEarly``, after it ``Mistake/tooLate``.
public struct ItemProvider: Sendable {
  /// A mistake in the program, not in the data.
  public enum Mistake: Error, Hashable, Sendable {
    /// There is neither a form nor an object.
    case noRepresentation
    /// Two forms have the same content type.
    case repeated(contentType: String)
    /// A content type is not of the form "type/subtype".
    case notAType(String)
    /// Data was requested before the drop.
    case tooEarly
    /// Data was requested after the drop had been taken.
    case tooLate
  }

  /// The content type of an object without any other form.
  package static let objectType = "application/x-keydrag-object"

  /// A name for the item where it arrives, without a path.
  public let suggestedName: String
  /// The forms, best fidelity first; empty for an object alone.
  public let representations: [Representation]
  /// Content types, best first; a private type for an object without forms.
  public let contentTypes: [String]
  private let object: (any Sendable)?
  /// Open while a drop is being taken; `nil` before.
  private var gate: LoadGate?

  /// Throws a ``Mistake`` when there is neither a representation nor an object, or a type is
  /// repeated or invalid.
  ///
  /// - Parameter object: the object itself, handed over inside the program without being
  ///   serialized.
  public init(
    suggestedName: String, representations: [Representation], object: (any Sendable)? = nil
  ) throws(Mistake) {
    if representations.isEmpty, object == nil { throw .noRepresentation }
    var seen: Set<String> = []
    for representation in representations {
      let type = representation.contentType
      guard MimeName.isValid(type) else { throw .notAType(type) }
      guard seen.insert(type).inserted else { throw .repeated(contentType: type) }
    }
    self.suggestedName = SpokenName.clean(suggestedName)
    self.representations = representations
    self.object = object
    contentTypes =
      representations.isEmpty ? [Self.objectType] : representations.map(\.contentType)
  }

  /// The same provider, loadable during a drop.
  package func opened(by gate: LoadGate) -> ItemProvider {
    var provider = self
    provider.gate = gate
    return provider
  }

  /// The content types offered outside the program, best first.
  package var typesForEveryone: [String] {
    representations.filter { $0.visibility == .everyone }.map(\.contentType)
  }

  /// The richest form that a target takes.
  ///
  /// - Parameters:
  ///   - accepted: the types that the target knows; "image/*" stands for a family. A form whose
  ///     type is listed precedes one that only conforms to a listed type.
  ///   - conforms: whether every instance of the first type is one of the second.
  public func richest(
    accepted: [String], conforms: (String, String) -> Bool = { $0 == $1 }
  ) -> Representation? {
    withoutActuallyEscaping(conforms) { conforms in
      var choice = RepresentationChooser(accepted: accepted, conforms: conforms)
      return choice.choose(representations.map(\.contentType)).map { representations[$0.index] }
    }
  }

  // MARK: Loading, inside a drop

  /// The object itself if it is of this type; nothing is serialized.
  ///
  /// - Throws: a ``Mistake`` outside the drop.
  public func object<Value>(as type: Value.Type) throws -> Value? {
    try checkedGate()
    return object as? Value
  }

  package func holds<Value>(_ type: Value.Type) -> Bool { object is Value }

  /// The object itself if it is this program's own: for an answer before a drop, when nothing can
  /// be loaded yet.
  public func peek<Value>(_ type: Value.Type) -> Value? { object as? Value }

  /// The bytes of the richest form that fits this type, or a range of them.
  ///
  /// - Parameters:
  ///   - range: the requested part; what lies beyond the end is left out.
  ///   - most: a longer form is refused with ``Reason/tooBig``; use ``chunks(of:range:progress:)``
  ///     instead.
  public func load(
    _ contentType: String, range: Range<Int64>? = nil, atMost most: Int64 = longestLoad,
    progress: LoadProgress = LoadProgress()
  ) async throws -> [UInt8] {
    let gate = try checkedGate()
    let (form, _) = try choose([contentType], gate)
    return try await form.load(range: range, atMost: most, progress: progress, gate: gate)
  }

  /// The same bytes in pieces, so that any length takes little memory.
  public func chunks(
    of contentType: String, range: Range<Int64>? = nil, progress: LoadProgress = LoadProgress()
  ) throws -> ByteChunks {
    let gate = try checkedGate()
    let (form, _) = try choose([contentType], gate)
    return ByteChunks(form: form, range: range, progress: progress, gate: gate)
  }

  /// A value made from the richest form that its type accepts, or the object itself.
  ///
  /// - Throws: ``Reason/wrongType`` when no form fits, an error of the loader or the type, or a
  ///   ``Mistake`` outside the drop.
  public func load<Value: DropReadable>(
    _ type: Value.Type, progress: LoadProgress = LoadProgress()
  ) async throws -> Value {
    if let value = try object(as: Value.self) { return value }
    let gate = try checkedGate()
    let (form, accepted) = try choose(Value.acceptedTypes, gate)
    let bytes = try await form.load(
      range: nil, atMost: Value.mostBytes, progress: progress, gate: gate)
    return try Value(dragged: bytes, contentType: accepted)
  }

  /// The path, as raw bytes, of a file that may be read in place until the drop has been taken;
  /// `nil` if the form is no file, or only a copy is given away.
  public func filePath(of contentType: String) throws -> [UInt8]? {
    let gate = try checkedGate()
    return try choose([contentType], gate).form.file
  }

  /// The default limit of a whole load, in bytes: 64 MiB.
  public static var longestLoad: Int64 { 64 << 20 }

  @discardableResult
  private func checkedGate() throws -> LoadGate {
    guard let gate else { throw Mistake.tooEarly }
    try gate.check()
    return gate
  }

  private func choose(
    _ accepted: [String], _ gate: LoadGate
  ) throws -> (form: Representation, as: String) {
    var choice = RepresentationChooser(
      accepted: accepted.map(MimeName.essence), conforms: gate.types.conforms)
    guard !representations.isEmpty, let chosen = choice.choose(contentTypes) else {
      throw Reason.wrongType
    }
    return (representations[chosen.index], chosen.type)
  }
}

extension LoadGate {
  static let tooLate: any Error = ItemProvider.Mistake.tooLate
}
