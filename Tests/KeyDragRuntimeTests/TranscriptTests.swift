import Testing

@testable import KeyDragCore
@testable import KeyDragRuntime

/// The transcript's lines.
struct TranscriptTests {
  @Test(
    "What JSON or a terminal would take for more than text is escaped",
    arguments: [
      ("plain", "plain"), ("say \"hi\"", "say \\\"hi\\\""), ("back\\slash", "back\\\\slash"),
      ("a\nb", "a\\nb"), ("\u{1B}[2J", "\\u001b[2J"),
      ("\u{0}\u{1F}\u{7F}", "\\u0000\\u001f\\u007f"),
      ("\u{9B}31m", "\\u009b31m"), ("\u{202E}x\u{2028}", "\\u202ex\\u2028"),
      ("Łódź 日本 👍", "Łódź 日本 👍"),
    ])
  func escaping(text: String, expected: String) {
    let line = JSONLine(["t": text]).bytes
    #expect(String(decoding: line, as: UTF8.self) == "{\"t\":\"\(expected)\"}\n")
  }

  @Test("Numbers, flags, lists and arguments keep their kinds; what is nil is left out")
  func kinds() {
    let inner: ArgumentList = ["count": 3]
    let line = JSONLine([
      "n": Int64.min, "none": Optional<Int>.none, "b": true, "l": ["a", "\""], "e": [String](),
      "o": inner, "p": ArgumentValue.objects([inner, [:]]),
    ])
    #expect(
      String(decoding: line.bytes, as: UTF8.self)
        == #"{"n":-9223372036854775808,"b":true,"l":["a","\""],"e":[],"o":{"count":3},"#
        + #""p":[{"count":3},{}]}"# + "\n")
  }

  @Test("Lines are numbered from 1 and have the fields of their kind")
  func fields() {
    let sink = LineSink()
    var transcript = Transcript(sink: sink)
    let phrases = Phrasebook()
    transcript.command("pick-up", key: "space")
    let announcement = Announcement.cancelled(names: ["a.txt"], count: 1)
    transcript.announcement(
      announcement, text: phrases.text(announcement), spoken: phrases.text(announcement), by: .text,
      phrases: phrases)
    transcript.state(SessionState(), phrases: phrases)
    let running = RunningDelivery(
      operation: .copy, names: ["a.txt"], items: [], count: 1, place: "Docs")
    transcript.delivery(DeliveryID(1), .started(DeliveryProgress(bytesTotal: 4)), running)
    transcript.delivery(DeliveryID(1), .asks(.menu), running)
    transcript.delivery(
      DeliveryID(1),
      .finished(
        DeliveryResult(
          outcome: .delivered, route: .files, delivered: 1, bytes: 4, totalBytes: 4, verified: true)
      ),
      running)
    transcript.end(status: 0)
    #expect(
      sink.lines == [
        #"{"seq":1,"kind":"command","name":"pick-up","key":"space"}"#,
        #"{"seq":2,"kind":"announcement","id":"cancelled","urgency":"assertive","lang":"en","#
          + #""by":"text","text":"Cancelled. Back at a.txt.","args":{"names":["a.txt"],"count":1}}"#,
        #"{"seq":3,"kind":"state","phase":"browsing","selected":[],"carried":0}"#,
        #"{"seq":4,"kind":"delivery","id":1,"stage":"started","operation":"copy","items":1,"#
          + #""delivered":0,"bytes":0,"totalBytes":4}"#,
        #"{"seq":5,"kind":"delivery","id":1,"stage":"asks","operation":"copy","items":1}"#,
        #"{"seq":6,"kind":"delivery","id":1,"stage":"finished","outcome":"delivered","#
          + #""operation":"copy","route":"files","items":1,"delivered":1,"failed":0,"bytes":4,"#
          + #""totalBytes":4,"verified":true}"#,
        #"{"seq":7,"kind":"end","status":0}"#,
      ])
  }

  @Test("A state is written when it is new, and not again")
  func statesOnce() {
    let sink = LineSink()
    var transcript = Transcript(sink: sink)
    var state = SessionState()
    transcript.state(state, phrases: Phrasebook())
    transcript.state(state, phrases: Phrasebook())
    state.dropPoint = "Docs"
    state.verdict = Verdict(.accept)
    state.position = .on
    transcript.state(state, phrases: Phrasebook())
    #expect(sink.lines.count == 2)
    #expect(
      sink.lines.last?.contains(#""dropPoint":"Docs","position":"on","verdict":"accept""#) == true)
  }

  @Test("A sink that refuses a line is given no other, and that is known")
  func brokenSink() {
    let sink = LineSink(limit: 1)
    var transcript = Transcript(sink: sink)
    transcript.command("a", key: "a")
    #expect(!transcript.isBroken)
    transcript.command("b", key: "b")
    #expect(transcript.isBroken)
    transcript.command("c", key: "c")
    #expect(sink.attempts == 2)
  }
}
