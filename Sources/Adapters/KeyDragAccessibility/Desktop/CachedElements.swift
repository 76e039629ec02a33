import KeyDragBus
import KeyDragCore

/// A program's cache for assistive technologies (`org.a11y.atspi.Cache`), which holds only elements
/// that exist already. Supplies each element's facts, but not the hierarchy: GTK 4 keeps the pages
/// of a notebook where it shows what is on them.
struct CachedElements: Sendable {
  struct Item: Sendable {
    var role: String
    var states: AccessibleStates
    var name: String
    var childCount: Int
  }

  private var items: [ElementID: Item] = [:]

  /// Most values of the reply: some 25 for each of 10,000 elements.
  static let limit = 250_000
  static let path = "/org/a11y/atspi/cache"

  init() {}

  /// Items of another shape are skipped.
  init(_ values: [BusValue]?) {
    for value in values?.first?.elements ?? [] {
      // Itself, application, parent, index, child count, interfaces, name, role, description and
      // states.
      guard case .tuple(let parts) = value, parts.count == 10,
        let id = AtspiReplyDecoder.element(parts[0]), items[id] == nil,
        case .int32(let count) = parts[4],
        case .string(let name) = parts[6], case .uint32(let role) = parts[7],
        let states = AtspiReplyDecoder.states(parts[9])
      else { continue }
      items[id] = Item(
        role: RoleNames.name(Int(role)), states: states,
        name: AtspiReplyDecoder.name([.string(name)]), childCount: Int(count))
    }
  }

  subscript(id: ElementID) -> Item? { items[id] }
}
