import KeyDragCore
import KeyDragDesktop

/// A place of a running program with everything that tells it apart.
struct FoundPoint: Sendable {
  var window: ContainerDescriptor
  var point: DropPointDescriptor
  var place: Place
  var listing: Listing
  /// "3 of 12" in its window.
  var index: Int
  var total: Int

  /// Its name with its window and program.
  func name(in phrases: Phrasebook) -> String {
    phrases.placeName(
      point.name, in: point.leadsTo == window.id || point.name == window.name ? nil : window.name,
      app: window.app)
  }
}

/// Finds windows and places by the names that a person gives.
struct DesktopSearch {
  let world: DesktopWorld
  let phrases: Phrasebook
  /// What of the display is said where there are no windows; nothing where it has just gone.
  var silence: @Sendable () -> String = { "" }

  /// Why a window could not be read, with the window.
  typealias Silent = (window: ContainerDescriptor, reason: Reason)

  /// The windows of the programs that bear a name; all windows without one.
  ///
  /// - Throws: when there is no desktop, or no program of that name.
  func windows(of app: String?) async throws(CommandError) -> [ContainerDescriptor] {
    let all: [ContainerDescriptor]
    do throws(Reason) {
      all = try await world.look()
    } catch {
      throw CommandError(
        description: phrases.join(silence(), phrases.sentence(for: error)), status: .unavailable)
    }
    guard let app else { return all }
    let names = await world.names(of: all.map(\.id))
    switch NameSearch(names).find(app) {
    case .one(let index): return [all[index]]
    case .several(let indices): return indices.map { all[$0] }
    case .none(let nearest):
      throw CommandError(
        description: phrases.join(
          // A name on the command line. %1$@ is the name.
          phrases.phrase("No running program is called %1$@.", SpokenName.clean(app)),
          nearest.isEmpty
            ? nearby(Array(Set(all.compactMap(\.app))).sorted()) : Words.guess(nearest, in: phrases)
        ),
        status: .noInput)
    }
  }

  /// The places of a window in their order, or why it can't be read.
  func points(in window: ContainerDescriptor) async -> Result<[FoundPoint], Reason> {
    let listing: Listing
    switch await world.places(of: window.id) {
    case .failure(let reason): return .failure(reason)
    case .success(let found): listing = found
    }
    let points = listing.dropPoints ?? []
    var result: [FoundPoint] = []
    for (index, point) in points.enumerated() {
      guard let place = await world.place(point.id) else { continue }
      result.append(
        FoundPoint(
          window: window, point: point, place: place, listing: listing, index: index + 1,
          total: points.count))
    }
    return .success(result)
  }

  /// The one place that bears a name.
  ///
  /// - Throws: when there is none, or several; the message lists them.
  func place(named name: String, app: String?) async throws(CommandError) -> FoundPoint {
    var all: [FoundPoint] = []
    var silent: [Silent] = []
    for window in try await windows(of: app) {
      switch await points(in: window) {
      case .success(let points): all += points
      case .failure(let reason): silent.append((window, reason))
      }
    }
    let views = Set(all.indices.filter { all[$0].place.traits.isView })
    let names = all.map { found in
      [found.point.name, found.place.name]
        // A window's view bears the window's name too.
        + (found.place.traits.isView ? [found.window.name] : [])
    }
    // What was told apart for a person is taken as it was told.
    let told = all.indices.filter {
      NameFolding.fold(all[$0].name(in: phrases)) == NameFolding.fold(name)
    }
    if told.count == 1 { return all[told[0]] }
    switch NameSearch(names).find(name, preferring: views) {
    case .one(let index): return all[index]
    case .several(let indices):
      throw CommandError(
        description: phrases.phrase(
          // A name on the command line fits several things. %1$@ is the name, %2$@ the names of
          // programs or places.
          "%1$@ may be %2$@. Give more of the name.", SpokenName.clean(name),
          Words.choices(indices.prefix(8).map { all[$0].name(in: phrases) }, in: phrases)),
        status: .usage)
    case .none(let nearest):
      let titles = NameSearch(silent.map { [$0.window.name, $0.window.app ?? ""] })
      // A window that is meant by its name has places, even if they can't be read now.
      let meant: Silent? =
        if case .one(let index) = titles.find(name) { silent[index] } else { nil }
      if let first = meant ?? (all.isEmpty ? silent.first : nil) {
        throw CommandError(
          description: phrases.join(
            // A window that can't be read; the reason follows. %1$@ is its name.
            phrases.phrase("%1$@ can't be read.", title(first.window)),
            phrases.sentence(for: first.reason)), status: ExitStatus(first.reason))
      }
      // What is in windows is not known: it may well be there.
      let isKnown = await world.isAccessible
      throw CommandError(
        description: phrases.join(
          // A place that was named on the command line. %1$@ is its name.
          phrases.phrase("There is no place %1$@ in a window.", SpokenName.clean(name)),
          isKnown ? Words.guess(nearest, in: phrases) : phrases.sentence(for: .noAccessibility)),
        status: isKnown ? .noInput : .unavailable)
    }
  }

  /// A window with its program.
  func title(_ window: ContainerDescriptor) -> String {
    phrases.placeName(window.name, in: nil, app: window.app == window.name ? nil : window.app)
  }

  /// Said where a list of windows is asked for and there are none.
  static let noWindows: Wording = { phrases in
    phrases.plural(
      // keydrag doctor, and a list of places: %1$@ is how many windows of other programs are there.
      "%1$@ window can be reached.", "%1$@ windows can be reached.", 0)
  }

  private func nearby(_ names: [String]) -> String {
    guard !names.isEmpty else { return "" }
    // After "No running program is called …". %1$@ is a list of programs.
    return phrases.phrase("There are: %1$@.", phrases.list(Array(names.prefix(8))))
  }
}
