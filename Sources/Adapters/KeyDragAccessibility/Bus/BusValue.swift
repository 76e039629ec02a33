/// A value as it goes over a bus, of the types that accessibility uses.
///
/// Other types are read as ``other``, so that a message with one of them is not lost.
indirect enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case double(Double)
  case string(String)
  case path(String)
  /// The elements, and their type as a signature, which an empty array could not tell.
  case array(of: String, [BusValue])
  /// Values of several types together.
  case tuple([BusValue])
  /// A key and a value of a dictionary.
  case entry(BusValue, BusValue)
  /// A value that brings its type along.
  case variant(BusValue)
  /// Something that is never asked for.
  case other

  /// An array of texts.
  static func strings(_ values: [String]) -> BusValue {
    .array(of: "s", values.map(BusValue.string))
  }

  /// An array of numbers without a sign.
  static func words(_ values: [UInt32]) -> BusValue {
    .array(of: "u", values.map(BusValue.uint32))
  }

  /// A dictionary of texts, sorted by key.
  static func texts(_ values: [String: String]) -> BusValue {
    .array(
      of: "{ss}",
      values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .string($0.value)) })
  }

  /// An empty dictionary of any values, as events bring one.
  static var noProperties: BusValue { .array(of: "{sv}", []) }

  /// The text that it is, or that is in it; `nil` for anything else.
  var text: String? {
    switch self {
    case .string(let text), .path(let text): text
    case .variant(let value): value.text
    default: nil
    }
  }

  /// The whole number that it is, or that is in it.
  var number: Int? {
    switch self {
    case .int32(let number): Int(number)
    case .uint32(let number): Int(number)
    case .variant(let value): value.number
    default: nil
    }
  }

  /// The truth value that it is, or that is in it.
  var flag: Bool? {
    switch self {
    case .bool(let flag): flag
    case .variant(let value): value.flag
    default: nil
    }
  }

  /// The values that it is made of; none for anything else.
  var elements: [BusValue] {
    switch self {
    case .array(_, let elements), .tuple(let elements): elements
    case .variant(let value): value.elements
    default: []
    }
  }
}
