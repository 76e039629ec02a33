extension Session {
  package var isTyping: Bool { line != nil }

  /// The words with which a braille display is to begin: the text that is typed, else the name of the place or
  /// the item where the person is.
  package var standing: String {
    if let line { return SpokenName.clean(line.text) }
    if case .confirming = phase { return "" }
    return state.dropPoint ?? state.item ?? ""
  }

  var line: TypedLine? {
    guard case .confirming(let question, _) = phase, case .line(let line) = question.subject else {
      return nil
    }
    return line
  }

  mutating func open(
    _ line: TypedLine, _ prompt: Confirmation, over underneath: Phase
  ) {
    assert(underneath.name != .confirming)
    let question = Question(subject: .line(line), confirmation: prompt, choices: [line.choice])
    phase = .confirming(question, over: underneath)
    say(.confirm(prompt, choices: line.text.isEmpty ? [] : [line.choice]))
    if !line.text.isEmpty { sayChoice(question) }
  }

  /// Echoes each character, and each word when a blank ends it.
  mutating func type(_ signs: String, _ line: TypedLine) {
    var line = line
    guard line.type(signs) else { return }
    say(.echo(signs == " " && !line.endedWord.isEmpty ? line.endedWord : signs))
    set(line)
  }

  /// Echoes what was deleted, and announces an empty line.
  mutating func delete(forward: Bool, _ line: TypedLine) {
    var line = line
    let gone = line.delete(forward: forward)
    if !gone.isEmpty { say(.echo(gone)) }
    set(line)
    if line.text.isEmpty, line.purpose != .filter || gone.isEmpty {
      say(.empty(container: ""))
    } else if gone.isEmpty {
      say(.echo(""))
    }
  }

  /// Echoes the character that the caret moves to.
  mutating func moveCaret(_ step: TypedLine.Step, _ line: TypedLine) {
    var line = line
    line.move(step)
    show(line)
    say(line.text.isEmpty ? .empty(container: "") : .echo(line.atCaret))
  }

  mutating func set(_ line: TypedLine) {
    show(line)
    guard line.purpose == .filter, case .confirming(let question, let underneath) = phase else {
      return
    }
    let narrowed = narrow(to: line.text, underneath)
    phase = .confirming(question, over: narrowed)
    sayFilter(line.text, narrowed)
  }

  private mutating func show(_ line: TypedLine) {
    guard case .confirming(var question, let underneath) = phase else { return }
    question.subject = .line(line)
    question.choices = [line.choice]
    phase = .confirming(question, over: underneath)
  }

  /// Enter: accepts the line.
  mutating func take(_ line: TypedLine, over underneath: Phase) {
    switch line.purpose {
    case .filter: return takeFilter(line, underneath)
    case .goTo: return takePath(line, underneath)
    case .newFolder, .rename, .dropIntoNew, .dropAs: break
    }
    if let reason = TypedLine.fault(ofName: line.text) {
      return say(.cannotName(name: SpokenName.file(line.text), reason))
    }
    switch line.purpose {
    case .filter, .goTo: break
    case .newFolder(let container): takeFolderName(line, in: container, underneath)
    case .rename(let source): takeName(line, of: source, underneath)
    case .dropIntoNew(let stop), .dropAs(let stop): takeDropName(line, at: stop, underneath)
    }
  }

  /// Escape: discards the line.
  mutating func leave(_ line: TypedLine, over underneath: Phase) {
    switch line.purpose {
    case .filter:
      let whole = narrow(to: "", underneath)
      phase = whole
      sayFilter("", whole)
    case .goTo, .newFolder, .rename, .dropIntoNew, .dropAs: goBack(underneath)
    }
  }
}

extension TypedLine {
  fileprivate var choice: Choice { .line(text, isSelected: isSelected) }
}
