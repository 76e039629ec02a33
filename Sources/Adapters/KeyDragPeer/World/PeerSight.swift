import FoundationEssentials
import KeyDragCore

/// A snapshot of the places that other programs show.
package struct PeerSight: Sendable {
  /// Program by program, in the order in which they were met.
  package var listings: [Listing] = []
  /// The names of programs that are there and say nothing.
  package var silent: [String] = []

  /// Nothing is seen.
  package init() {}

  init(listings: [Listing], silent: [String]) {
    (self.listings, self.silent) = (listings, silent)
  }
}

/// Somebody who waits for what all programs show.
///
/// Answered once.
struct PeerLook {
  /// When it is answered with what is there.
  let deadline: Int64
  let reply: @Sendable (PeerSight) -> Void
}

extension PeerName {
  /// The system's name of the program, for one that has not said how a person knows it.
  var programName: String {
    let contents = FileManager.default.contents(atPath: "/proc/\(process)/comm") ?? Data()
    return SpokenName.clean(String(decoding: contents.prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
