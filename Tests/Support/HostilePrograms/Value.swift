/// A value of a line of JSON, as programs tell it.
public enum Value: Decodable, Hashable, CustomStringConvertible {
  case flag(Bool)
  case number(Int)
  case text(String)
  case list([Value])
  case fields([String: Value])

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([Value].self) {
      self = .list(list)
    } else {
      self = .fields(try value.decode([String: Value].self))
    }
  }

  public var description: String {
    switch self {
    case .flag(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let value): value
    case .list(let values): values.map(\.description).joined(separator: ", ")
    case .fields(let fields): "\(fields)"
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
{
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int) { self = .number(value) }
  public init(booleanLiteral value: Bool) { self = .flag(value) }
  public init(arrayLiteral elements: Value...) { self = .list(elements) }
}
