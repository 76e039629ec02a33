/// The help: a list to walk, first the keys of the current phase, then procedures of several keys.
extension Session {
  mutating func sayHelp() {
    if case .confirming(let question, let underneath) = phase, case .help = question.subject {
      leave(question, underneath)
      return
    }
    guard let underneath = underHelp else {
      say(.help(keyLines))
      return
    }
    let lines = keyLines + ways
    let question = Question(
      subject: .help(lines), confirmation: .help, choices: lines.map(Choice.help))
    phase = .confirming(question, over: underneath)
    say(.help(lines, isList: true))
    sayChoice(question)
  }

  /// The phase under the list; `nil` for help without a list: over a question, which must stay
  /// open, over a pending answer, which would be lost, and while the arrow keys belong to the
  /// program in front.
  private var underHelp: Phase? {
    switch phase {
    case .browsing: settings.picksFocus ? nil : phase
    case .carrying(let carry): carry.stage == .ready && carry.direct == nil ? phase : nil
    case .confirming: nil
    }
  }

  private var keyLines: [HelpLine] {
    let commands = keymap.bindings.filter { $0.phases.contains(phase.name) }.map(\.command)
    let lines = commands.filter(isOffered).compactMap(helpLine(of:))
    guard phase.name == .carrying, let finder = settings.finderKey else { return lines }
    return lines + [.finder(finder)]
  }

  /// The first key of a command in this phase, with its description; `nil` if it has none.
  func helpLine(of command: CommandName) -> HelpLine? {
    let phase = phase.name
    return keymap.chords(for: command, in: phase).first(where: isTaken)?.first.map {
      isTyping ? .lineKey($0, command) : .key($0, command, in: phase)
    }
  }

  private func isOffered(_ command: CommandName) -> Bool {
    switch command {
    case .filter, .goTo, .newFolder, .rename, .paste: settings.isInFolders
    case .undo, .redo: !isAsking
    case .complete, .previousCharacter, .nextCharacter: isTyping
    // It reads the line, as ``CommandName/nextChoice`` does.
    case .previousChoice: !isTyping
    default: true
    }
  }

  private func isTaken(_ chord: Keymap.Chord) -> Bool {
    // A character belongs to the line.
    if isTyping, chord.first?.written != nil { return false }
    return settings.takenKeys.map { taken in chord.allSatisfy(taken.contains) } ?? true
  }

  /// The procedures whose keys are all bound; none on the desktop, where other keys apply.
  private var ways: [HelpLine] {
    guard !settings.picksFocus else { return [] }
    return HowTo.allCases.compactMap { howTo in
      let keys = howTo.commands.compactMap { command, phase in
        keymap.bindings.first { $0.command == command && $0.phases.contains(phase) }?
          .chords.first?.first
      }
      return keys.count == howTo.commands.count ? .howTo(howTo, keys: keys) : nil
    }
  }
}

extension HowTo {
  /// The commands whose keys its text names, in order.
  fileprivate var commands: [(CommandName, PhaseName)] {
    switch self {
    case .sortMany: [(.pickUp, .browsing), (.nextDropPoint, .carrying), (.drop, .carrying)]
    case .carryFromSeveral: [(.toggleSelection, .browsing), (.pickUp, .browsing)]
    case .undoLast: [(.undo, .browsing), (.redo, .browsing)]
    case .nameClash: []
    }
  }
}
