import KeyDrag

/// Notes with styles and an event, a letter that keeps styles, a list without any, and a diary.
///
/// The letter accepts a text with its styles, or a plain one as it comes. The list keeps the words
/// alone, in its own style. The diary accepts events.
public struct NotesSample: Sendable {
  public let host: DragHost
  public let notes: DragList<StyledText>
  public let letter: DragList<StyledText>
  public let lines: DragList<String>
  public let diary: DragList<CalendarEvent>

  /// - Parameter phrases: the wording of the lists' names.
  public init(
    types: any ContentTypes = PlainContentTypes(), phrases: Phrasebook = Phrasebook()
  ) {
    host = DragHost(types: types)
    // The name of a list of short texts in a sample program.
    notes = Self.texts(phrases.phrase("Notes"), host)
    // The name of a text in a sample program: a letter that keeps bold and italic words as they are.
    letter = Self.texts(phrases.phrase("Letter"), host)
    // The name of a list in a sample program: texts without bold or italic words.
    lines = DragList(phrases.phrase("Plain lines"), in: host, accepting: String.self) { line in
      DragHost.Source(line.suggestedName) { line }
    } rows: { (line: String) in
      [line]
    }
    // The name of a list of events with a date in a sample program.
    diary = DragList(phrases.phrase("Diary"), in: host, accepting: CalendarEvent.self) { event in
      DragHost.Source(event.suggestedName) { event }
    } rows: { (event: CalendarEvent) in
      [event]
    }
    notes.insert(Self.shipped.map(StyledText.init(html:)))
    diary.insert([Self.event])
  }

  private static func texts(_ name: String, _ host: DragHost) -> DragList<StyledText> {
    DragList(name, in: host, accepting: StyledText.self) { text in
      DragHost.Source(text.suggestedName) { text }
    } rows: { (text: StyledText) in
      [text]
    }
  }

  static let shipped = ["<p>Dear <b>Ada</b>, thank you!</p>", "<p>Tea &amp; <i>biscuits</i></p>"]

  static let event = CalendarEvent(
    lines: [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//KeyDrag//Sample//EN", "BEGIN:VEVENT",
      "UID:lunch@keydrag.example", "DTSTAMP:20260101T000000Z", "DTSTART:20261210T120000Z",
      "SUMMARY:Lunch with Ada", "END:VEVENT", "END:VCALENDAR",
    ])
}

/// A text with styles. A place without styles gets its words alone.
public struct StyledText: DragRepresentable, DropReadable, Hashable {
  public static let representedTypes = ["text/html", "text/plain"]
  public static let acceptedTypes = ["text/html", "text/plain"]
  /// Enough for a page, not for a book.
  public static let mostBytes: Int64 = 1 << 20

  public var html: String

  public init(html: String) { self.html = html }

  /// Text without styles takes those of its new place.
  public init(dragged data: [UInt8], contentType: String) throws {
    let text = try String(dragged: data, contentType: contentType)
    html = contentType == "text/html" ? text : Self.escaped(text)
    guard words.contains(where: { !$0.isWhitespace }) else { throw Reason.nothingThere }
  }

  /// The words without the styles.
  public var words: String {
    var words = ""
    var isTag = false
    for character in html {
      switch character {
      case "<": isTag = true
      case ">" where isTag: isTag = false
      default: if !isTag { words.append(character) }
      }
    }
    for (sign, name) in Self.signs.reversed() { words = words.replacing(name, with: sign) }
    return words
  }

  /// The characters with a meaning in HTML; the ampersand first, which all entities contain.
  private static let signs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")]

  private static func escaped(_ text: String) -> String {
    signs.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  public var suggestedName: String { words.suggestedName }

  public func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] { Array((contentType == "text/html" ? html : words).utf8) }
}

/// An event with a date (RFC 5545), which is kept as it came.
public struct CalendarEvent: DragRepresentable, DropReadable, Hashable {
  public static let representedTypes = ["text/calendar", "text/plain"]
  public static let acceptedTypes = ["text/calendar"]
  public static let mostBytes: Int64 = 1 << 20

  public var lines: [String]

  public init(lines: [String]) { self.lines = lines }

  public init(dragged data: [UInt8], contentType: String) throws {
    let text = try String(dragged: data, contentType: contentType)
    lines = text.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.first?.uppercased() == "BEGIN:VCALENDAR", lines.contains("BEGIN:VEVENT") else {
      throw Reason.malformed
    }
  }

  public var suggestedName: String {
    let summary = lines.first { $0.hasPrefix("SUMMARY") }.flatMap { line in
      line.firstIndex(of: ":").map { String(line[line.index(after: $0)...]) }
    }
    return (summary ?? "").suggestedName
  }

  public func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] {
    let text = contentType == "text/calendar" ? lines.map { $0 + "\r\n" }.joined() : suggestedName
    return Array(text.utf8)
  }
}
