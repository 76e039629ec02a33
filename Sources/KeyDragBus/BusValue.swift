/// A D-Bus value, of the types that accessibility uses. Other types are read as ``other``, so that
/// their message is not lost.
package indirect enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case double(Double)
  case string(String)
  case path(String)
  /// The elements, and their signature, which an empty array would lack.
  case array(of: String, [BusValue])
  case tuple([BusValue])
  case entry(BusValue, BusValue)
  case variant(BusValue)
  /// An unsupported type.
  case other

  package static func strings(_ values: [String]) -> BusValue {
    .array(of: "s", values.map(BusValue.string))
  }

  package static func words(_ values: [UInt32]) -> BusValue {
    .array(of: "u", values.map(BusValue.uint32))
  }

  /// A dictionary of strings, sorted by key.
  package static func texts(_ values: [String: String]) -> BusValue {
    .array(
      of: "{ss}",
      values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .string($0.value)) })
  }

  /// An empty dictionary of variants, as events carry one.
  package static var noProperties: BusValue { .array(of: "{sv}", []) }

  /// The string in it, also within a variant; `nil` for other types.
  package var text: String? {
    switch self {
    case .string(let text), .path(let text): text
    case .variant(let value): value.text
    default: nil
    }
  }

  package var number: Int? {
    switch self {
    case .int32(let number): Int(number)
    case .uint32(let number): Int(number)
    case .variant(let value): value.number
    default: nil
    }
  }

  package var flag: Bool? {
    switch self {
    case .bool(let flag): flag
    case .variant(let value): value.flag
    default: nil
    }
  }

  /// The elements of an array or struct, also within a variant; empty for other types.
  package var elements: [BusValue] {
    switch self {
    case .array(_, let elements), .tuple(let elements): elements
    case .variant(let value): value.elements
    default: []
    }
  }
}
