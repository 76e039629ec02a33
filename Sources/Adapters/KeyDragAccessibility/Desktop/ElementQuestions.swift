import CAtspi
import KeyDragBus
import KeyDragCore

/// Builds calls; sends nothing.
extension ElementID {
  func ask(_ interface: String, _ member: String, _ arguments: BusValue...) -> BusRequest {
    BusRequest(
      program: program,
      call: BusCall(
        path: path, interface: "org.a11y.atspi." + interface, member: member,
        arguments: arguments))
  }

  func property(_ name: String, of interface: String = "Accessible") -> BusRequest {
    BusRequest(
      program: program,
      call: BusCall(
        path: path, interface: "org.freedesktop.DBus.Properties", member: "Get",
        arguments: [.string("org.a11y.atspi." + interface), .string(name)]))
  }

  var role: BusRequest { ask("Accessible", "GetRole") }
  var states: BusRequest { ask("Accessible", "GetState") }
  var name: BusRequest { property("Name") }
  var parent: BusRequest { property("Parent") }
  var children: BusRequest { ask("Accessible", "GetChildren") }
  /// Related elements, such as its label.
  var relations: BusRequest { ask("Accessible", "GetRelationSet") }
  var attributes: BusRequest { ask("Accessible", "GetAttributes") }
  var childCount: BusRequest { property("ChildCount") }
  var indexInParent: BusRequest { ask("Accessible", "GetIndexInParent") }

  func extents(_ coordinates: AtspiCoordType) -> BusRequest {
    ask("Component", "GetExtents", .uint32(coordinates.rawValue))
  }

  func child(_ index: Int) -> BusRequest {
    ask("Accessible", "GetChildAtIndex", .int32(Int32(clamping: index)))
  }

  /// Its first children, shown or not, where its toolkit has a call for it.
  func firstChildren(_ most: Int) -> BusRequest { matches(MatchRule(), most: most, isDeep: false) }

  /// Descendants that match a rule.
  ///
  /// - Parameter isDeep: whether to search below the children.
  func matches(_ rule: MatchRule, most: Int, isDeep: Bool) -> BusRequest {
    BusRequest(program: program, call: rule.call(path, most: most, isDeep: isDeep))
  }

  /// Its program's root, for questions about the program itself.
  var root: ElementID { ElementID(program: program, path: AccessibleTree.root) }
}
