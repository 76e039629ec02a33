/// The state of a drag where places are asked one by one, as the person reaches them.
package struct Arrival: Sendable {
  /// The words that are owed once the place stood on has answered.
  package enum Owed: Hashable, Sendable {
    case place
    /// The effect of the wish that was changed here.
    case wish
  }

  package var owed: Owed?
  /// The question or listing whose lateness is worth a word: the one for where the person is.
  package var waitsFor: RequestID?
  /// Which way the person walks, and so which places are asked ahead.
  package var isBackward = false
  /// Containers that could not be listed: said once, passed by from then on.
  package var unreadable: Set<ContainerID> = []
  /// The round in which it was said that nothing accepts.
  package var refusedIn: Int?
  /// Refusals that were heard.
  private var heard: Set<DropStop> = []
  /// Refusals that were heard on an earlier walk, and are left out of this one.
  private var aside: Set<DropStop> = []

  package init() {}

  package func isAside(_ stop: DropStop) -> Bool { aside.contains(stop) }

  package mutating func hear(_ stop: DropStop, refuses: Bool) {
    if refuses { heard.insert(stop) } else { heard.remove(stop) }
  }

  /// A walk has come to its end: what refused is left out of the next one, so that walks get shorter
  /// with what is known. An answer that came ahead of the person leaves nothing out, else what Tab
  /// comes to would depend on how quickly programs answer.
  package mutating func putRefusingAside() { aside = heard }

  /// Something else is held or wished: nothing is known of any place.
  package mutating func forgetRefusals() {
    heard = []
    aside = []
  }
}

/// A stretch that Tab goes through before it goes on: the places of one container, or the tasks
/// behind them all.
enum WalkGroup: Hashable {
  case container(ContainerID)
  case tasks
}
