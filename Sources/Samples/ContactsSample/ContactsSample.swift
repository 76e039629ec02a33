import KeyDrag

/// Two tables of contacts, and a field for recipients.
///
/// A table accepts contacts from the other one as objects, and vCards from outside, at a row or on
/// the empty area. The field keeps the name and the address alone.
public struct ContactsSample: Sendable {
  public let host: DragHost
  public let contacts: DragList<ContactCard>
  public let team: DragList<ContactCard>
  public let recipients: DragList<Recipient>
  /// The cards of the file that could not be read.
  public let leftOut: [UnreadPart]

  /// Creates the tables and the field.
  ///
  /// - Parameters:
  ///   - file: the initial vCards; by default a few built-in ones.
  ///   - phrases: the wording of the tables' names.
  /// - Throws: a ``Reason`` if the file holds no vCards.
  public init(
    file: [UInt8]? = nil, types: any ContentTypes = PlainContentTypes(),
    phrases: Phrasebook = Phrasebook()
  ) throws {
    let shown = try ContactCards(
      dragged: file ?? Array(Self.shipped.utf8), contentType: "text/vcard")
    host = DragHost(types: types)
    // The name of a table of contacts in a sample program.
    contacts = Self.table(phrases.phrase("Contacts"), host)
    // The name of a second table of contacts in a sample program: people who work together.
    team = Self.table(phrases.phrase("Team"), host)
    recipients = DragList(
      // The name of a field in a sample program: the people that a letter is written to.
      phrases.phrase("Recipients"), in: host, accepting: Recipient.self,
      refusing: Recipient.refusal
    ) { recipient in
      DragHost.Source(recipient.text) { recipient.text }
    } rows: { (recipient: Recipient) in
      [recipient]
    }
    contacts.insert(shown.cards)
    leftOut = shown.leftOut
  }

  private static func table(_ name: String, _ host: DragHost) -> DragList<ContactCard> {
    DragList(name, in: host, accepting: ContactCards.self) { card in
      // A private contact can't be dragged: its row supplies nothing.
      DragHost.Source(card.name) { card.isPrivate ? nil : ContactCards([card]) }
    } rows: { (dropped: ContactCards) in
      dropped.cards
    }
  }

  /// The contacts shown without a file.
  static let shipped = """
    BEGIN:VCARD
    VERSION:4.0
    FN:Ada Lovelace
    EMAIL:ada@example.org
    TEL;VALUE=uri:tel:+44-20-7946-0001
    END:VCARD
    BEGIN:VCARD
    VERSION:4.0
    FN:Louis Braille
    EMAIL:louis@example.org
    NOTE:Six dots.
    END:VCARD
    BEGIN:VCARD
    VERSION:3.0
    FN:Hedy Lamarr
    N:Lamarr;Hedy;;;
    EMAIL;TYPE=WORK:hedy@example.org
    CLASS:PRIVATE
    END:VCARD
    BEGIN:VCARD
    VERSION:4.0
    FN:Rózsa Péter
    EMAIL:rozsa@example.org
    END:VCARD

    """
}

/// The part of a contact that a field for recipients keeps.
public struct Recipient: DropReadable, Hashable {
  public static let acceptedTypes = ["text/vcard"]
  public static let mostBytes = ContactCards.mostBytes

  /// "Ada Lovelace <ada@example.org>".
  public var text: String

  public init(dragged data: [UInt8], contentType: String) throws {
    let read = try ContactCards(dragged: data, contentType: contentType)
    // A drop adds one recipient; a file of several people adds none of them.
    guard let card = read.cards.first, read.cards.count + read.leftOut.count == 1 else {
      throw Reason.tooMany
    }
    // Somebody without an address can't be written to.
    guard !card.emails.isEmpty else { throw Reason.noAddress }
    text = card.addressed
  }

  /// Known before the drop for contacts from the tables.
  static func refusal(of provider: ItemProvider) -> Reason? {
    guard let cards = provider.peek(ContactCards.self)?.cards else { return nil }
    return cards.allSatisfy { $0.emails.isEmpty } ? .noAddress : nil
  }
}
