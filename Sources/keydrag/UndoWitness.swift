import KeyDragCore
import Synchronization

/// Sees whether what was done last can't be undone, and asks what was done before it.
final class UndoWitness: World {
  private let world: any World
  private let before: @Sendable (Int64) -> Int64?
  private let found = Mutex<Int64?>(nil)

  /// - Parameter before: gives the number of what was done before an entry; `nil` for nothing.
  init(_ world: any World, before: @escaping @Sendable (Int64) -> Int64?) {
    self.world = world
    self.before = before
  }

  /// The number of the older one that may be undone in its place; `nil` where none need be named.
  var previous: Int64? { found.withLock { $0 } }

  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) { world.observe(observer) }

  func close() { world.close() }

  func handle(
    _ request: WorldRequest, id: RequestID, reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    world.handle(request, id: id) { [self] report in
      if case .undone(_, .refused(let entry, _)) = report {
        // While the history is open: the end of the run closes it.
        let number = before(entry.number)
        found.withLock { $0 = number }
      }
      reply(report)
    }
  }
}
