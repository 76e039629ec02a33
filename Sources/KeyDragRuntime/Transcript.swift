import KeyDragCore

/// The sink of the transcript's lines; `write` returns `false` once they can't be written.
package protocol TranscriptSink: AnyObject, Sendable {
  /// Writes one whole line, including its line feed.
  func write(_ line: [UInt8]) -> Bool
}

/// The channel of an announcement; the raw value appears in the transcript.
package enum Channel: String, Hashable, Sendable, CaseIterable {
  case speech, orca, atspi, notification, screen, text
}

/// Everything a run says and does, one JSON object a line, numbered from 1. Nothing is written
/// after the first failure.
package struct Transcript {
  /// `nil` without a transcript and after a failure.
  private var sink: (any TranscriptSink)?
  private var sequence = 0
  /// The last one written, to skip repeats.
  private var lastState: SessionState?
  package private(set) var isBroken = false

  package init(sink: (any TranscriptSink)?) { self.sink = sink }

  /// Writes a command; `key` is named as in scripts, empty for none.
  package mutating func command(_ name: String, key: String) {
    write("command") { line in
      line.add("name", name)
      line.add("key", key)
    }
  }

  /// Writes an announcement as shown, and as spoken where that differs; `isAgain` if it was written
  /// before, for a channel that then failed.
  package mutating func announcement(
    _ announcement: Announcement, text: String, spoken: String, by: Channel, phrases: Phrasebook,
    isAgain: Bool = false
  ) {
    message(
      id: announcement.id, announcement.urgency, text: text, spoken: spoken, by: by,
      phrases: phrases, phrases.arguments(announcement), isAgain: isAgain)
  }

  /// Writes a message that belongs to no session, such as a line of a list.
  package mutating func message(
    id: String, _ urgency: Urgency = .polite, text: String, spoken: String, by: Channel,
    phrases: Phrasebook, _ arguments: [AnnouncementArgument] = [], isAgain: Bool = false
  ) {
    write("announcement") { line in
      line.add("id", id)
      line.add("urgency", urgency.rawValue)
      line.add("lang", phrases.catalogue.language)
      line.add("by", by.rawValue)
      line.add("text", text)
      if spoken != text { line.add("spoken", spoken) }
      line.add("args", arguments)
      if isAgain { line.add("again", true) }
    }
  }

  /// Writes the state of the session if it has changed; evaluated only with a transcript.
  package mutating func state(_ state: @autoclosure () -> SessionState, phrases: Phrasebook) {
    guard sink != nil else { return }
    let state = state()
    guard state != lastState else { return }
    lastState = state
    write("state") { line in
      line.add("phase", state.phase.rawValue)
      line.add("container", state.container)
      line.add("app", state.app)
      line.add("item", state.item)
      line.add("selected", state.selected)
      line.add("carried", state.carried)
      line.add("dropPoint", state.dropPoint)
      line.add("position", state.position.map(Transcript.name))
      line.add("of", state.of)
      line.add("verdict", state.verdict?.word.rawValue)
      line.add("reason", state.verdict?.reason?.rawValue)
      line.add("result", state.verdict.flatMap(phrases.result))
      line.add("accepted", state.position == nil ? nil : state.verdict?.accepted)
      line.add("operation", state.verdict?.operation?.rawValue)
      line.add("index", state.index)
      line.add("total", state.total)
    }
  }

  package mutating func delivery(
    _ id: DeliveryID, _ event: DeliveryEvent, _ running: RunningDelivery
  ) {
    write("delivery") { line in
      line.add("id", id.rawValue)
      switch event {
      case .started(let progress): Transcript.fill(&line, "started", running, progress)
      case .progressed(let progress): Transcript.fill(&line, "progress", running, progress)
      case .asks: Transcript.fill(&line, "asks", running)
      case .goesOn: Transcript.fill(&line, "goes-on", running)
      case .finished(let result):
        let result = running.completed(result)
        line.add("stage", "finished")
        line.add("outcome", result.outcome.rawValue)
        line.add("operation", (result.effect.operation ?? running.operation).rawValue)
        line.add("route", result.route.rawValue)
        line.add("items", running.count)
        line.add("delivered", result.delivered)
        line.add("failed", result.failures.count)
        line.add("bytes", result.bytes)
        line.add("totalBytes", result.totalBytes)
        line.add("verified", result.verified)
      }
    }
  }

  private static func fill(
    _ line: inout JSONLine, _ stage: String, _ running: RunningDelivery,
    _ progress: DeliveryProgress? = nil
  ) {
    line.add("stage", stage)
    line.add("operation", running.operation.rawValue)
    line.add("items", running.count)
    // `totalBytes` is left out where it is unknown.
    line.add("delivered", progress?.itemsDone)
    line.add("bytes", progress?.bytesDone)
    line.add("totalBytes", progress?.bytesTotal)
  }

  package mutating func end(status: Int32) {
    write("end") { $0.add("status", status) }
  }

  private static func name(_ position: DropPosition) -> String {
    switch position {
    case .before: "before"
    case .on: "on"
    case .after: "after"
    }
  }

  /// Writes a line, its number first.
  private mutating func write(_ kind: String, _ fill: (inout JSONLine) -> Void) {
    guard let sink else { return }
    sequence += 1
    var line = JSONLine()
    line.add("seq", sequence)
    line.add("kind", kind)
    fill(&line)
    if !sink.write(line.finished()) {
      isBroken = true
      self.sink = nil
    }
  }
}
