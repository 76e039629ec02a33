import KeyDragCore
import Yams

extension Configuration {
  static let settings: SettingsReader.Table<Configuration> = [
    ("language", { $1.language = try $0.language($2) }),
    ("verbosity", { $1.verbosity = try $0.choice($2, "verbosity", Verbosity.allCases) }),
    ("speech", { $1.speech = try $0.choice($2, "speech", Speech.allCases) }),
    ("synthesizer", { $1.synthesizer = try $0.choice($2, "synthesizer", Synthesizer.allCases) }),
    ("rate", { $1.rate = try $0.number($2, "rate", in: 80...450) }),
    ("pitch", { $1.pitch = try $0.number($2, "pitch", in: 0...100) }),
    ("volume", { $1.volume = try $0.number($2, "volume", in: 0...100) }),
    ("voices", { try $0.read(voices: $2, into: &$1.voices) }),
    ("earcons", { $1.earcons = try $0.flag($2, "earcons") }),
    ("clash", { $1.clash = try $0.choice($2, "clash", ClashPolicy.allCases) }),
    ("wait-for-disk", { $1.flushesToDevice = try $0.flag($2, "wait-for-disk") }),
    ("show-hidden", { $1.showsHidden = try $0.flag($2, "show-hidden") }),
    ("shortcuts", { $1.shortcuts = try $0.flag($2, "shortcuts") }),
    ("threshold", { $1.threshold = try $0.size($2, "threshold") }),
    ("keys", { try $0.read(keys: $2, into: &$1.keys) }),
  ]
}

extension SettingsReader {
  fileprivate func language(_ node: Node) throws(ConfigurationProblem) -> String {
    guard let text = node.scalar?.string, Self.isLanguage(text) else {
      throw wrong("language", .languageTag, node)
    }
    return text
  }

  fileprivate func number(
    _ node: Node, _ name: String, in range: ClosedRange<Int>
  ) throws(ConfigurationProblem) -> Int {
    guard let text = node.scalar?.string, let number = Int(text), range.contains(number) else {
      throw wrong(name, .wholeNumber(range), node)
    }
    return number
  }

  fileprivate func size(_ node: Node, _ name: String) throws(ConfigurationProblem) -> Int64 {
    guard let text = node.scalar?.string, let size = ByteSize.parse(text) else {
      throw wrong(name, .byteCount, node)
    }
    return size
  }

  fileprivate func read(
    voices node: Node, into voices: inout [String: String]
  ) throws(ConfigurationProblem) {
    if node.isEmpty { return }
    guard let mapping = node.mapping else { throw wrong("voices", .voices, node) }
    for (key, value) in mapping {
      try attempt { () throws(ConfigurationProblem) in
        guard let language = key.scalar?.string, Self.isLanguage(language) else {
          throw wrong("voices", .voiceLanguages, key)
        }
        guard let voice = value.scalar?.string, Self.isVoice(voice) else {
          throw wrong(language, .voiceName, value)
        }
        voices[language] = voice
      }
    }
  }

  fileprivate func read(
    keys node: Node, into keys: inout [KeySetting]
  ) throws(ConfigurationProblem) {
    if node.isEmpty { return }
    guard let phases = node.mapping else { throw wrong("keys", .phases, node) }
    for (phase, commands) in phases {
      try attempt { () throws(ConfigurationProblem) in
        guard let name = phase.scalar?.string else { throw wrong("keys", .phases, phase) }
        if commands.isEmpty { return }
        guard let mapping = commands.mapping else { throw wrong(name, .commands, commands) }
        for (command, strokes) in mapping {
          try attempt { () throws(ConfigurationProblem) in
            guard let known = command.scalar?.string else { throw wrong(name, .commands, command) }
            keys.append(
              KeySetting(
                phase: name, phasePlace: phase.place, command: known, commandPlace: command.place,
                strokes: try self.strokes(strokes, of: known)))
          }
        }
      }
    }
  }

  private func strokes(
    _ node: Node, of command: String
  ) throws(ConfigurationProblem) -> [KeySetting.Stroke] {
    var result: [KeySetting.Stroke] = []
    for node in node.sequence.map({ Array($0) }) ?? [node] {
      guard let stroke = node.scalar, !stroke.string.isEmpty else {
        throw wrong(command, .strokes, node)
      }
      result.append(KeySetting.Stroke(name: stroke.string, place: node.place))
    }
    return result
  }

  private static func isLanguage(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard text.utf8.count <= 35, let first = parts.first, (2...8).contains(first.count) else {
      return false
    }
    return first.allSatisfy { $0.isASCII && $0.isLetter }
      && parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.count)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
  }

  private static func isVoice(_ text: String) -> Bool {
    (1...40).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-+_()".contains($0)) }
  }
}
