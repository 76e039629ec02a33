import KeyDragCore

/// Windows of programs, whose places are not known until they are reached.
extension Stage {
  /// A window with items that can be picked up, and its places.
  mutating func window(
    _ name: String, of app: String, _ places: [String], items: [String] = [],
    answersWith reason: Reason? = nil
  ) {
    let id = Stage.container(name)
    var container = ContainerDescriptor(id: id, name: name, app: app)
    container.isAskedOnArrival = true
    windows.append(container)
    if let reason {
      unreadable[id] = reason
      return
    }
    listings[id] = Listing(
      container: container,
      sources: items.map {
        DragSourceDescriptor(
          id: Stage.source($0, in: name), name: $0, container: id, kind: .file)
      },
      dropPoints: places.map {
        DropPointDescriptor(id: Stage.place($0), name: $0, container: id, canOpen: true)
      })
  }

  static let filesPlaces = ["Sorted", "Docs", "Music", "Photos", "Videos", "Work"]

  /// A file manager, in front, a mail program and a browser.
  static var desktop: Stage {
    var stage = Stage()
    stage.window("Files", of: "Thunar", filesPlaces, items: ["notes.txt", "a.txt", "b.txt"])
    stage.window("Mail", of: "Thunderbird", ["To", "Body"])
    stage.window("Web", of: "Firefox", ["Page"])
    return stage
  }

  func answersRefusal(_ names: [String], _ reason: Reason = .notTaken) -> Stage {
    var stage = self
    for name in names { stage.proposals[Stage.place(name)] = .refused(reason) }
    return stage
  }
}

extension SessionDriver {
  /// A desktop whose windows are registered and not listed, with the files in focus.
  static func desktop(_ stage: Stage = .desktop) -> SessionDriver {
    var settings = Session.Settings()
    settings.hasHome = false
    var driver = SessionDriver(stage, settings: settings)
    for window in stage.windows { driver.register(window) }
    driver.give(.start)
    driver.focus("Files", marked: "notes.txt")
    driver.announcements = []
    driver.effects = []
    return driver
  }

  /// A desktop with something picked up, and everything answered.
  static func carrying(_ stage: Stage = .desktop) -> SessionDriver {
    var driver = SessionDriver.desktop(stage)
    driver.command(.pickUp)
    driver.effects = []
    return driver
  }

  /// In the list of deliveries while one runs, which the stage does not end.
  static func atDeliveries() -> SessionDriver {
    var stage = Stage.desktop
    stage.holdsDeliveries = true
    var driver = SessionDriver.carrying(stage)
    driver.press("enter")
    driver.announcements = []
    driver.command(.deliveries)
    return driver
  }

  mutating func register(_ window: ContainerDescriptor) {
    give(.register(Listing(container: window, sources: nil, dropPoints: nil)))
  }

  /// What is in focus on the desktop: the items of a window, some of them marked.
  mutating func focus(_ window: String, marked: String...) {
    let id = Stage.container(window)
    guard var listing = stage.listings[id] else { return }
    listing.dropPoints = nil
    give(.focus(listing, marked: marked.map { Stage.source($0, in: window) }))
  }

  /// What has been asked for and not been answered: places by their names, listings as "list Mail".
  var pending: [String] { requests.map { word(for: $0.request) } }

  /// The same for everything asked for since the effects were cleared.
  var asked: [String] {
    effects.compactMap { effect in
      if case .request(_, let request) = effect { word(for: request) } else { nil }
    }
  }

  private func word(for request: WorldRequest) -> String {
    switch request {
    case .ask(let inquiry):
      let names = inquiry.stops.map { name(of: $0.point) }.joined(separator: "+")
      return inquiry.isFinal ? "finally " + names : names
    case .list(.container(let id), _):
      return "list " + (stage.windows.first { $0.id == id }?.name ?? "?")
    case .prepare: return "prepare"
    case .list(.opened(let id), _): return "open " + name(of: id)
    case .deliver: return "deliver"
    case .restoreKeyboard: return "come back"
    default: return "\(request)"
    }
  }

  func name(of point: DropPointID) -> String {
    let points = stage.listings.values.lazy.flatMap { $0.dropPoints ?? [] } + stage.tasks
    return points.first { $0.id == point }?.name ?? "?"
  }

  /// Answers what was asked of a place, or the listing of a window, by the word in ``pending``.
  mutating func answer(_ words: String...) {
    for wanted in words {
      guard let index = pending.firstIndex(of: wanted) else { continue }
      let request = requests.remove(at: index)
      for report in stage.answers(to: request.request, request.id) { apply(.report(report)) }
    }
  }

  /// The time is over after which a late answer is worth a word, for what was asked under this word.
  mutating func isLate(_ word: String) {
    for request in requests where self.word(for: request.request) == word {
      give(.timer(.asking(request.id)))
    }
  }

  /// Whether a timer runs for what was asked under this word.
  func hasTimer(_ word: String) -> Bool {
    var running: Set<SessionTimer> = []
    for effect in effects {
      if case .startTimer(let timer, _) = effect { running.insert(timer) }
      if case .cancelTimer(let timer) = effect { running.remove(timer) }
    }
    return requests.contains {
      self.word(for: $0.request) == word && running.contains(.asking($0.id))
    }
  }

  var place: String? { session.state.dropPoint }
}
