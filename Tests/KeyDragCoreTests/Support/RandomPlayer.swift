import KeyDragCore

/// Plays at random on a registry made at random: keys, answers in and out of order, changes.
struct RandomPlayer {
  var driver: SessionDriver
  private(set) var pickUps = 0
  private(set) var drops = 0
  private var folders = ["Inbox", "Docs"]
  private var counter = 0
  private let hasHome: Bool
  private let hasWindows: Bool

  init(
    _ random: inout SeededRandom, hasHome: Bool = true, reachesWindows: Bool = false
  ) {
    self.hasHome = hasHome
    hasWindows = !hasHome || reachesWindows
    var stage = Stage()
    let names = ["alpha", "beta", "Ärger", "Łódź", "gamma ray", "b", "zeta.txt"]
    for root in ["Inbox", "Docs"] {
      let items = names.filter { _ in random.chance(70) }.map { root.prefix(1) + $0 }
      stage.folder(root, ["Sub\(root)/"] + items.map(String.init))
      stage.folder("Sub\(root)", in: root, ["deep"])
    }
    stage.list("Rows", ["one", "two", "three"])
    stage.tasks = [Stage.trash]
    stage.holdsDeliveries = true
    var settings = Session.Settings()
    settings.hasHome = hasHome
    settings.reachesWindows = reachesWindows
    if hasWindows { RandomPlayer.addWindows(&stage) }
    driver = SessionDriver(stage, settings: settings)
    driver.holdsAnswers = true
    if !hasHome { for window in stage.windows { driver.register(window) } }
    driver.give(.start)
  }

  private static func addWindows(_ stage: inout Stage) {
    stage.window("Files", of: "Thunar", Stage.filesPlaces, items: ["notes.txt", "a.txt"])
    stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
    stage.window("Mail", of: "Thunderbird", ["To", "Body"])
    stage.openings[Stage.place("Docs")] = Stage.container("Mail")
  }

  mutating func step(_ random: inout SeededRandom) {
    driver.announcements = []
    let wasHeld = driver.session.phase.carry != nil
    if hasWindows, random.chance(15) { desktop(&random) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45: command(&random)
    case 45..<50 where random.chance(12): driver.give(.places(["a.txt"]))
    case 45..<50:
      driver.give(.typeAhead(["a", "b", "s", "x", "sub", ""].randomElement(using: &random) ?? ""))
    case 50..<80: answer(&random)
    case 80..<88: change(&random)
    case 88..<94: delivery(&random)
    case 94..<96: reproposal(&random)
    default: driver.give(Samples.inputs.randomElement(using: &random) ?? .resumed)
    }
    if !wasHeld, driver.session.phase.carry != nil { pickUps += 1 }
    drops +=
      driver.effects.filter { if case .request(_, .deliver) = $0 { true } else { false } }.count
  }

  /// What only a desktop does: windows come, go and change, focus moves, answers are late.
  private mutating func desktop(_ random: inout SeededRandom) {
    let window = driver.stage.windows.randomElement(using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: if !hasHome, let window { driver.register(window) }
    case 1 where !hasHome:
      driver.focus(["Files", "Mail"].randomElement(using: &random) ?? "Files", marked: "a.txt")
    case 2: if let window { driver.give(.report(.changed([.containerVanished(window.id)]))) }
    case 3:
      guard let window, var listing = driver.stage.listings[window.id] else { return }
      if random.chance(30) {
        listing.dropPoints = nil
      } else {
        listing.dropPoints?.shuffle(using: &random)
      }
      if random.chance(50), listing.dropPoints?.isEmpty == false {
        listing.dropPoints?.removeLast()
      }
      driver.give(.report(.changed([.replaced(listing)])))
    case 4:
      let place = DropPointDescriptor(
        id: Stage.place("To"), name: "To", container: Stage.container("Mail"))
      driver.give(.report(.changed([.dropPointAppeared(place, index: 0)])))
    case 5:
      guard let id = driver.requests.randomElement(using: &random)?.id else { return }
      driver.give(.timer(.asking(id)))
    default:
      driver.give(
        .command([.nextContainer, .previousContainer].randomElement(using: &random) ?? .redraw))
    }
  }

  /// What keys do in each phase, but for what ends it.
  private static let bound = Dictionary(
    uniqueKeysWithValues: PhaseName.allCases.map { phase in
      (
        phase,
        Keymap.standard.bindings.filter {
          $0.phases.contains(phase)
            && ![.quit, .interrupt, .cancel, .back].contains($0.command)
        }.map(\.command)
      )
    })

  private mutating func command(_ random: inout SeededRandom) {
    // Half of the time what the phase is for, so that sessions get somewhere.
    let bound = Self.bound[driver.session.phase.name] ?? []
    let all = random.chance(70) ? bound : CommandName.allCases
    let likely: [CommandName] = [.pickUp, .nextDropPoint, .drop, .take, .nextItem]
    let command =
      random.chance(40) ? likely.randomElement(using: &random) : all.randomElement(using: &random)
    driver.give(.command(command ?? .nextItem))
  }

  private mutating func answer(_ random: inout SeededRandom) {
    guard !driver.requests.isEmpty else { return }
    if random.chance(90) {
      driver.answerNext()
    } else if random.chance(50) {
      let request = driver.requests.remove(
        at: Int.random(in: 0..<driver.requests.count, using: &random))
      for report in driver.stage.answers(to: request.request, request.id) {
        driver.apply(.report(report))
      }
    } else {
      let id = driver.requests.randomElement(using: &random)?.id ?? RequestID(1)
      let reports = Samples.reports(id, DeliveryID(1))
      if let report = reports.randomElement(using: &random) { driver.give(.report(report)) }
    }
  }

  private mutating func change(_ random: inout SeededRandom) {
    let name = folders.randomElement(using: &random) ?? "Inbox"
    let id = Stage.container(name)
    counter += 1
    let listing = driver.stage.listings[id]
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let source = DragSourceDescriptor(
        id: Stage.source("new\(counter)", in: name), name: "new \(counter)", container: id,
        kind: .file)
      driver.change(.sourceAppeared(source, index: Int.random(in: -1..<9, using: &random)))
    case 1, 2:
      guard (listing?.sources?.count ?? 0) > 3 else { return }
      if let source = listing?.sources?.randomElement(using: &random) {
        driver.change(.sourceVanished(source.id, container: id))
      }
    case 3:
      let place = DropPointDescriptor(
        id: Stage.place("new\(counter)"), name: "Place \(counter)", container: id)
      driver.change(.dropPointAppeared(place, index: Int.random(in: -1..<9, using: &random)))
    case 4:
      guard (listing?.dropPoints?.count ?? 0) > 2 else { return }
      if let place = listing?.dropPoints?.randomElement(using: &random) {
        driver.change(.dropPointVanished(place.id, container: id))
      }
    default:
      if let listing { driver.change(.replaced(listing)) }
    }
  }

  private mutating func delivery(_ random: inout SeededRandom) {
    guard let id = driver.session.deliveries.keys.randomElement(using: &random) else { return }
    let events: [DeliveryEvent] =
      [
        .started(DeliveryProgress(bytesTotal: 1 << 30)),
        .progressed(DeliveryProgress(bytesDone: 1 << 29, bytesTotal: 1 << 30)),
      ]
      + DeliveryOutcome.allCases.map { outcome in
        let isWhole = outcome == .delivered
        return .finished(
          DeliveryResult(
            outcome: outcome, route: .files, delivered: isWhole ? 1 : 0,
            failures: isWhole ? [] : [DeliveryFailure(name: "b", reason: .deviceError)]))
      }
    driver.give(.report(.delivery(id, events.randomElement(using: &random) ?? events[0])))
  }

  private mutating func reproposal(_ random: inout SeededRandom) {
    let place = ["Inbox", "Docs", "SubInbox", "SubDocs"].randomElement(using: &random) ?? "Docs"
    let choices: [DropProposal] = [
      DropProposal(.all), .refused(.readOnly), DropProposal(.some(refused: [0: .wrongType])),
      DropProposal(.maybe), DropProposal(.cancels),
      DropProposal(.forbidden(.editModeOff), offers: []),
      DropProposal(.all, predictions: [.nameClash(["b"])]),
      DropProposal(.all, irreversible: .writeOnly),
    ]
    let target = Stage.place(place)
    if random.chance(50) {
      driver.stage.finalProposals[target] = choices.randomElement(using: &random)
    } else {
      driver.stage.proposals[target] = choices.randomElement(using: &random)
    }
  }
}
