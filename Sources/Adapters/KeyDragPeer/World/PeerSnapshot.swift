import FoundationEssentials
import KeyDragCore

/// A snapshot of the places that other programs show.
package struct PeerSnapshot: Sendable {
  /// In discovery order of the programs.
  package var listings: [Listing] = []
  /// Names of programs that are connected but have not responded.
  package var silent: [String] = []
}

extension PeerName {
  /// The system's name of the process, for a program without a greeting.
  var programName: String {
    let contents = FileManager.default.contents(atPath: "/proc/\(process)/comm") ?? Data()
    return SpokenName.clean(String(decoding: contents.prefix { $0 != 0x0A }, as: UTF8.self))
  }
}
