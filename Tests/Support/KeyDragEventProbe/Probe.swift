import Glibc
import KeyDrag
import KeyDragApp

/// A calendar with one event in it, as somebody would write it on the library:
/// `KeyDragEventProbe KEYS` presses these keys and prints what is said.
@main
enum Probe {
  static func main() async {
    guard CommandLine.arguments.count == 2 else { exit(64) }
    let host = DragHost()
    let calendar = host.addContainer("Calendar")
    host.register(DragHost.Source("Lunch with Ada") { Lunch() }, in: calendar)
    // Somewhere to go, so that the event can be held before another program is there.
    let later = DragHost.DropPoint("Later") { _ in
      DropProposal(.all, offers: [.move])
    } performDrop: { _ in
    }
    host.register(later, in: calendar)
    let app = TerminalApp("Calendar", in: SourceCatalogue())
    let status = await app.run(host, keys: CommandLine.arguments[1]) { message in
      print(message.text)
      fflush(nil)
    }
    exit(status)
  }
}

/// An event, as a calendar's file and as text.
struct Lunch: DragRepresentable {
  static let representedTypes = ["text/calendar", "text/plain"]

  var suggestedName: String { "Lunch with Ada" }

  func represented(as contentType: String, progress: LoadProgress) async throws -> [UInt8] {
    guard contentType == "text/calendar" else { return Array(suggestedName.utf8) }
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//KeyDrag//Tests//EN", "BEGIN:VEVENT",
      "UID:lunch@example.org", "DTSTAMP:20260102T110000Z", "DTSTART:20260105T110000Z",
      "SUMMARY:Lunch with Ada", "END:VEVENT", "END:VCALENDAR",
    ]
    return Array(lines.map { $0 + "\r\n" }.joined().utf8)
  }
}
