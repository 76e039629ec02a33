@testable import KeyDragCore

/// A session with a world that answers from a table: keys in, announcements out.
///
/// Requests are answered in order after each input, unless `holdsAnswers` is set; then a test answers
/// them one by one.
struct SessionDriver {
  var session: Session
  var stage: Stage
  /// Everything announced since the last ``hear()``.
  var announcements: [Announcement] = []
  /// Every effect since the start, in order.
  var effects: [Effect] = []
  /// Requests that have not been answered.
  var requests: [(id: RequestID, request: WorldRequest)] = []
  var holdsAnswers = false
  /// A place that was said when the person was not there any more.
  private(set) var stray: String?
  private var resolver: KeymapResolver
  private let phrases = Phrasebook()

  init(_ stage: Stage = .inboxAndDocs, settings: Session.Settings = Session.Settings()) {
    self.stage = stage
    session = Session(roots: stage.roots, settings: settings)
    resolver = KeymapResolver(session.keymap)
  }

  /// A session whose containers are listed and whose first announcement has been made.
  static func started(
    _ stage: Stage = .inboxAndDocs, settings: Session.Settings = Session.Settings()
  ) -> SessionDriver {
    var driver = SessionDriver(stage, settings: settings)
    driver.give(.start)
    driver.announcements = []
    return driver
  }

  // MARK: Inputs

  mutating func give(_ input: SessionInput, by stroke: KeyStroke? = nil) {
    apply(input, by: stroke)
    if !holdsAnswers { answerAll() }
  }

  /// Keys by their names, and text to search for in single quotation marks: `"'notes' space tab"`.
  mutating func press(_ keys: String) {
    for word in keys.split(separator: " ") {
      if word.hasPrefix("'") {
        give(.typeAhead(String(word.dropFirst().dropLast()).replacing("_", with: " ")))
      } else if let stroke = KeyStroke(name: String(word)) {
        let isChord = resolver.isInChord
        let input = input(for: stroke)
        give(input, by: isChord ? nil : stroke)
      }
    }
  }

  private mutating func input(for stroke: KeyStroke) -> SessionInput {
    switch resolver.resolve(
      stroke, in: session.phase.name, isFinding: session.search.isFinding,
      isNaming: session.search.isOpen, isTyping: session.isTyping)
    {
    case .matched(let command): .command(command)
    case .typed(let character): .typeAhead(String(character))
    case .pending, .unbound, .abandoned: .unknownKey(stroke)
    }
  }

  mutating func command(_ commands: CommandName...) {
    for command in commands { give(.command(command)) }
  }

  mutating func change(_ changes: RegistryChange...) { change(contentsOf: changes) }

  mutating func change(contentsOf changes: [RegistryChange]) {
    for change in changes { stage.apply(change) }
    give(.report(.changed(changes)))
  }

  @discardableResult
  mutating func apply(_ input: SessionInput, by stroke: KeyStroke? = nil) -> [Effect] {
    let new = session.apply(input, by: stroke)
    effects += new
    for effect in new {
      switch effect {
      case .announce(let announcement): announcements.append(announcement)
      case .request(let id, let request): requests.append((id, request))
      case .startTimer, .cancelTimer, .silence, .repaint, .quit, .interrupt, .took: break
      }
    }
    if isInWindow { noteStray(new) }
    return new
  }

  /// Whether one carries, and stands in a window.
  var isInWindow: Bool {
    session.phase.carry.map { session.isInWindow($0.place, $0) } ?? false
  }

  /// Where places are asked one by one, an answer is said at its place or not at all.
  private mutating func noteStray(_ effects: [Effect]) {
    let state = session.state
    guard state.phase == .carrying else { return }
    for case .announce(.dropPoint(let report)) in effects where report.name != state.dropPoint {
      stray = report.name
    }
  }

  // MARK: Answers

  mutating func answerAll() {
    while !requests.isEmpty { answerNext() }
  }

  mutating func answerNext() {
    guard !requests.isEmpty else { return }
    let (id, request) = requests.removeFirst()
    for report in stage.answers(to: request, id) { apply(.report(report)) }
  }

  /// Some of the places that are asked first answer, or all that the first request asks for.
  mutating func answerSome(using random: inout SeededRandom) {
    guard case .ask(let inquiry)? = requests.first?.request, inquiry.stops.count > 1 else {
      return answerNext()
    }
    answer(inquiry.stops.filter { _ in random.chance(30) })
  }

  /// This place alone answers the request that is first.
  mutating func answerOnly(_ point: DropPointID) { answer([DropStop(point)]) }

  private mutating func answer(_ stops: [DropStop]) {
    guard let (id, request) = requests.first, case .ask(let inquiry) = request else { return }
    for case .answered(_, let answers) in stage.answers(to: .ask(inquiry), id) {
      apply(.report(.answering(id, answers.filter { stops.contains($0.stop) })))
    }
  }

  // MARK: What was heard

  /// The words of everything announced since the last call.
  mutating func hear() -> [String] {
    defer { announcements = [] }
    return announcements.map(phrases.text)
  }

  /// The ids of everything announced since the last call.
  mutating func ids() -> [String] {
    defer { announcements = [] }
    return announcements.map(\.id)
  }

  /// What these keys lead to, in words.
  mutating func hear(_ keys: String) -> [String] {
    announcements = []
    press(keys)
    return hear()
  }

  var isBrowsing: Bool {
    if case .browsing(adding: nil) = session.phase { true } else { false }
  }

  var carried: [String] { session.phase.carry?.items.map(\.name) ?? [] }

  var orders: [DeliveryOrder] {
    effects.compactMap { effect in
      if case .request(_, .deliver(_, let order)) = effect { order } else { nil }
    }
  }

  /// The names of the places the walk visits by a key, until the source comes.
  mutating func walk(by key: String, limit: Int = 50) -> [String] {
    var names: [String] = []
    while names.count < limit {
      guard case .stop(let stop)? = session.phase.carry?.place else { break }
      names.append(session.state.dropPoint ?? "\(stop.point.rawValue)")
      press(key)
    }
    return names
  }
}
