import KeyDragCore

/// Something about a program's places that is in the way of a person who walks them by name.
///
/// Told by `keydrag audit`, which asks nobody anything else.
package struct AuditFinding: Hashable, Sendable {
  /// The fault, by the word that scripts read.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// It has no name.
    case unnamed
    /// Others are told like it but for a number.
    case duplicate
    /// It is neither seen nor a row that can be scrolled to.
    case unreachable
    /// It is too small to be hit.
    case tiny
    /// It can be dragged, but nobody knows as what.
    case sourceWithoutTypes = "source-without-types"
    /// A rule of the profile fits nothing.
    case deadRule = "dead-rule"
    /// A view tells less than another view of the same program would.
    case silentView = "silent-view"
  }

  package var kind: Kind
  /// How the place is told; the name of the profile for a rule.
  package var name: String
  /// How many places share the name, which side of a tiny place is how long, or which rule it is,
  /// counted from 1.
  package var number: Int?
  /// The key that shows a view that tells more.
  package var key: KeyStroke?

  package init(_ kind: Kind, _ name: String, number: Int? = nil) {
    self.kind = kind
    self.name = name
    self.number = number
  }
}

/// Looks through the places of a window.
///
/// Pure: it looks at what was read of the window.
package enum Audit {
  /// A side of fewer pixels than this is hard to hit, and drawn over by what is beside it.
  static let smallestSide = 8

  /// The faults of the places of one window.
  ///
  /// - Parameter untold: the view of files that tells nothing of what is in it. A row that can be
  ///   scrolled into view is not unreachable.
  /// - Returns: in the order of the places; one place may have several.
  package static func findings(
    _ places: [Place], untold: Place? = nil
  ) -> [AuditFinding] {
    var result: [AuditFinding] = []
    var told: Set<String> = []
    for place in places {
      if place.name.isEmpty, place.element != nil {
        result.append(AuditFinding(.unnamed, place.spokenName))
      } else if place.twins > 1, told.insert(key(of: place)).inserted {
        result.append(AuditFinding(.duplicate, place.name, number: place.twins))
      }
      if let rectangle = place.rectangle {
        let side = min(rectangle.width, rectangle.height)
        if side < smallestSide {
          result.append(AuditFinding(.tiny, place.spokenName, number: side))
        }
      } else if !place.isRow {
        result.append(AuditFinding(.unreachable, place.spokenName))
      }
      if place.traits.source == .unknown {
        result.append(AuditFinding(.sourceWithoutTypes, place.spokenName))
      }
    }
    if let view = untold {
      var finding = AuditFinding(.silentView, view.spokenName)
      finding.key = view.traits.detailsKey
      result.append(finding)
    }
    return result
  }

  /// The rules of a profile that fitted nothing in any of a program's windows.
  ///
  /// A window that was not open when it looked may have what they are for.
  package static func deadRules(
    of profile: ProgramProfile, used: Set<Int>
  ) -> [AuditFinding] {
    profile.rules.indices.filter { !used.contains($0) }.map {
      AuditFinding(.deadRule, profile.name, number: $0 + 1)
    }
  }

  /// Places that are told alike but for a number: of one name, and the same thing.
  private static func key(of place: Place) -> String {
    "\(place.role.rawValue) \(place.name)"
  }
}

/// What was found of one window.
package struct WindowAudit: Hashable, Sendable {
  /// How many places take a drop.
  package var places: Int
  package var findings: [AuditFinding]
  /// The rules of the program's profile that fitted something.
  package var usedRules: Set<Int>
}

extension Desktop {
  /// Looks through the places of a window that has just been listed, and what can be picked up there.
  func audit(_ listing: Listing) -> WindowAudit {
    let points = listing.dropPoints ?? []
    let window = window(listing.container.id)
    let places = points.compactMap { spot($0.id)?.place }
    return WindowAudit(
      places: points.count,
      findings: Audit.findings(places + (window?.others ?? []), untold: window?.untold),
      usedRules: window?.usedRules ?? [])
  }
}
