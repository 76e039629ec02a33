/// A line that is typed, whatever it is for.
extension Session {
  /// Whether every sign that is written belongs to a line.
  package var isTyping: Bool { line != nil }

  /// The line that is open.
  var line: TypedLine? {
    guard case .confirming(let question, _) = phase, case .line(let line) = question.subject else {
      return nil
    }
    return line
  }

  mutating func open(
    _ line: TypedLine, _ prompt: Confirmation, over underneath: Phase.Underneath
  ) {
    let choice = Choice.line(line.text)
    let question = Question(subject: .line(line), confirmation: prompt, choices: [choice])
    phase = .confirming(question, over: underneath)
    say(.confirm(prompt, choices: line.text.isEmpty ? [] : [choice]))
    if !line.text.isEmpty { sayChoice(question) }
  }

  /// Signs that are written are not said: a reader says them, and the person knows them.
  mutating func type(_ signs: String, _ line: TypedLine) {
    var line = line
    line.type(signs)
    set(line)
  }

  /// Takes back the last sign, and says what is left.
  mutating func takeBackSign(_ line: TypedLine) {
    var line = line
    line.takeBack()
    set(line)
    guard case .confirming(let question, _) = phase, line.purpose != .filter else { return }
    sayChoice(question)
  }

  mutating func set(_ line: TypedLine) {
    guard case .confirming(var question, let underneath) = phase else { return }
    question.subject = .line(line)
    question.choices = [.line(line.text)]
    switch line.purpose {
    case .filter:
      let narrowed = narrow(to: line.text, underneath)
      phase = .confirming(question, over: narrowed)
      sayFilter(line.text, narrowed)
    case .goTo, .newFolder, .rename, .dropIntoNew, .dropAs:
      phase = .confirming(question, over: underneath)
    }
  }

  /// Enter: what was typed is what is meant.
  mutating func take(_ line: TypedLine, over underneath: Phase.Underneath) {
    switch line.purpose {
    case .filter: takeFilter(line, underneath)
    case .goTo: takePath(line, underneath)
    case .newFolder(let container): takeFolderName(line, in: container, underneath)
    case .rename(let source): takeName(line, of: source, underneath)
    case .dropIntoNew(let stop), .dropAs(let stop): takeDropName(line, at: stop, underneath)
    }
  }

  /// Escape: what was typed is forgotten.
  mutating func leave(_ line: TypedLine, over underneath: Phase.Underneath) {
    switch line.purpose {
    case .filter:
      let whole = narrow(to: "", underneath)
      phase = Phase(whole)
      sayFilter("", whole)
    case .goTo, .newFolder, .rename, .dropIntoNew, .dropAs: goBack(underneath)
    }
  }
}

extension Phase {
  init(_ underneath: Underneath) {
    switch underneath {
    case .browsing(let adding): self = .browsing(adding: adding)
    case .carrying(let carry): self = .carrying(carry)
    }
  }
}
