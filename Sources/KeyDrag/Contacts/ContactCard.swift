/// A contact of a vCard: its name and addresses, and the card itself.
public struct ContactCard: Hashable, Sendable {
  /// Never empty.
  public var name: String
  /// E-mail addresses, in the order of the card.
  public var emails: [String]
  /// Telephone numbers as they are written, in the order of the card.
  public var phones: [String]
  /// Whether its owner marked it as not for everyone.
  public var isPrivate: Bool
  /// The original card with all its properties; converted to UTF-8 if it came in UTF-16.
  public let source: [UInt8]

  /// Creates a contact with these properties alone.
  public init(name: String, emails: [String] = [], phones: [String] = []) {
    self.name = name
    self.emails = emails
    self.phones = phones
    isPrivate = false
    let lines =
      ["BEGIN:VCARD", "VERSION:4.0", "FN:\(VCardText.escaped(name))"]
      + emails.map { "EMAIL:\(VCardText.escaped($0))" }
      + phones.map { "TEL:\(VCardText.escaped($0))" } + ["END:VCARD", ""]
    source = Array(lines.joined(separator: "\r\n").utf8)
  }

  init(_ properties: [VCardProperty], source: [UInt8]) throws(Reason) {
    self.source = source
    var first: [String: String] = [:]
    emails = []
    phones = []
    isPrivate = false
    for property in properties {
      let text = try property.text()
      switch property.name {
      case "EMAIL": if !text.isEmpty { emails.append(text) }
      // In vCard 4.0 a number may be a URI.
      case "TEL":
        let number = text.hasPrefix("tel:") ? String(text.dropFirst(4)) : text
        if !number.isEmpty { phones.append(number) }
      case "CLASS": isPrivate = text.uppercased() != "PUBLIC"
      default: if !text.isEmpty, first[property.name] == nil { first[property.name] = text }
      }
    }
    // Exports leave out the name of a company, an address or a number alone.
    let names = ["FN", "N", "NICKNAME", "ORG"].compactMap { first[$0] } + emails + phones
    guard let name = names.first else { throw .malformed }
    self.name = name
  }

  /// The name with the first address: "Ada Lovelace <ada@example.org>".
  public var addressed: String { emails.first.map { "\(name) <\($0)>" } ?? name }
}

/// Contacts that are dragged together: one from a list, any number from a file.
public struct ContactCards: DragRepresentable, DropReadable, Hashable {
  /// The whole vCard, then "Ada Lovelace <ada@example.org>" as text.
  public static let representedTypes = ["text/vcard", "text/plain"]
  /// Only vCards.
  public static let acceptedTypes = ["text/vcard"]
  /// Enough for many contacts, each with a photo.
  public static let mostBytes: Int64 = 16 << 20
  static let mostCards = 10_000

  /// In the order of the file; never empty after reading one.
  public var cards: [ContactCard]
  /// Cards that could not be read.
  public private(set) var leftOut: [UnreadPart] = []

  /// Creates contacts to drag together.
  public init(_ cards: [ContactCard]) { self.cards = cards }

  /// Reads vCards 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), as programs write them, one after the
  /// other, in UTF-8 or UTF-16.
  ///
  /// A card that can't be read is left out, under its name if it has one, and the others are read.
  ///
  /// - Throws: ``Reason/malformed`` or another reason if no card can be read;
  ///   ``Reason/nothingThere`` for no data; ``Reason/tooBig`` and ``Reason/tooMany`` beyond
  ///   ``mostBytes`` and 10,000 cards.
  public init(dragged data: [UInt8], contentType: String) throws {
    guard Int64(data.count) <= Self.mostBytes else { throw Reason.tooBig }
    guard !data.isEmpty else { throw Reason.nothingThere }
    cards = []
    var reader = VCardReader(data)
    var isOver = false
    while !isOver {
      do throws(Reason) {
        guard let (properties, source) = try reader.next() else { break }
        cards.append(try ContactCard(properties, source: source))
      } catch {
        let number = cards.count + leftOut.count + 1
        leftOut.append(UnreadPart(name: reader.name, number: number, reason: error))
        isOver = !reader.skipToNext()
      }
      guard cards.count + leftOut.count <= Self.mostCards else { throw Reason.tooMany }
    }
    guard !cards.isEmpty else { throw leftOut.first?.reason ?? .malformed }
  }

  /// The first contact's name.
  public var suggestedName: String { cards.first?.name ?? "" }

  /// The original vCards, or a line of text for each contact.
  public func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] {
    guard contentType == "text/vcard" else {
      return Array(cards.map(\.addressed).joined(separator: "\n").utf8)
    }
    return cards.flatMap(\.source)
  }
}
