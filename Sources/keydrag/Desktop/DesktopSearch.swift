import KeyDragApp
import KeyDragCore
import KeyDragDesktop

/// A container with places.
enum FoundContainer: Sendable {
  case window(ContainerDescriptor)
  /// A listing of another KeyDrag program.
  case shown(Listing)
  /// Another KeyDrag program that does not answer.
  case silent(ContainerDescriptor)

  var container: ContainerDescriptor {
    switch self {
    case .window(let container), .silent(let container): container
    case .shown(let listing): listing.container
    }
  }
}

/// Finds windows and places by the names that a person gives.
struct DesktopSearch {
  let world: DesktopWorld
  let others: PeerPrograms
  let phrases: Phrasebook
  /// The reason why windows can't be reached, if known before the search.
  var trouble: CommandError?
  /// The problem of native Wayland windows; `nil` outside Wayland.
  var nativeWindows: Problem?
  /// The sentence on a silent display; empty for any other.
  var silence: @Sendable () -> String = { "" }

  /// An unreadable window, and the reason.
  typealias Silent = (window: ContainerDescriptor, reason: Reason)

  /// The containers found, windows first, and the reason why windows are missing.
  typealias SearchResult = (containers: [FoundContainer], missing: CommandError?)

  /// The most places listed when none matched.
  private static let mostNearby = 5

  /// The windows of programs that match a name, and the listings of KeyDrag programs that do; all
  /// of them without a name.
  ///
  /// - Throws: when nothing can be reached, or no program matches.
  func look(for app: String?) async throws(CommandError) -> SearchResult {
    async let told = others.look()
    var windows: [ContainerDescriptor] = []
    var missing: CommandError?
    do throws(Reason) {
      windows = try await world.look()
    } catch {
      missing =
        trouble
        ?? CommandError(
          description: phrases.join(silence(), phrases.sentence(for: error)), status: .unavailable)
    }
    let (listings, silent) = await told
    let all =
      windows.map(FoundContainer.window) + Self.numbered(listings).map(FoundContainer.shown)
      + silent.map { .silent(ContainerDescriptor(id: ContainerID(0), name: $0)) }
    if let missing, all.isEmpty { throw missing }
    guard let app else { return (all, missing) }
    var names = await world.names(of: windows.map(\.id))
    names += all.dropFirst(windows.count).map { [$0.container.app ?? "", $0.container.name] }
    switch NameSearch(names).find(app) {
    case .one(let index): return ([all[index]], missing)
    case .several(let indices): return (indices.map { all[$0] }, missing)
    case .none(let nearest):
      // A program whose windows can't be reached may still run.
      throw CommandError(
        description: phrases.join(
          // A name on the command line. %1$@ is the name.
          phrases.phrase("No running program is called %1$@.", SpokenName.clean(app)),
          nearest.isEmpty
            ? Words.nearby(
              Set(all.map { $0.container.app ?? $0.container.name }).sorted(), in: phrases)
            : Words.guess(nearest, in: phrases),
          missing?.description ?? nativeWindows.map(phrases.problemText) ?? ""
        ),
        status: missing?.status ?? (nativeWindows == nil ? .noInput : .unavailable))
    }
  }

  /// Numbers listings of several programs that share a name, so that a person can tell them apart.
  private static func numbered(_ listings: [Listing]) -> [Listing] {
    var seen: [String: Int] = [:]
    return listings.map { listing in
      let container = listing.container
      let count = seen["\(container.name)\n\(container.app ?? "")", default: 0] + 1
      seen["\(container.name)\n\(container.app ?? "")"] = count
      guard count > 1 else { return listing }
      var told = listing
      told.container.name += " (\(count))"
      for index in (told.dropPoints ?? []).indices
      where told.dropPoints?[index].leadsTo == container.id
        || told.dropPoints?[index].name == container.name
      {
        told.dropPoints?[index].name = told.container.name
      }
      return told
    }
  }

  /// The places of a window or a program in order, or why they can't be read.
  func points(in found: FoundContainer) async -> Result<[FoundPoint], Reason> {
    let listing: Listing
    switch found {
    case .silent: return .failure(.notResponding)
    case .shown(let shown): listing = shown
    case .window(let window):
      switch await world.places(of: window.id) {
      case .failure(let reason): return .failure(reason)
      case .success(let read): listing = read
      }
    }
    let points = listing.dropPoints ?? []
    var result: [FoundPoint] = []
    for (index, point) in points.enumerated() {
      let place = await world.place(point.id)
      if case .window = found, place == nil { continue }
      result.append(
        FoundPoint(
          window: found.container, point: point, place: place, listing: listing, index: index + 1,
          total: points.count))
    }
    return .success(result)
  }

  /// The one place with a name.
  ///
  /// - Throws: when there is none, or several; the message lists them.
  func place(named name: String, app: String?) async throws(CommandError) -> FoundPoint {
    var all: [FoundPoint] = []
    var silent: [Silent] = []
    let (containers, missing) = try await look(for: app)
    var mute: [String] = []
    var untold: [String] = []
    for found in containers {
      switch await points(in: found) {
      case .success(let points): all += points
      case .failure(let reason): silent.append((found.container, reason))
      }
      if case .silent(let container) = found { mute.append(container.name) }
      if let told = await silentView(of: found) { untold.append(told) }
    }
    let views = Set(all.indices.filter { all[$0].isView })
    let names = all.map { found in
      [found.point.name, found.place?.name ?? ""]
        // The main view of a window has the window's name, too.
        + (found.isView ? [found.window.name] : [])
    }
    // An announced name that is unique matches as a whole.
    let wanted = NameFolding.fold(name)
    let told = all.indices.filter { index in
      all[index].names(in: phrases).contains { NameFolding.fold($0) == wanted }
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
          Words.choices(toldApart(indices.prefix(8).map { all[$0] }), in: phrases)),
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
      // Places in unreachable windows or silent programs are unknown: the one that is meant may
      // exist.
      let isTold = await world.isAccessible
      let isKnown = missing == nil && isTold && mute.isEmpty && nativeWindows == nil
      let unknown =
        missing?.description
        ?? phrases.join(
          isTold ? "" : phrases.sentence(for: .noAccessibility),
          nativeWindows.map(phrases.problemText) ?? "")
      throw CommandError(
        description: phrases.join(
          // A place that was named on the command line. %1$@ is its name.
          phrases.phrase("There is no place %1$@ in a window.", SpokenName.clean(name)),
          untold.joined(separator: " "),
          nearest.isEmpty
            ? Words.nearby(few(all, like: name), in: phrases) : Words.guess(nearest, in: phrases),
          mute.isEmpty ? "" : DesktopParts.silence(of: mute, phrases), unknown),
        status: isKnown ? .noInput : .unavailable)
    }
  }

  func title(_ window: ContainerDescriptor) -> String {
    phrases.placeName(window.name, in: nil, app: window.app == window.name ? nil : window.app)
  }

  /// The line for a list of windows that is empty.
  static let noWindows: Wording = .plural(
    // keydrag doctor, and a list of places: %1$@ is how many windows of other programs are there.
    "%1$@ window can be reached.", "%1$@ windows can be reached.", 0)

  /// The sentence on a window whose file view exposes no contents, where the place may be; `nil`
  /// for any other.
  private func silentView(of found: FoundContainer) async -> String? {
    guard case .window(let window) = found, let view = await world.untoldView(of: window.id) else {
      return nil
    }
    let name = phrases.placeName(view.spokenName, in: nil, app: window.app)
    return phrases.untold(name, view.traits.detailsKey)
  }

  /// The places most like a name, by words; among equals the first of each window in turn, so that
  /// every searched window is represented.
  private func few(_ points: [FoundPoint], like name: String) -> [String] {
    let isOne = Set(points.map(\.window.id)).count == 1
    let likeness = NameSearch.likeness(of: points.map(\.point.name), to: name)
    let ranked = zip(points, likeness).enumerated().sorted { one, other in
      (-one.element.1, one.element.0.index, one.offset)
        < (-other.element.1, other.element.0.index, other.offset)
    }
    let nearest = ranked.prefix(Self.mostNearby).map(\.element.0)
    return isOne ? nearest.map(\.point.name) : toldApart(nearest)
  }

  /// The spoken names of places, with their windows where only these differ.
  private func toldApart(_ points: [FoundPoint]) -> [String] {
    let names = points.map { $0.name(in: phrases) }
    let folded = names.map(NameFolding.fold)
    return zip(points, names).enumerated().map { index, found in
      let isTwin = folded.indices.contains { $0 != index && folded[$0] == folded[index] }
      return isTwin ? found.0.nameInWindow(found.0.point.name, phrases) : found.1
    }
  }
}
