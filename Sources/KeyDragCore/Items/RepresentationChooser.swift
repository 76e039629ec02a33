/// Chooses the richest form that a target accepts.
///
/// A form fits best when the accept list has its type, a synonym or its family ("image/*"); failing
/// that, a form that conforms to a listed type will do, as every text conforms to plain text. Among
/// equals the item's own order decides. One value serves many items and caches its results.
package struct RepresentationChooser {
  /// A form by its index, and the accepted type that it is read as.
  package struct Chosen: Hashable, Sendable {
    package var index: Int
    package var type: String
  }

  private enum Fit {
    case exactly(String)
    case conforming(String)
    case not
  }

  private let accepted: [String]
  private let conforms: (String, String) -> Bool
  private var fits: [String: Fit] = [:]
  private var last: (types: [String], chosen: Chosen?)?

  package init(accepted: [String], conforms: @escaping (String, String) -> Bool) {
    self.accepted = accepted
    self.conforms = conforms
  }

  /// The choice among types, best fidelity first; `nil` when none fits.
  package mutating func choose(_ types: [String]) -> Chosen? {
    // Items picked up together mostly have the same forms.
    if let last, last.types == types { return last.chosen }
    let chosen = search(types)
    last = (types, chosen)
    return chosen
  }

  private mutating func search(_ types: [String]) -> Chosen? {
    var conforming: Chosen?
    for (index, type) in types.enumerated() {
      switch fit(type) {
      case .exactly(let other): return Chosen(index: index, type: other)
      case .conforming(let other):
        conforming = conforming ?? Chosen(index: index, type: other)
      case .not: break
      }
    }
    return conforming
  }

  private mutating func fit(_ type: String) -> Fit {
    if let known = fits[type] { return known }
    let fit = find(type)
    fits[type] = fit
    return fit
  }

  private func find(_ type: String) -> Fit {
    if accepted.contains(type) { return .exactly(type) }
    for other in accepted where !other.hasSuffix("/*") {
      // Synonyms such as text/x-vcard and text/vcard.
      if conforms(type, other), conforms(other, type) { return .exactly(other) }
    }
    let isInFamily = accepted.contains { other in
      other == "*/*" || (other.hasSuffix("/*") && type.hasPrefix(other.dropLast()))
    }
    if isInFamily { return .exactly(type) }
    for other in accepted where conforms(type, other) {
      return .conforming(other.hasSuffix("/*") ? type : other)
    }
    return .not
  }
}
