import KeyDragCore

/// The name of a window beside others.
///
/// Windows of two programs are not told apart by this.
struct WindowName: Hashable, Sendable {
  /// The name that it is told by, without the program's.
  var name: String
  /// Its program.
  var app: String
  /// The folder that what it shows lies in; `nil` where that is not known.
  var folder: String?

  /// How windows are told: those of one program with one name with their folders where these are
  /// known and differ, else with numbers.
  ///
  /// The first of those with numbers has none.
  static func told(_ windows: [WindowName], _ phrases: Phrasebook) -> [String] {
    var names = windows.map(\.name)
    let alike = Dictionary(grouping: windows.indices) { [windows[$0].name, windows[$0].app] }
    for twins in alike.values where twins.count > 1 {
      let folders = twins.compactMap { windows[$0].folder }
      let areTold = Set(folders).count == twins.count
      for (number, index) in twins.enumerated() {
        if areTold {
          names[index] = phrases.twin(names[index], in: folders[number])
        } else if number > 0 {
          names[index] += " (\(number + 1))"
        }
      }
    }
    return names
  }
}
