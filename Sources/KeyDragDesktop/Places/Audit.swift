import KeyDragCore

/// A fault of a program's places that hinders walking them by name, as `keydrag audit` reports it.
package struct AuditFinding: Hashable, Sendable {
  /// The raw values are read by scripts.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case unnamed
    /// Other places have the same spoken name but for a number.
    case duplicate
    /// It is neither visible nor a row that can be scrolled to.
    case unreachable
    /// It is too small to hit.
    case tiny
    /// It can be dragged, but its content type is unknown.
    case sourceWithoutTypes = "source-without-types"
    /// A rule of the profile matches nothing.
    case deadRule = "dead-rule"
    /// Another view of the same program would expose its contents.
    case silentView = "silent-view"
  }

  package var kind: Kind
  /// The spoken name of the place; the name of the profile for a rule.
  package var name: String
  /// The number of places with the same name, the shorter side of a tiny place in pixels, or the
  /// number of the rule, counted from 1.
  package var number: Int?
  /// The key that switches to a view that exposes its contents.
  package var key: KeyStroke?

  package init(_ kind: Kind, _ name: String, number: Int? = nil) {
    self.kind = kind
    self.name = name
    self.number = number
  }
}

/// Checks the places of a window.
///
/// Pure: works on what was read of the window.
package enum Audit {
  /// In pixels; a shorter side is hard to hit, and neighbours draw over it.
  static let smallestSide = 8

  /// The faults of the places of one window.
  ///
  /// - Parameter untold: the file view that exposes no contents.
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

  /// The rules of a profile that matched nothing in any window of a program. They may be meant for
  /// a window that was not open.
  package static func deadRules(
    of profile: ProgramProfile, used: Set<Int>
  ) -> [AuditFinding] {
    profile.rules.indices.filter { !used.contains($0) }.map {
      AuditFinding(.deadRule, profile.name, number: $0 + 1)
    }
  }

  /// Equal for places with the same name and kind.
  private static func key(of place: Place) -> String {
    "\(place.role.rawValue) \(place.name)"
  }
}

package struct WindowAudit: Hashable, Sendable {
  /// The number of drop points.
  package var places: Int
  package var findings: [AuditFinding]
  /// The indices of the profile's rules that matched.
  package var usedRules: Set<Int>
}

extension Desktop {
  /// Checks the places of a window that has just been listed, and its pick-up-only elements.
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
