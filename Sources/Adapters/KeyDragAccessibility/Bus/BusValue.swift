import CGDBus

/// A value as it goes over a bus, of the types that accessibility uses.
indirect enum BusValue: Hashable, Sendable {
  case bool(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case double(Double)
  case string(String)
  case path(String)
  /// The elements, and their type as a signature, which an empty array could not tell.
  case array(of: String, [BusValue])
  case tuple([BusValue])
  case entry(BusValue, BusValue)
  case variant(BusValue)
  /// Something that is never asked for.
  case other

  static func strings(_ values: [String]) -> BusValue {
    .array(of: "s", values.map(BusValue.string))
  }

  static func words(_ values: [UInt32]) -> BusValue {
    .array(of: "u", values.map(BusValue.uint32))
  }

  /// A dictionary of texts, sorted by key.
  static func texts(_ values: [String: String]) -> BusValue {
    .array(
      of: "{ss}",
      values.sorted { $0.key < $1.key }.map { .entry(.string($0.key), .string($0.value)) })
  }

  static var noProperties: BusValue { .array(of: "{sv}", []) }

  var text: String? {
    switch self {
    case .string(let text), .path(let text): text
    case .variant(let value): value.text
    default: nil
    }
  }

  var number: Int? {
    switch self {
    case .int32(let number): Int(number)
    case .uint32(let number): Int(number)
    case .variant(let value): value.number
    default: nil
    }
  }

  var flag: Bool? {
    switch self {
    case .bool(let flag): flag
    case .variant(let value): value.flag
    default: nil
    }
  }

  var elements: [BusValue] {
    switch self {
    case .array(_, let elements), .tuple(let elements): elements
    case .variant(let value): value.elements
    default: []
    }
  }
}

// MARK: Over the library

extension BusValue {
  /// A floating value of the library. Texts end at a zero byte, which a bus could not carry.
  func made() -> OpaquePointer? {
    switch self {
    case .bool(let value): g_variant_new_boolean(value ? 1 : 0)
    case .int32(let value): g_variant_new_int32(value)
    case .uint32(let value): g_variant_new_uint32(value)
    case .double(let value): g_variant_new_double(value)
    case .string(let value): g_variant_new_string(value)
    case .path(let value): g_variant_new_object_path(value)
    case .array(let type, let elements):
      g_variant_new_array(type, elements.map { $0.made() }, elements.count)
    case .tuple(let elements): g_variant_new_tuple(elements.map { $0.made() }, elements.count)
    case .entry(let key, let value): g_variant_new_dict_entry(key.made(), value.made())
    case .variant(let value): g_variant_new_variant(value.made())
    case .other: g_variant_new_tuple([], 0)
    }
  }

  /// Nothing that we ask for is nested deeper.
  static let deepest = 8

  /// Reads a value, which stays its owner's; what is nested deeper than anything we ask for, or has
  /// more elements than `limit` allows in all, is left out.
  init(_ variant: OpaquePointer, depth: Int = deepest, limit: Int = 20_000) {
    var left = limit
    self.init(variant, depth: depth, left: &left)
  }

  private init(_ variant: OpaquePointer, depth: Int, left: inout Int) {
    guard let type = g_variant_get_type_string(variant), depth > 0, left > 0 else {
      self = .other
      return
    }
    left -= 1
    switch UInt8(bitPattern: type.pointee) {
    case UInt8(ascii: "b"): self = .bool(g_variant_get_boolean(variant) != 0)
    case UInt8(ascii: "i"): self = .int32(g_variant_get_int32(variant))
    case UInt8(ascii: "u"): self = .uint32(g_variant_get_uint32(variant))
    case UInt8(ascii: "d"): self = .double(g_variant_get_double(variant))
    case UInt8(ascii: "s"): self = .string(Self.text(variant))
    case UInt8(ascii: "o"): self = .path(Self.text(variant))
    case UInt8(ascii: "a"):
      self = .array(
        of: String(cString: type + 1), Self.children(variant, depth: depth, left: &left))
    case UInt8(ascii: "("): self = .tuple(Self.children(variant, depth: depth, left: &left))
    case UInt8(ascii: "{"):
      let parts = Self.children(variant, depth: depth, left: &left)
      self = parts.count == 2 ? .entry(parts[0], parts[1]) : .other
    case UInt8(ascii: "v"):
      self = Self.children(variant, depth: depth, left: &left).first.map(BusValue.variant) ?? .other
    default: self = .other
    }
  }

  private static func text(_ variant: OpaquePointer) -> String {
    g_variant_get_string(variant, nil).map { String(cString: $0) } ?? ""
  }

  private static func children(
    _ variant: OpaquePointer, depth: Int, left: inout Int
  ) -> [BusValue] {
    var result: [BusValue] = []
    for index in 0..<g_variant_n_children(variant) where left > 0 {
      guard let child = g_variant_get_child_value(variant, index) else { continue }
      result.append(BusValue(child, depth: depth - 1, left: &left))
      g_variant_unref(child)
    }
    return result
  }
}
