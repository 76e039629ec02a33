import CHeap
import KeyDragCore

/// Walking very many drop points while carrying.
enum WalkBenchmark {
  static let benchmark = Benchmark(name: "walk", about: "100,000 drop points while carrying") {
    sizes, _ in
    let names = ManyPlaces.names(sizes.many)
    let before = cheap_bytes_in_use()
    var places = ManyPlaces(names: names, items: 1)
    let registered = cheap_bytes_in_use() - before
    places.pickUp()
    let carried = cheap_bytes_in_use() - before
    let next = places.times(.command(.nextDropPoint), sizes.strokes)
    let previous = places.times(.command(.previousDropPoint), sizes.strokes)
    let arrow = places.times(.command(.nextPosition), sizes.strokes)
    let first = places.time(.typeAhead("place 09"))
    let indexed = cheap_bytes_in_use() - before
    let typed = places.typeAheadTimes(sizes.strokes)
    let word = places.times(.typeAhead("many"), sizes.strokes)
    let letter = places.times(.typeAhead("m"), sizes.strokes)
    let prefix = places.times(.typeAhead("place"), sizes.strokes)
    let shown = places.shownTimes(sizes.strokes)
    func bytes(_ name: String, _ count: Int, limit: Int?) -> Figure {
      let each = Double(count) / Double(sizes.many)
      return Figure(
        name, Text.number(each) + " bytes each", target: limit.map { "≤ \($0) bytes" } ?? "",
        isMet: limit.map { each <= Double($0) })
    }
    return withExtendedLifetime(names) {
      [
        .time("next among \(sizes.many) drop points", Median.of(next), atMost: 50e-6),
        .time("previous among them", Median.of(previous), atMost: 50e-6),
        .time("next by arrow among them", Median.of(arrow), atMost: 50e-6),
        .time("type-ahead among them", Median.of(typed), atMost: 50e-6),
        .time("a word that is in every name", Median.of(word), atMost: 50e-6),
        .time("a letter pressed again and again", Median.of(letter), atMost: 50e-6),
        .time("a beginning that every name has", Median.of(prefix), atMost: 50e-6),
        .time("the first type-ahead, which builds the index", first),
        .time("next with its words and 20 rows of screen", Median.of(shown)),
        bytes("memory of a registered drop point beyond its name", registered, limit: 300),
        bytes("the same while carrying", carried, limit: 300),
        bytes("the same after type-ahead", indexed, limit: 300),
      ]
    }
  }
}

/// A session that has one folder of many drop points.
struct ManyPlaces {
  var session: Session
  private let container = ContainerID(1)
  private let items: Int
  private let phrases = Phrasebook()

  static func names(_ count: Int) -> [String] { (0..<count).map(name) }

  private static func name(_ number: Int) -> String {
    let digits = String(number)
    return "Place " + String(repeating: "0", count: max(6 - digits.count, 0)) + digits + " of many"
  }

  init(names: [String], items: Int) {
    self.items = items
    let root = ContainerDescriptor(id: container, name: "Many", tree: container)
    session = Session(roots: [root])
    let requests = Self.requests(session.apply(.start))
    guard let id = requests.first?.id else { return }
    _ = session.apply(
      .report(.listed(id, Self.listing(root, names: names, items: items))))
  }

  private static func listing(
    _ root: ContainerDescriptor, names: [String], items: Int
  ) -> Listing {
    Listing(
      container: root,
      sources: (0..<items).map {
        DragSourceDescriptor(
          id: DragSourceID(UInt64($0)), name: "Item \($0)", container: root.id, kind: .file)
      },
      dropPoints: names.indices.map {
        DropPointDescriptor(id: DropPointID(UInt64($0)), name: names[$0], container: root.id)
      })
  }

  private static func requests(_ effects: [Effect]) -> [(id: RequestID, request: WorldRequest)] {
    effects.compactMap { if case .request(let id, let request) = $0 { (id, request) } else { nil } }
  }

  /// Picks everything up; all places accept all of it.
  mutating func pickUp() {
    if items > 1 { _ = session.apply(.command(.selectAll)) }
    answer(session.apply(.command(.pickUp)))
  }

  /// Plays the world.
  mutating func answer(_ effects: [Effect]) {
    var effects = effects
    while let (id, request) = Self.requests(effects).first {
      switch request {
      case .prepare(let sources):
        let items = sources.map {
          DragItem(
            source: $0, name: "Item", kind: .file, types: ["text/plain"],
            typeName: "text document", container: container, tree: container)
        }
        effects = session.apply(.report(.prepared(id, PreparedItems(items: items))))
      case .ask(let inquiry):
        let answers = inquiry.stops.map { Answer($0, DropProposal(.all)) }
        effects = session.apply(.report(.answered(id, answers)))
      default: return
      }
    }
  }

  mutating func time(_ input: SessionInput) -> Double {
    let start = Clock.now
    let effects = session.apply(input)
    let time = Clock.now - start
    return effects.isEmpty ? .nan : time
  }

  mutating func times(_ input: SessionInput, _ count: Int) -> [Double] {
    (0..<count).map { _ in time(input) }
  }

  /// Each time another name, spread over all of them.
  mutating func typeAheadTimes(_ count: Int) -> [Double] {
    let total = session.registry[container]?.dropPoints?.count ?? 1
    return (0..<count).map { round in
      let name = Self.name(round * 7919 % total)
      return time(.typeAhead(name))
    }
  }

  /// A step, its words, and what a screen shows of it.
  mutating func shownTimes(_ count: Int) -> [Double] {
    var top = 0
    return (0..<count).map { _ in
      let start = Clock.now
      var words = ""
      for effect in session.apply(.command(.nextDropPoint)) {
        if case .announce(let announcement) = effect { words = phrases.text(announcement) }
      }
      top = session.screen(height: 20, top: top, phrases: phrases, message: words).firstRow
      return Clock.now - start
    }
  }
}
