/// A value in a line of the transcript.
package enum ArgumentValue: Hashable, Sendable {
  case text(String)
  case number(Int64)
  case flag(Bool)
  case list([String])
  case object(ArgumentList)
  case objects([ArgumentList])
}

package struct AnnouncementArgument: Hashable, Sendable {
  package var name: String
  package var value: ArgumentValue
}

/// Named values, in an order that reads well; `nil` is left out.
package struct ArgumentList: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  package var arguments: [AnnouncementArgument]

  package init(_ arguments: [AnnouncementArgument]) { self.arguments = arguments }

  package init(dictionaryLiteral elements: (String, (any ArgumentConvertible)?)...) {
    arguments = elements.compactMap { name, value in
      value.map { AnnouncementArgument(name: name, value: $0.argument) }
    }
  }

  package static func + (before: ArgumentList, after: ArgumentList) -> ArgumentList {
    ArgumentList(before.arguments + after.arguments)
  }
}

package protocol ArgumentConvertible {
  var argument: ArgumentValue { get }
}

extension String: ArgumentConvertible {
  package var argument: ArgumentValue { .text(self) }
}

extension ArgumentValue: ArgumentConvertible {
  package var argument: ArgumentValue { self }
}

extension Bool: ArgumentConvertible {
  package var argument: ArgumentValue { .flag(self) }
}

extension ArgumentList: ArgumentConvertible {
  package var argument: ArgumentValue { .object(self) }
}

extension [String]: ArgumentConvertible {
  package var argument: ArgumentValue { .list(self) }
}

extension FixedWidthInteger {
  package var argument: ArgumentValue { .number(Int64(clamping: self)) }
}

extension Int: ArgumentConvertible {}
extension Int32: ArgumentConvertible {}
extension Int64: ArgumentConvertible {}

extension RawRepresentable<String> {
  package var argument: ArgumentValue { .text(rawValue) }
}

extension DragOperation: ArgumentConvertible {}
extension Reason: ArgumentConvertible {}
