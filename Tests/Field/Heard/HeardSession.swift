import Foundation
import PrivateDesktop

/// A person's session with the real screen reader, whose words take the time that a voice takes.
final class HeardSession {
  let field: FieldDesktop
  private(set) var figures = HeardFigures(steps: [])
  private let transcript: String
  private let isOnScreen: Bool
  private let clock: LineClock
  private var readRecords = 0
  private var readSpeech = 0
  private(set) var told: [Record] = []

  /// Nothing is told and nothing is said for this long when a step has ended. A reader that hangs is
  /// noticed later.
  var pause = 0.9

  /// - Parameter isOnScreen: whether the messages stand on a screen that the reader may read, too.
  init(_ field: FieldDesktop, transcript: String, isOnScreen: Bool = false) {
    (self.field, self.transcript, self.isOnScreen) = (field, transcript, isOnScreen)
    clock = LineClock(field.path(transcript))
  }

  /// Starts the agent, and waits until it says that it is ready.
  func startAgent(_ case: Case) throws -> LiveCommand {
    let agent = try LiveCommand(
      [`case`.keydrag, "desktop", "--transcript", field.path("cache/transcript")]
        + `case`.announcing, on: field)
    do {
      try step("start", until: ["agent-ready"], within: 30) {}
    } catch {
      agent.stop()
      throw error
    }
    return agent
  }

  /// Starts the reader; returns once it has said that it is there.
  static func startReader(_ program: String, _ field: FieldDesktop) throws {
    let before = field.desktop.speech.utterances.count
    try field.desktop.launchReader(program)
    let isThere = field.wait(30) {
      field.desktop.speech.utterances.dropFirst(before).contains {
        $0.end != nil && $0.text.contains("eader on")
      }
    }
    if !isThere {
      throw SetupError(description: "no reader: \(field.desktop.complaints.suffix(900))")
    }
  }

  // MARK: Events

  private static let eventLog = "cache/events"

  /// Has what programs tell over the accessibility bus written down.
  func keepEvents() throws {
    let script = """
      a=$(gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus \\
        --method org.a11y.Bus.GetAddress | cut -d "'" -f 2)
      o="type='signal',interface='org.a11y.atspi.Event.Object',member="
      exec dbus-monitor --profile --address "$a" \\
        "type='signal',interface='org.a11y.atspi.Event.Window'" \\
        "$o'StateChanged',arg0='focused'" "$o'ActiveDescendantChanged'" "$o'Announcement'" \\
        "type='method_call',path_namespace='/org/a11y/atspi/accessible/message'" \\
        "type='method_call',path_namespace='/org/a11y/atspi/accessible/label'" \\
        "$o'SelectionChanged'" "$o'PropertyChange',arg0='accessible-description'" > "$1"
      """
    try field.start(["/bin/sh", "-c", script, "sh", field.path(Self.eventLog)])
  }

  /// The events of windows, focus and selection, with their seconds from the key before each.
  var events: String {
    let offset = Date().timeIntervalSince1970 - HeardSpeech.now
    let lines = (field.read(Self.eventLog) ?? "").split(separator: "\n").compactMap { line in
      let words = line.split(separator: "\t").map(String.init)
      guard words.count > 6, let time = Double(words[1]),
        let step = figures.steps.last(where: { $0.moment <= time - offset })
      else { return nil as String? }
      let after = String(format: "%.3f", time - offset - step.moment)
      return "\(step.key) \(after) \(words[3]) \(words[5]) \(words[words.count - 1])"
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Keys

  /// Holds a key for a tenth of a second, as a person does, and waits until all that comes of it has
  /// been told and said.
  ///
  /// - Parameters:
  ///   - ids: one of them is waited for, at most `seconds`.
  ///   - isMeasured: words before the session are nobody's figures.
  @discardableResult
  func press(
    _ key: String, until ids: Set<String> = [], within seconds: Double = 15,
    isMeasured: Bool = true
  ) throws -> Record? {
    try step(key, until: ids, within: seconds, isMeasured: isMeasured) {
      try field.run(["/usr/bin/xdotool", "keydown", key, "sleep", "0.1", "keyup", key])
    }
  }

  /// Does something that messages may follow.
  @discardableResult
  func step(
    _ name: String, until ids: Set<String> = [], within seconds: Double = 15,
    isMeasured: Bool = true, _ act: () throws -> Void
  ) throws -> Record? {
    let moment = HeardSpeech.now
    try act()
    var answer: Record?
    field.wait(seconds) {
      answer = records.dropFirst(readRecords).last { ids.contains($0.id) }
      return answer != nil || ids.isEmpty
    }
    rest()
    let (all, spoken) = (records, field.desktop.speech.utterances)
    let new = Array(all.dropFirst(readRecords))
    let due = new.firstIndex(where: Self.isSaid).flatMap { clock.moment(ofLine: readRecords + $0) }
    var step = HeardStep(
      key: name, at: moment, new.filter(Self.isSaid), due: due,
      Array(spoken.dropFirst(readSpeech)), isOnScreen: isOnScreen)
    figures.move(to: &step)
    (readRecords, readSpeech) = (all.count, spoken.count)
    told += new
    if isMeasured { figures.steps.append(step) }
    return answer
  }

  /// Counts what the voice says now and has said of an earlier key's messages before: a reader that goes on
  /// after it hung may say what was told in another way meanwhile.
  func countLate(_ step: HeardStep?) {
    for words in step?.spoken ?? [] where !words.isOurs && !words.isCut {
      figures.countLate(words.text)
    }
  }

  /// A message that was given to the reader, not to the voice or to the screen alone.
  private static func isSaid(_ record: Record) -> Bool { record.isAnnouncement }

  private var records: [Record] {
    (field.read(transcript) ?? "").split(separator: "\n").compactMap { Record(String($0)) }
  }

  /// Returns when nothing more is told or said.
  private func rest() {
    var (count, spoken) = (-1, -1)
    var quiet = HeardSpeech.now
    field.wait(40) {
      let now = HeardSpeech.now
      let utterances = field.desktop.speech.utterances
      let isSpeaking = utterances.contains { $0.end == nil }
      let records = records.count
      if isSpeaking || records != count || utterances.count != spoken { quiet = now }
      (count, spoken) = (records, utterances.count)
      return now - quiet > pause
    }
  }
}
