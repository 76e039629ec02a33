import Foundation

/// The drops into one window, by where the disk has them.
struct NeighbourFigures: Codable {
  var drops = 0
  /// In the folder that was chosen.
  var right = 0
  /// In another folder, which was told by its name.
  var told = 0
  /// In another folder, and told otherwise.
  var untold = 0
  /// In no folder, and told so.
  var refused = 0
  /// In no folder, and told as done.
  var lost = 0
  /// From the command, or the key, to the word; seconds, shortest first.
  var times: [Double] = []
  /// The words told of those that are not right.
  var words: [String] = []

  /// A file in another folder that nobody told of, or one that is told and is not there.
  var hasFailed: Bool { untold > 0 || lost > 0 }

  /// - Parameters:
  ///   - folders: those that the file lies in.
  ///   - told: what was said, and whether it was said to be done.
  mutating func count(_ name: String, in folders: [String], _ told: AnnouncedOutcome) {
    drops += 1
    let words = told.words
    let isDone = told.outcome?.id == "delivered"
    switch folders {
    case [name]: right += 1
    case []: if isDone { lost += 1 } else { refused += 1 }
    default:
      let isTold = folders.count == 1 && told.outcome?.argument("place") == folders[0]
      if isDone && isTold { self.told += 1 } else { untold += 1 }
    }
    if folders != [name] { self.words.append("\(name) in \(folders): \(words)") }
  }

  var summary: String {
    "\(drops) drops: \(right) right, \(told) elsewhere and told, \(untold) elsewhere untold, "
      + "\(refused) refused, \(lost) lost"
      + (times.isEmpty
        ? "" : String(format: ", %.2f s, at most %.2f s", times[times.count / 2], times.last ?? 0))
  }
}
