import KeyDragCore
import KeyDragDesktop

/// A place of a running program with everything that identifies it.
struct FoundPoint: Sendable {
  /// The window, or the listing of another KeyDrag program.
  var window: ContainerDescriptor
  var point: DropPointDescriptor
  /// The facts of a place in a window; `nil` in a KeyDrag program, which reports its places itself.
  var place: Place?
  var listing: Listing
  /// Counted from 1 in its window.
  var index: Int
  var total: Int

  /// The position of a drop on it. Between the rows of a list there is one stop for each row, and
  /// the list itself is the last.
  var stop: DropStop {
    let positions = point.positions
    return DropStop(
      point.id, positions.contains(.on) ? .on : positions.contains(.before) ? .before : .after)
  }

  /// Whether it is the window itself, or all that a program shows in one list: then it has that
  /// name, too.
  var isView: Bool { place.map(\.traits.isView) ?? isWhole }

  private var isWhole: Bool { point.leadsTo == window.id || point.name == window.name }

  /// Its name with its window and program.
  func name(in phrases: Phrasebook) -> String { phrases.placeName(of: report()) }

  /// All names, in full, with which it may have been announced.
  func names(in phrases: Phrasebook) -> [String] {
    let short = [point.name, place?.name ?? ""].filter { !$0.isEmpty }
    let inWindow = short.map { nameInWindow($0, phrases) }
    return [name(in: phrases)] + inWindow
      + (window.app.map { app in inWindow.map { phrases.list([$0, app]) } } ?? [])
  }

  /// Its name with its window, which is otherwise not announced with every place.
  func nameInWindow(_ name: String, _ phrases: Phrasebook) -> String {
    // A folder and the folder it is in. %1$@ is the place, %2$@ what it is in.
    phrases.phrase("%1$@, in %2$@", name, window.name)
  }

  private func report() -> DropPointReport {
    var report = DropPointReport(
      name: point.name, container: isWhole || point.isElsewhere ? nil : window.name,
      app: window.app,
      position: stop.position, verdict: Verdict(.refuse), count: 0)
    report.isOnAnotherWorkspace = window.isOnAnotherWorkspace
    switch stop.position {
    case .before: report.before = point.name
    case .on: break
    case .after: report.after = point.name
    }
    return report
  }

  func report(_ proposal: DropProposal, _ count: Int) -> DropPointReport {
    var report = report()
    (report.count, report.index, report.total) = (count, index, total)
    report.verdict = Verdict(proposal, count: count)
    if report.verdict.accepted == count {
      report.verdict.operation = [DragOperation.copy, .move, .link, .remove, .open].first {
        proposal.offers.contains($0)
      }
    }
    // A list tells of places, not of what becomes of items.
    (report.verdict.prediction, report.verdict.irreversible) = (nil, nil)
    report.verdict.undo = .certain
    return report
  }
}
