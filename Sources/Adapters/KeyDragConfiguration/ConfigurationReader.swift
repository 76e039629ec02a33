import KeyDragCore
import Yams

/// Walks the parsed file node by node, so that every problem has its place.
struct ConfigurationReader {
  /// Further problems are not reported.
  private static let mostProblems = 20

  /// A setting's name, and the function that reads its value.
  private struct Setting {
    var name: String
    var read: @Sendable (inout ConfigurationReader, Node) -> Void
  }

  private static let settings: [Setting] = [
    Setting(name: "language") { $0.readLanguage($1) },
    Setting(name: "verbosity") { reader, node in
      reader.configuration.verbosity =
        reader.choice(node, "verbosity") ?? reader.configuration.verbosity
    },
    Setting(name: "speech") { reader, node in
      reader.configuration.speech = reader.choice(node, "speech") ?? reader.configuration.speech
    },
    Setting(name: "synthesizer") { reader, node in
      reader.configuration.synthesizer =
        reader.choice(node, "synthesizer") ?? reader.configuration.synthesizer
    },
    Setting(name: "rate") { reader, node in
      reader.configuration.rate =
        reader.number(node, "rate", in: 80...450) ?? reader.configuration.rate
    },
    Setting(name: "pitch") { reader, node in
      reader.configuration.pitch =
        reader.number(node, "pitch", in: 0...100) ?? reader.configuration.pitch
    },
    Setting(name: "volume") { reader, node in
      reader.configuration.volume =
        reader.number(node, "volume", in: 0...100) ?? reader.configuration.volume
    },
    Setting(name: "voices") { $0.readVoices($1) },
    Setting(name: "earcons") { reader, node in
      reader.configuration.earcons = reader.flag(node, "earcons") ?? reader.configuration.earcons
    },
    Setting(name: "clash") { reader, node in
      reader.configuration.clash = reader.choice(node, "clash") ?? reader.configuration.clash
    },
    Setting(name: "wait-for-disk") { reader, node in
      reader.configuration.flushesToDevice =
        reader.flag(node, "wait-for-disk") ?? reader.configuration.flushesToDevice
    },
    Setting(name: "show-hidden") { reader, node in
      reader.configuration.showsHidden =
        reader.flag(node, "show-hidden") ?? reader.configuration.showsHidden
    },
    Setting(name: "shortcuts") { reader, node in
      reader.configuration.shortcuts =
        reader.flag(node, "shortcuts") ?? reader.configuration.shortcuts
    },
    Setting(name: "threshold") { reader, node in
      reader.configuration.threshold = reader.size(node) ?? reader.configuration.threshold
    },
    Setting(name: "keys") { $0.readKeys($1) },
  ]

  private let file: String
  var configuration = Configuration()
  private var problems: [ConfigurationProblem] = []

  private init(file: String) { self.file = file }

  /// The settings and problems in a text; `file` is the name in the problems.
  static func read(_ text: String, file: String) -> LoadedConfiguration {
    var reader = ConfigurationReader(file: file)
    if let place = AnchorScan.firstPlace(in: text) {
      reader.report(.anchor, at: place)
    } else {
      reader.parse(text)
    }
    return LoadedConfiguration(configuration: reader.configuration, problems: reader.problems)
  }

  private mutating func parse(_ text: String) {
    do {
      // The basic resolver leaves words as text: each setting decides on their meaning ("no" is a
      // language as well as an answer).
      let parser = try Parser(yaml: text, resolver: .basic, encoding: .utf8)
      guard let root = try parser.singleRoot() else { return }
      readSettings(root)
    } catch {
      let (kind, place) = YAMLProblem.read(error, in: text)
      report(kind, at: place)
    }
  }

  private mutating func readSettings(_ root: Node) {
    if isEmpty(root) { return }
    guard let mapping = root.mapping else { return report(.notSettings, at: place(of: root)) }
    for (key, value) in mapping {
      guard let name = key.scalar?.string else {
        report(.notSettings, at: place(of: key))
        continue
      }
      if let setting = Self.settings.first(where: { $0.name == name }) {
        setting.read(&self, value)
      } else {
        let nearest = Suggestions.name(to: name, among: Self.settings.map(\.name))
        report(.unknown(name, nearest: nearest), at: place(of: key))
      }
    }
  }

  // MARK: Settings with a form of their own

  private mutating func readLanguage(_ node: Node) {
    guard let text = node.scalar?.string, Self.isLanguage(text) else {
      return reportWrong("language", .languageTag, node)
    }
    configuration.language = text
  }

  private mutating func readVoices(_ node: Node) {
    if isEmpty(node) { return }
    guard let mapping = node.mapping else {
      return reportWrong("voices", .voices, node)
    }
    for (key, value) in mapping {
      guard let language = key.scalar?.string, Self.isLanguage(language) else {
        reportWrong("voices", .voiceLanguages, key)
        continue
      }
      guard let voice = value.scalar?.string, Self.isVoice(voice) else {
        reportWrong(language, .voiceName, value)
        continue
      }
      configuration.voices[language] = voice
    }
  }

  private mutating func readKeys(_ node: Node) {
    if isEmpty(node) { return }
    guard let phases = node.mapping else {
      return reportWrong("keys", .phases, node)
    }
    for (phase, commands) in phases {
      guard let phaseName = phase.scalar?.string else {
        reportWrong("keys", .phases, phase)
        continue
      }
      if isEmpty(commands) { continue }
      guard let mapping = commands.mapping else {
        reportWrong(phaseName, .commands, commands)
        continue
      }
      for (command, strokes) in mapping {
        readKey(phase: phaseName, at: place(of: phase), command: command, strokes: strokes)
      }
    }
  }

  private mutating func readKey(
    phase: String, at phasePlace: ConfigurationPlace, command: Node, strokes: Node
  ) {
    guard let name = command.scalar?.string else {
      return reportWrong(phase, .commands, command)
    }
    let nodes = strokes.sequence.map { Array($0) } ?? [strokes]
    var result: [KeySetting.Stroke] = []
    for node in nodes {
      guard let stroke = node.scalar, !stroke.string.isEmpty else {
        return reportWrong(name, .strokes, node)
      }
      result.append(KeySetting.Stroke(name: stroke.string, place: place(of: node)))
    }
    configuration.keys.append(
      KeySetting(
        phase: phase, phasePlace: phasePlace, command: name, commandPlace: place(of: command),
        strokes: result))
  }

  // MARK: Values

  private mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: Node, _ name: String
  ) -> Choice? where Choice.RawValue == String {
    if let text = node.scalar?.string, let choice = Choice(rawValue: text) { return choice }
    reportWrong(name, .oneOf(Choice.allCases.map(\.rawValue)), node)
    return nil
  }

  private mutating func number(_ node: Node, _ name: String, in range: ClosedRange<Int>) -> Int? {
    if let text = node.scalar?.string, let number = Int(text), range.contains(number) {
      return number
    }
    reportWrong(name, .wholeNumber(range), node)
    return nil
  }

  private mutating func flag(_ node: Node, _ name: String) -> Bool? {
    switch node.scalar?.string.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default:
      reportWrong(name, .oneOf(["true", "false"]), node)
      return nil
    }
  }

  private mutating func size(_ node: Node) -> Int64? {
    if let text = node.scalar?.string, let size = ByteSize.parse(text) { return size }
    reportWrong("threshold", .byteCount, node)
    return nil
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

  // MARK: Problems

  private func isEmpty(_ node: Node) -> Bool { YAMLProblem.isEmpty(node) }

  private func place(of node: Node) -> ConfigurationPlace { YAMLProblem.place(of: node) }

  private mutating func reportWrong(
    _ name: String, _ expected: ConfigurationProblem.Expectation, _ node: Node
  ) {
    report(.wrong(name, expected: expected, found: YAMLProblem.found(node)), at: place(of: node))
  }

  private mutating func report(_ kind: ConfigurationProblem.Kind, at place: ConfigurationPlace) {
    guard problems.count <= Self.mostProblems else { return }
    let isLast = problems.count == Self.mostProblems
    problems.append(
      ConfigurationProblem(file: file, place: place, kind: isLast ? .more : kind))
  }
}
