import CAtspi
import KeyDragBus

/// A query for elements in one message (`org.a11y.atspi.Collection`). Toolkits without it are asked
/// for children level by level.
struct MatchRule: Hashable, Sendable {
  /// All of these must be set.
  var states: AccessibleStates = []
  /// Any of these; every role when empty.
  var roles: Set<String> = []

  private static let all = Int32(ATSPI_Collection_MATCH_ALL.rawValue)
  private static let any = Int32(ATSPI_Collection_MATCH_ANY.rawValue)
  private static let order = ATSPI_Collection_SORT_ORDER_CANONICAL.rawValue

  /// The rule on the wire: `(aiia{ss}iaiiasib)`.
  var value: BusValue {
    .tuple([
      .array(of: "i", states.words.map { .int32(Int32(bitPattern: $0)) }), .int32(Self.all),
      .array(of: "{ss}", []), .int32(Self.all),
      .array(of: "i", roleWords), .int32(roles.isEmpty ? Self.all : Self.any),
      .array(of: "s", []), .int32(Self.all), .bool(false),
    ])
  }

  /// Roles as bits, in words of 32.
  private var roleWords: [BusValue] {
    guard !roles.isEmpty else { return [] }
    // The protocol has room for 128 roles; later ones can't be queried.
    var words = [UInt32](repeating: 0, count: 4)
    for number in roles.compactMap(RoleNames.number) where number < 128 {
      words[number / 32] |= 1 << (number % 32)
    }
    return words.map { .int32(Int32(bitPattern: $0)) }
  }

  func call(_ path: String, most: Int, isDeep: Bool) -> BusCall {
    BusCall(
      path: path, interface: ATSPI_DBUS_INTERFACE_COLLECTION, member: "GetMatches",
      arguments: [value, .uint32(Self.order), .int32(Int32(most)), .bool(isDeep)])
  }
}
