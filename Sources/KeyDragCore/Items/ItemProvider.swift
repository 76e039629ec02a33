/// How far a load is; the loader calls it, from any task.
public struct LoadProgress: Sendable {
  private let report: @Sendable (Double) -> Void

  public init(_ report: @escaping @Sendable (Double) -> Void = { _ in }) { self.report = report }

  /// Tells the fraction loaded, 0 to 1; anything outside is taken as the nearer end.
  public func callAsFunction(_ fraction: Double) { report(min(max(fraction, 0), 1)) }
}

/// One form of an item: a content type and a loader for its bytes.
public struct Representation: Sendable {
  /// MIME name of the type.
  public let contentType: String
  /// Gives the bytes when a target asks for them; throws a ``Reason`` or an error of its own, and
  /// ends early when its task is cancelled.
  public let load: @Sendable (LoadProgress) async throws -> [UInt8]

  public init(
    _ contentType: String, load: @escaping @Sendable (LoadProgress) async throws -> [UInt8]
  ) {
    self.contentType = contentType
    self.load = load
  }

  /// Bytes that are there already.
  public init(_ contentType: String, bytes: [UInt8]) {
    self.init(contentType) { _ in bytes }
  }
}

/// The ordered representations of one item, best fidelity first, loaded when a target asks.
public struct ItemProvider: Sendable {
  /// Why a provider can't be made.
  public enum Mistake: Error, Hashable, Sendable {
    case noRepresentation
    case repeated(contentType: String)
  }

  /// A name for what arrives, without a path.
  public let suggestedName: String
  public let representations: [Representation]
  /// The object itself, handed over inside the program without being serialised.
  public let object: (any Sendable)?

  /// Throws a ``Mistake`` when there is no representation and no object, or a type comes twice.
  public init(
    suggestedName: String, representations: [Representation], object: (any Sendable)? = nil
  ) throws(Mistake) {
    if representations.isEmpty, object == nil { throw .noRepresentation }
    var seen: Set<String> = []
    for representation in representations
    where !seen.insert(representation.contentType).inserted {
      throw .repeated(contentType: representation.contentType)
    }
    self.suggestedName = SpokenName.clean(suggestedName)
    self.representations = representations
    self.object = object
  }

  /// Content types, best first; the private type of an object alone when it has no other form.
  public var contentTypes: [String] {
    representations.isEmpty
      ? ["application/x-keydrag-object"] : representations.map(\.contentType)
  }

  /// The richest form that a target takes.
  ///
  /// - Parameters:
  ///   - accepted: the types that the target knows; a form fits when its type is one of them or
  ///     conforms to one.
  ///   - conforms: whether every instance of the first type is one of the second.
  public func richest(
    accepted: [String], conforms: (String, String) -> Bool = { $0 == $1 }
  ) -> Representation? {
    representations.first { form in
      accepted.contains { $0 == form.contentType || conforms(form.contentType, $0) }
    }
  }
}
