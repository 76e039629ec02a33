import Foundation

/// One line of a transcript.
struct Record {
  private let fields: [String: Any]
  let line: String

  init?(_ line: String) {
    let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    guard let fields = object as? [String: Any] else { return nil }
    self.fields = fields
    self.line = line
  }

  subscript(_ name: String) -> String? { Self.text(fields[name]) }

  /// An argument of an announcement.
  func argument(_ name: String) -> String? {
    Self.text((fields["args"] as? [String: Any])?[name])
  }

  private static func text(_ value: Any?) -> String? {
    switch value {
    case let text as String: text
    case let number as NSNumber: number.stringValue
    case let list as [Any]: list.compactMap { text($0) }.joined(separator: ", ")
    default: nil
    }
  }

  var kind: String { self["kind"] ?? "" }
  var id: String { self["id"] ?? "" }
  var text: String { self["text"] ?? "" }
  var isAnnouncement: Bool { kind == "announcement" }
  /// It was told before in a way that then led to nobody.
  var isAgain: Bool { fields["again"] as? Bool == true }
}
