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
    write("command", ["name": name, "key": key])
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
    write(
      "announcement",
      [
        "id": id, "urgency": urgency.rawValue, "lang": phrases.catalogue.language,
        "by": by.rawValue, "text": text, "spoken": spoken == text ? nil : spoken,
        "args": ArgumentList(arguments), "again": isAgain ? true : nil,
      ])
  }

  /// Writes the state of the session if it has changed; evaluated only with a transcript.
  package mutating func state(_ state: @autoclosure () -> SessionState, phrases: Phrasebook) {
    guard sink != nil else { return }
    let state = state()
    guard state != lastState else { return }
    lastState = state
    let verdict = state.verdict
    write(
      "state",
      [
        "phase": state.phase.rawValue, "container": state.container, "app": state.app,
        "item": state.item, "selected": state.selected, "carried": state.carried,
        "dropPoint": state.dropPoint, "position": state.position.map { "\($0)" },
        "of": state.of, "verdict": verdict?.word.rawValue, "reason": verdict?.reason,
        "result": verdict.flatMap(phrases.result),
        "accepted": state.position == nil ? nil : verdict?.accepted,
        "operation": verdict?.operation, "index": state.index, "total": state.total,
      ])
  }

  package mutating func delivery(
    _ id: DeliveryID, _ event: DeliveryEvent, _ running: RunningDelivery
  ) {
    write("delivery", ["id": Int64(clamping: id.rawValue)] + Transcript.fields(event, running))
  }

  private static func fields(_ event: DeliveryEvent, _ running: RunningDelivery) -> ArgumentList {
    switch event {
    case .started(let progress): return fields("started", running, progress)
    case .progressed(let progress): return fields("progress", running, progress)
    case .asks: return fields("asks", running)
    case .goesOn: return fields("goes-on", running)
    case .finished(let result):
      let result = running.completed(result)
      return [
        "stage": "finished", "outcome": result.outcome.rawValue,
        "operation": result.effect.operation ?? running.operation,
        "route": result.route.rawValue, "items": running.count, "delivered": result.delivered,
        "failed": result.failures.count, "bytes": result.bytes, "totalBytes": result.totalBytes,
        "verified": result.verified,
      ]
    }
  }

  private static func fields(
    _ stage: String, _ running: RunningDelivery, _ progress: DeliveryProgress? = nil
  ) -> ArgumentList {
    [
      "stage": stage, "operation": running.operation, "items": running.count,
      // `totalBytes` is left out where it is unknown.
      "delivered": progress?.itemsDone, "bytes": progress?.bytesDone,
      "totalBytes": progress?.bytesTotal,
    ]
  }

  package mutating func end(status: Int32) { write("end", ["status": status]) }

  /// Writes a line, its number first.
  private mutating func write(_ kind: String, _ fields: @autoclosure () -> ArgumentList) {
    guard let sink else { return }
    sequence += 1
    if !sink.write(JSONLine(["seq": sequence, "kind": kind] + fields()).bytes) {
      isBroken = true
      self.sink = nil
    }
  }
}
