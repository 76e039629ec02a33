import KeyDrag
import NotesSample
import Synchronization
import Testing

@Suite("The sample of notes")
struct NotesTests {
  private let styled = "<p>Dear <b>Ada</b>, thank you!</p>"

  @Test("H21, H16: a note keeps its styles in the letter, and loses them where there are none")
  func styles() async {
    let sample = NotesSample()
    let run = await SampleRun.ready(sample.host)
    await run.perform(.pickUp, until: "drop-point")
    let kept = await run.type("letter", until: "drop-point")
    #expect(kept.hasPrefix("Letter: copy.") && !kept.contains("Becomes"), "\(kept)")
    await run.perform(.drop, until: "delivered")
    #expect(sample.letter.rows.map(\.html) == [styled])
    await run.perform(.firstItem, until: "item")
    await run.perform(.pickUp, until: "drop-point")
    let said = await run.type("plain", until: "drop-point")
    #expect(said.hasPrefix("Plain lines: copy. Becomes text/plain."), "\(said)")
    await run.perform(.drop, until: "delivered")
    #expect(sample.lines.rows == ["Dear Ada, thank you!"])
    await run.end()
  }

  @Test("H21: words without styles take those of the letter, sign for sign")
  func plain() throws {
    let text = try StyledText(dragged: Array("a < b & \"c\"".utf8), contentType: "text/plain")
    #expect(text.html == "a &lt; b &amp; &quot;c&quot;")
    #expect(text.words == "a < b & \"c\"")
    #expect(StyledText(html: "<i>x</i> &amp;lt; y").words == "x &lt; y")
    #expect(throws: Reason.nothingThere) {
      try StyledText(dragged: Array("<p> </p>".utf8), contentType: "text/html")
    }
  }

  @Test("H24: an event is a date in the diary, its name in a text, and no damaged one is taken")
  func event() async throws {
    let event = try CalendarEvent(
      dragged: Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY;LANGUAGE=en:Tea: at 5\r\n".utf8),
      contentType: "text/calendar")
    #expect(event.suggestedName == "Tea: at 5")
    let whole = try await event.represented(as: "text/calendar", progress: LoadProgress())
    #expect(String(decoding: whole, as: UTF8.self).hasSuffix("SUMMARY;LANGUAGE=en:Tea: at 5\r\n"))
    let name = try await event.represented(as: "text/plain", progress: LoadProgress())
    #expect(String(decoding: name, as: UTF8.self) == "Tea: at 5")
    #expect(throws: Reason.malformed) {
      try CalendarEvent(dragged: Array("lunch".utf8), contentType: "text/calendar")
    }
  }
}
