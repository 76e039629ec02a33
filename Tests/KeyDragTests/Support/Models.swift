import KeyDrag
import Synchronization

/// A contact that is given as vCard, then as text.
struct Contact: DragRepresentable, DropReadable, Hashable {
  static let representedTypes = ["text/vcard", "text/plain"]
  static let acceptedTypes = ["text/vcard"]

  var name: String
  var email: String
  var phone = ""
  /// Counts how often contacts were serialised.
  var count = Counter()

  var suggestedName: String { name }

  init(name: String, email: String, phone: String = "") {
    self.name = name
    self.email = email
    self.phone = phone
  }

  func represented(as contentType: String, progress: LoadProgress) async throws -> [UInt8] {
    count.add()
    guard contentType == "text/vcard" else { return Array("\(name) <\(email)>".utf8) }
    return Array(
      "BEGIN:VCARD\r\nFN:\(name)\r\nEMAIL:\(email)\r\nTEL:\(phone)\r\nEND:VCARD\r\n".utf8)
  }

  init(dragged data: [UInt8], contentType: String) throws {
    let lines = String(decoding: data, as: UTF8.self).split { $0.isNewline }
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
    }
    guard lines.first == "BEGIN:VCARD", lines.last == "END:VCARD", let name = value("FN") else {
      throw Reason.malformed
    }
    self.init(name: name, email: value("EMAIL") ?? "", phone: value("TEL") ?? "")
  }
}

/// What a recipient field takes of a contact: name and address, and nothing else.
struct Recipient: DropReadable, Hashable {
  static let acceptedTypes = ["text/vcard"]
  var text: String

  init(dragged data: [UInt8], contentType: String) throws {
    let contact = try Contact(dragged: data, contentType: contentType)
    text = "\(contact.name) <\(contact.email)>"
  }
}

/// Styled text, best as HTML.
struct StyledText: DragRepresentable, DropReadable, Hashable {
  static let representedTypes = ["text/html", "text/plain"]
  static let acceptedTypes = ["text/html"]
  var html: String
  var plain: String { html.replacing("<b>", with: "").replacing("</b>", with: "") }
  var suggestedName: String { plain }

  init(html: String) { self.html = html }

  init(dragged data: [UInt8], contentType: String) throws {
    html = try String(dragged: data, contentType: contentType)
  }

  func represented(as contentType: String, progress: LoadProgress) async throws -> [UInt8] {
    Array((contentType == "text/html" ? html : plain).utf8)
  }
}

/// A picture of any kind, by the type in which it came.
struct Picture: DropReadable, Hashable {
  static let acceptedTypes = ["image/*"]
  var type: String
  var bytes: [UInt8]

  init(dragged data: [UInt8], contentType: String) {
    (type, bytes) = (contentType, data)
  }
}

final class Counter: Hashable, Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
  // All counters are alike, so that what holds one is compared by the rest.
  static func == (lhs: Counter, rhs: Counter) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

/// A list that a test drops on, and what came of it.
final class Shelf<Value: DropReadable>: Sendable {
  let host = DragHost()
  let ear = Ear()
  let sources: ContainerID
  let target: ContainerID
  let values = Mutex<[Value]>([])

  init(accepting type: Value.Type, atMost limit: Int = .max) {
    sources = host.addContainer("Sources")
    target = host.addContainer("Room")
    host.register(
      DragHost.DropPoint("Shelf", accepting: Value.self, atMost: limit) { [self] new, _ in
        values.withLock { $0 += new }
      }, in: target)
  }

  func offer(_ name: String, _ item: @escaping @Sendable () throws -> ItemProvider?) {
    host.register(DragHost.Source(name, item: item), in: sources)
  }

  /// Picks up everything, drops it on the first place, and gives what is said then.
  func drop(_ outcome: String, _ controller: DragController) async -> String {
    _ = await ear.next("ready")
    controller.perform(.selectAll)
    controller.perform(.pickUp)
    _ = await ear.next("drop-point")
    controller.perform(.drop)
    return await ear.next(outcome).text
  }

  /// The same with a session of its own.
  func drop(_ outcome: String) async -> String {
    let controller = host.begin { self.ear.hear($0) }
    let text = await drop(outcome, controller)
    await controller.end()
    return text
  }

  /// Picks up everything and goes to the shelf, which refuses it, past a table that does not.
  func refusal() async -> String {
    host.register(
      DragHost.DropPoint("Table") { _ in
        DropProposal(.all)
      } performDrop: { _ in
      }, in: target)
    let controller = host.begin { self.ear.hear($0) }
    _ = await ear.next("ready")
    controller.perform(.selectAll)
    controller.perform(.pickUp)
    _ = await ear.next("drop-point")
    controller.perform(.toggleRefusing)
    controller.perform(.previousDropPoint)
    let text = await ear.next("drop-point").text
    await controller.end()
    return text
  }
}
