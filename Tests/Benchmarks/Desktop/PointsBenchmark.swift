import KeyDragCore
import KeyDragDesktop
import PrivateDesktop

/// The complete list of a window's drop points.
enum PointsBenchmark {
  static let benchmark = Benchmark(
    name: "points", about: "the drop points of programs of several toolkits and sizes"
  ) { sizes, _ in
    let floor = try DesktopFloor()
    var figures: [Figure] = []
    for (kind, words) in [("tree", "a tree view"), ("box", "a list box")] {
      for count in counts {
        let name = "points of GTK 3, \(words) of \(count)"
        figures += await shown(name, floor, MeasuredWindows.gtk3, count, kind) {
          // A walk over a list box of thousands takes minutes.
          let isWalked = count < (kind == "tree" ? 5_000 : 1_000)
          return try await gtk3(name, floor, pairs: sizes.pairs, isWalked: isWalked)
        }
      }
    }
    for (source, toolkit) in [(MeasuredWindows.qt5, "Qt 5"), (MeasuredWindows.gtk4, "GTK 4")] {
      for count in counts.prefix(2) {
        let name = "points of \(toolkit), a list of \(count)"
        figures += await shown(name, floor, source, count) {
          let pairs = try await walked(floor, pairs: min(sizes.pairs, 3))
          return [.pairs(name, pairs, peer: "pyatspi's walk", atMost: 0.5)]
        }
      }
    }
    return figures
  }

  /// Measures with a window shown; what goes wrong with one says nothing of the others.
  private static func shown(
    _ name: String, _ floor: DesktopFloor, _ source: String, _ count: Int, _ kind: String = "",
    _ measure: () async throws -> [Figure]
  ) async -> [Figure] {
    do {
      let window = try floor.start(source, String(count), kind)
      defer { window.end() }
      return try await measure()
    } catch {
      return [Figure(name, "not measured: \(error)", isMet: false)]
    }
  }

  private static let counts = [200, 1_000, 5_000]

  private static func gtk3(
    _ name: String, _ floor: DesktopFloor, pairs count: Int, isWalked: Bool
  ) async throws -> [Figure] {
    let session = floor.desktop.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    let bus = try BareBus.accessibility(session: session)
    let (frame, shown) = try await elements(floor)
    let questions = shown.flatMap { BareBus.look(at: $0) }
    var (first, again): ([(Double, Double)], [(Double, Double)]) = ([], [])
    for round in 0..<count {
      let bare = {
        try Clock.time {
          _ = try bus.ask([BareBus.matches(in: frame)])
          _ = try bus.ask(questions)
        }
      }
      // Nobody comes or goes while one of them is measured: a program is busy with that for a while.
      let world = try floor.world()
      defer { world.close() }
      let container = try await container(of: world)
      // The peer knows what is shown, and asks all of it at once: as a reader that was here before.
      let own: Lists
      let peer: Double
      if round.isMultiple(of: 2) {
        own = try await lists(of: container, world)
        peer = try bare()
      } else {
        peer = try bare()
        own = try await lists(of: container, world)
      }
      first.append((own.first, peer))
      again.append((own.again, peer))
    }
    let peer = "bulk call, names and places"
    var figures = [
      Figure.pairs(name + ", read again", Pairs(again), peer: peer, atMost: 1.3),
      Figure.pairs("the same, read for the first time", Pairs(first), peer: peer, atMost: 1.3),
      // They come all at once.
      Figure.time("the first 20 of them, for the first time", Pairs(first).own, atMost: 0.020),
    ]
    if isWalked {
      let walks = try await walked(floor, pairs: 1)
      figures.append(.pairs("the same beside pyatspi", walks, peer: "pyatspi's walk"))
    }
    return figures
  }

  /// Beside a walk that begins anew each time, as our list does.
  private static func walked(_ floor: DesktopFloor, pairs count: Int) async throws -> Pairs {
    var times: [(Double, Double)] = []
    for _ in 0..<count {
      let walker = try floor.helper(MeasuredWindows.walk)
      let words = try walker.line().split(separator: " ")
      guard let peer = words.first.flatMap({ Double($0) }) else {
        throw BenchmarkError("the walk says \(words)")
      }
      try walker.end()
      let world = try floor.world()
      defer { world.close() }
      let container = try await container(of: world)
      times.append((try await list(container, of: world), peer))
    }
    return Pairs(times)
  }

  /// The seconds until a reader has the list: one that knows the windows, and nothing of what is in
  /// them, and the same once more.
  private struct Lists {
    var first: Double
    var again: Double
  }

  private static func lists(
    of container: ContainerID, _ world: DesktopWorld
  ) async throws -> Lists {
    Lists(
      first: try await list(container, of: world), again: try await list(container, of: world))
  }

  private static func list(_ container: ContainerID, of world: DesktopWorld) async throws -> Double
  {
    let start = Clock.now
    let result = await world.places(of: container)
    let passed = Clock.now - start
    guard case .success(let listing) = result else {
      throw BenchmarkError("there is no list: \(result)")
    }
    let names = (listing.dropPoints ?? []).map(\.name)
    guard names.count >= 15, names.contains(where: { $0.hasPrefix("Row 1") }) else {
      throw BenchmarkError("the list is not complete: \(names)")
    }
    return passed
  }

  private static func container(of world: DesktopWorld) async throws -> ContainerID {
    let deadline = Clock.now + 30
    while Clock.now < deadline {
      if let found = try await world.look().first(where: { $0.name.hasPrefix("Measured") }) {
        return found.id
      }
    }
    throw BenchmarkError("the window is not listed")
  }

  /// The window, and those of its elements that are places.
  private static func elements(
    _ floor: DesktopFloor
  ) async throws -> (frame: ElementID, shown: [ElementID]) {
    let world = try floor.world()
    defer { world.close() }
    let listing = try await floor.window("Measured", of: world)
    var shown: [ElementID] = []
    for point in listing.dropPoints ?? [] {
      if let element = await world.place(point.id)?.element { shown.append(element) }
    }
    guard let program = shown.first?.program else { throw BenchmarkError("nothing is shown") }
    return (try await floor.frame(of: program, titled: "Measured"), shown)
  }
}

extension DesktopFloor {
  /// The accessible object of a window.
  func frame(of program: String, titled title: String) async throws -> ElementID {
    let reader = reader()
    let programs = await reader.programs()
    let frames = programs?.first { $0.bus == program }?.frames ?? []
    guard let frame = frames.first(where: { $0.title.hasPrefix(title) }) else {
      throw BenchmarkError("no window \(title) in \(programs ?? [])")
    }
    return frame.element
  }
}
