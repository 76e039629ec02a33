/// The plural form for a count: a C expression in `n` from the header of a catalogue (gettext's
/// manual, "Plural forms").
///
/// Untrusted input: length and depth are bounded, arithmetic wraps, and a division by zero gives no
/// form instead of a signal.
struct PluralRule: Hashable, Sendable {
  /// In bytes; the longest rule of all languages has about 150.
  static let longest = 500
  /// The deepest nesting of parentheses, conditions and negations.
  static let deepest = 32

  /// The number of forms of a message.
  let forms: Int
  private let expression: Expression

  /// For a catalogue without a plural rule, as in libintl.
  static let usual = PluralRule(forms: 2, expression: .binary(.notEqual, .count, .number(1)))

  private init(forms: Int, expression: Expression) {
    self.forms = forms
    self.expression = expression
  }

  /// - Parameter text: up to the semicolon or the end of the line. Fails if it is no expression.
  init?(forms: Int, _ text: some Collection<UInt8>) {
    guard (1...100).contains(forms), text.count <= PluralRule.longest else { return nil }
    var parser = Parser(text)
    guard let expression = parser.whole() else { return nil }
    self.init(forms: forms, expression: expression)
  }

  /// `nil` if the expression can't be evaluated. A form out of range is the first one, as in
  /// libintl.
  func form(for count: UInt) -> Int? {
    expression.value(count).map { $0 < UInt(forms) ? Int($0) : 0 }
  }

  private enum Operation: Hashable, Sendable {
    case or, and, equal, notEqual, less, more, atMost, atLeast, plus, minus, times, over, modulo

    /// Higher levels bind tighter.
    var level: Int {
      switch self {
      case .or: 0
      case .and: 1
      case .equal, .notEqual: 2
      case .less, .more, .atMost, .atLeast: 3
      case .plus, .minus: 4
      case .times, .over, .modulo: 5
      }
    }

    /// `nil` for a division by zero.
    func applied(_ left: UInt, _ right: UInt) -> UInt? {
      switch self {
      case .or: left != 0 || right != 0 ? 1 : 0
      case .and: left != 0 && right != 0 ? 1 : 0
      case .equal: left == right ? 1 : 0
      case .notEqual: left != right ? 1 : 0
      case .less: left < right ? 1 : 0
      case .more: left > right ? 1 : 0
      case .atMost: left <= right ? 1 : 0
      case .atLeast: left >= right ? 1 : 0
      case .plus: left &+ right
      case .minus: left &- right
      case .times: left &* right
      case .over: right == 0 ? nil : left / right
      case .modulo: right == 0 ? nil : left % right
      }
    }
  }

  private indirect enum Expression: Hashable, Sendable {
    case count
    case number(UInt)
    case not(Expression)
    case binary(Operation, Expression, Expression)
    case choice(Expression, Expression, Expression)

    func value(_ count: UInt) -> UInt? {
      switch self {
      case .count: return count
      case .number(let number): return number
      case .not(let operand): return operand.value(count).map { $0 == 0 ? 1 : 0 }
      case .binary(let operation, let left, let right):
        guard let first = left.value(count) else { return nil }
        // Short-circuits, as in C.
        if operation == .or, first != 0 { return 1 }
        if operation == .and, first == 0 { return 0 }
        return right.value(count).flatMap { operation.applied(first, $0) }
      case .choice(let condition, let first, let second):
        return condition.value(count).flatMap { ($0 != 0 ? first : second).value(count) }
      }
    }
  }

  private struct Parser {
    private static let operators: [(sign: String, operation: Operation)] = [
      ("||", .or), ("&&", .and), ("==", .equal), ("!=", .notEqual), ("<=", .atMost),
      (">=", .atLeast), ("<", .less), (">", .more), ("+", .plus), ("-", .minus), ("*", .times),
      ("/", .over), ("%", .modulo),
    ]

    private var rest: ArraySlice<UInt8>
    private var depth = 0

    init(_ text: some Collection<UInt8>) { rest = Array(text)[...] }

    mutating func whole() -> Expression? {
      guard let result = choice(), isAtEnd() else { return nil }
      return result
    }

    private mutating func choice() -> Expression? {
      depth += 1
      defer { depth -= 1 }
      guard depth <= PluralRule.deepest, let condition = binary(from: 0) else { return nil }
      guard take("?") else { return condition }
      guard let first = choice(), take(":"), let second = choice() else { return nil }
      return .choice(condition, first, second)
    }

    private mutating func binary(from level: Int) -> Expression? {
      guard var left = operand() else { return nil }
      while let operation = takeOperator(from: level) {
        // Left-associative.
        guard let right = binary(from: operation.level + 1) else { return nil }
        left = .binary(operation, left, right)
      }
      return left
    }

    private mutating func operand() -> Expression? {
      depth += 1
      defer { depth -= 1 }
      guard depth <= PluralRule.deepest else { return nil }
      if take("!") { return operand().map { .not($0) } }
      if take("n") { return .count }
      if take("(") {
        guard let inside = choice(), take(")") else { return nil }
        return inside
      }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      return UInt(String(decoding: digits, as: UTF8.self)).map { .number($0) }
    }

    private mutating func takeOperator(from level: Int) -> Operation? {
      skipBlanks()
      let next = Self.operators.first { rest.starts(with: $0.sign.utf8) }
      guard let next, next.operation.level >= level else { return nil }
      rest = rest.dropFirst(next.sign.utf8.count)
      return next.operation
    }

    private mutating func take(_ sign: String) -> Bool {
      skipBlanks()
      guard rest.starts(with: sign.utf8) else { return false }
      rest = rest.dropFirst(sign.utf8.count)
      skipBlanks()
      return true
    }

    private mutating func isAtEnd() -> Bool {
      skipBlanks()
      return rest.isEmpty
    }

    private mutating func skipBlanks() {
      rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
  }
}
