import PrivateDesktop

/// One key of a session, with every message told because of it and everything the voice said after it.
struct HeardStep: Codable {
  /// A message of the transcript, and the fate of its words.
  struct Message: Codable {
    let id: String
    let text: String
    /// It was told before in a way that then led to nobody.
    var isAgain = false
    /// How often the voice said it to its end.
    var times = 0
    /// The voice began it, and never said it to its end.
    var isCut = false
  }

  /// Something that the voice was given.
  struct Words: Codable {
    let text: String
    /// Seconds from the key to its first word.
    let begin: Double
    let isCut: Bool
    /// Words of a message, not of the reader's own.
    let isOurs: Bool
  }

  let key: String
  /// Seconds on the machine's steady clock.
  let moment: Double
  var messages: [Message]
  /// Everything that was said, in order.
  var spoken: [Words] = []
  /// Seconds from the key to the first word of the first message; nothing where none was said.
  var firstWord: Double?
  /// The same from when the voice was free: the reader's own words since the key, such as that of the
  /// key itself, are said to their end first.
  var firstFreeWord: Double?
  /// The same from when there was something to say as well: an outcome is there when the drop is over.
  var firstDueWord: Double?

  init(key: String, _ messages: [Message]) {
    (self.key, self.messages, moment) = (key, messages, 0)
  }

  /// - Parameters:
  ///   - due: when the first of the messages stood in the transcript.
  ///   - isOnScreen: whether the messages stand on a screen that the reader may read, too.
  init(
    key: String, at moment: Double, _ told: [Record], due: Double?,
    _ spoken: [HeardSpeech.Utterance], isOnScreen: Bool
  ) {
    (self.key, self.moment) = (key, moment)
    // A message without words is told by its sound alone.
    messages = told.filter { !Self.plain($0.text).isEmpty }
      .map { Message(id: $0.id, text: $0.text, isAgain: $0.isAgain) }
    // One that took another way is one message still.
    for index in messages.indices.reversed() where messages[index].isAgain {
      let text = messages[index].text
      if messages[..<index].contains(where: { $0.text == text }) { messages.remove(at: index) }
    }
    // The voice is given what waits for it together, and says of one place the last alone.
    let places = told.filter { $0.isAgain && $0.id == "drop-point" }.map(\.text)
    messages.removeAll { places.dropLast().contains($0.text) }
    var whole = Self.whole(spoken)
    for index in messages.indices {
      let text = Self.plain(messages[index].text)
      messages[index].times = Self.count(text, in: &whole)
      messages[index].isCut =
        messages[index].times == 0
        && spoken.contains { $0.isCut && Self.isPart(Self.plain($0.text), of: text) }
    }
    // An outcome makes pointless what was still to be said on the way to it.
    for (outcomes, steps) in Self.ways
    where messages.contains(where: { outcomes.contains($0.id) }) {
      messages.removeAll { $0.times == 0 && steps.contains($0.id) }
    }
    let texts = messages.map { Self.plain($0.text) }
    // Line by line, and with what else stands there.
    let others = isOnScreen ? whole.split { "|#".contains($0) }.map(String.init) : []
    for piece in others {
      let repeated = messages.indices.first {
        messages[$0].times > 0 && Self.isReading(piece, of: texts[$0])
      }
      if let repeated { messages[repeated].times += 1 }
    }
    let isOurs: (HeardSpeech.Utterance) -> Bool = { utterance in
      let words = Self.plain(utterance.text)
      return !words.isEmpty && texts.contains { words.contains($0) || $0.hasPrefix(words) }
    }
    self.spoken = spoken.map {
      Words(text: $0.text, begin: $0.begin - moment, isCut: $0.isCut, isOurs: isOurs($0))
    }
    firstWord = self.spoken.first(where: \.isOurs)?.begin
    let first = spoken.first(where: isOurs)
    let busy = spoken.filter { !isOurs($0) }.compactMap(\.end)
      .filter { end in first.map { end <= $0.begin } ?? false }
    let free = max(moment, busy.max() ?? moment)
    firstFreeWord = first.map { $0.begin - free }
    firstDueWord = first.map { max($0.begin - max(free, due ?? free), 0) }
  }

  private static let ways: [(outcomes: Set<String>, steps: Set<String>)] = [
    (
      ["delivered", "partly-delivered", "unconfirmed", "failed", "delivery-cancelled"],
      ["delivering", "progress", "task"]
    ),
    (["picked-up", "nothing-to-pick-up"], ["picking-up"]),
  ]

  /// All that was said to its end; words that go on from one piece to the next stay apart by a mark.
  private static func whole(_ spoken: [HeardSpeech.Utterance]) -> String {
    spoken.filter { !$0.isCut }.map { plain($0.text) }.joined(separator: "|")
  }

  /// Whether a piece of the reader's own has half of a message in it, in one go. Names of a few letters
  /// are in much that a reader says.
  static func isReading(_ piece: String, of text: String) -> Bool {
    let (piece, text) = (Array(piece), Array(text))
    let least = max(leastRepeated, (text.count + 1) / 2)
    guard piece.count >= least else { return false }
    var ends = Array(repeating: 0, count: text.count + 1)
    for letter in piece {
      for index in text.indices.reversed() {
        ends[index + 1] = text[index] == letter ? ends[index] + 1 : 0
        if ends[index + 1] >= least { return true }
      }
    }
    return false
  }

  private static let leastRepeated = 8

  /// Words that are the reader's own.
  var others: [Words] { spoken.filter { !$0.isOurs } }

  /// Messages that the person heard whole, exactly once.
  var heard: Int { messages.count { $0.times == 1 } }
  var twice: Int { messages.count { $0.times > 1 } }
  var missing: Int { messages.count { $0.times == 0 } }

  /// Letters and digits alone: readers add stops, and leave marks out.
  fileprivate static func plain(_ text: String) -> String {
    String(text.lowercased().unicodeScalars.filter(\.properties.isAlphabeticOrDigit))
  }

  /// Readers may say a message in pieces, or several in one breath.
  private static func isPart(_ words: String, of text: String) -> Bool {
    !words.isEmpty && (text.contains(words) || words.contains(text))
  }

  /// Counts a text in what was said, pieces joined, and takes each away: a short one is part of a
  /// longer one that is counted on its own.
  private static func count(_ text: String, in spoken: inout String) -> Int {
    var count = 0
    while let range = range(of: Array(text), in: Array(spoken)) {
      var letters = Array(spoken)
      letters.replaceSubrange(range, with: "#")
      spoken = String(letters)
      count += 1
    }
    return count
  }

  /// The range of a text, whatever ends of pieces lie within it.
  private static func range(of text: [Character], in spoken: [Character]) -> Range<Int>? {
    for start in spoken.indices {
      var (at, matched) = (start, 0)
      while at < spoken.count, matched < text.count {
        if spoken[at] == text[matched] {
          matched += 1
        } else if spoken[at] != "|" || matched == 0 {
          break
        }
        at += 1
      }
      if matched == text.count { return start..<at }
    }
    return nil
  }
}

extension Unicode.Scalar.Properties {
  fileprivate var isAlphabeticOrDigit: Bool { isAlphabetic || numericType != nil }
}

/// The figures of one session.
struct HeardFigures: Codable {
  var steps: [HeardStep]

  /// Counts what a step tells once more as one message with that of the step before.
  mutating func move(to step: inout HeardStep) {
    for index in step.messages.indices where step.messages[index].isAgain {
      let text = step.messages[index].text
      for number in steps.indices.reversed() {
        guard let place = steps[number].messages.lastIndex(where: { $0.text == text }) else {
          continue
        }
        step.messages[index].times += steps[number].messages.remove(at: place).times
        break
      }
    }
  }

  /// Counts words that are a whole message of an earlier step as heard once more.
  mutating func countLate(_ words: String) {
    let words = HeardStep.plain(words)
    for number in steps.indices.reversed() {
      for index in steps[number].messages.indices
      where HeardStep.plain(steps[number].messages[index].text) == words {
        steps[number].messages[index].times += 1
        return
      }
    }
  }

  var said: Int { steps.reduce(0) { $0 + $1.messages.count } }
  var heard: Int { steps.reduce(0) { $0 + $1.heard } }
  var twice: Int { steps.reduce(0) { $0 + $1.twice } }
  var missing: Int { steps.reduce(0) { $0 + $1.missing } }
  var others: Int { steps.reduce(0) { $0 + $1.others.count } }
  /// Seconds from a key to the first word of ours, shortest first.
  var firstWords: [Double] { steps.compactMap(\.firstWord).sorted() }
  /// The same from when the voice was free.
  var firstFreeWords: [Double] { steps.compactMap(\.firstFreeWord).sorted() }
  /// The same from when there was something to say as well.
  var firstDueWords: [Double] { steps.compactMap(\.firstDueWord).sorted() }
  /// Words of all messages.
  var words: Int {
    steps.reduce(0) { sum, step in
      sum + step.messages.reduce(0) { $0 + $1.text.split(separator: " ").count }
    }
  }
}
