import KeyDrag
import KeyDragApp

struct Book: Hashable, Sendable {
  var title: String
  var author: String
}

extension Book: DragRepresentable {
  static let representedTypes = ["text/plain"]

  var suggestedName: String { title }

  func represented(as contentType: String, progress: LoadProgress) async throws -> [UInt8] {
    Array("\(title) by \(author)".utf8)
  }
}

extension Book: DropReadable {
  static let acceptedTypes = ["text/plain"]

  init(dragged data: [UInt8], contentType: String) throws {
    let text = try String(dragged: data, contentType: contentType)
    let parts = text.split(separator: " by ", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { throw Reason.malformed }
    title = parts[0]
    author = parts[1]
  }
}

func shelf(of books: [Book]) -> DragHost {
  let host = DragHost()
  let shelf = host.addContainer("Shelf")
  for book in books { host.register(DragHost.Source(book.title) { book }, in: shelf) }

  let lent = host.addContainer("Lent")
  let ada = DragHost.DropPoint("Ada", accepting: Book.self, offers: .copy) { books, drop in
    for book in books {
      drop.landed(host.register(DragHost.Source(book.title) { book }, in: lent))
    }
  }
  host.register(ada, in: lent)
  return host
}

func lendInTerminal(_ host: DragHost) async -> Int32 {
  await TerminalApp("Shelf").run(host)
}

func lend(_ host: DragHost, say: @escaping @Sendable (SpokenAnnouncement) -> Void) async {
  let (messages, speaker) = AsyncStream.makeStream(of: SpokenAnnouncement.self)
  let session = host.begin { speaker.yield($0) }
  let keys = ["ready": "space", "drop-point": "enter"]
  for await message in messages {
    say(message)
    if let stroke = keys[message.id].flatMap(KeyStroke.init(name:)) { session.press(stroke) }
    if message.id == "delivered" { break }
  }
  await session.end()
}
