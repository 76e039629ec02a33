import KeyDragCore

/// The name of a window beside others of its program; those of other programs are not told apart.
struct WindowName: Hashable, Sendable {
  /// Without the program's name.
  var name: String
  var app: String
  /// The folder of its contents; `nil` if unknown.
  var folder: String?

  /// The names of windows: those of one program that share a name get their folders if these are
  /// known and differ, else numbers, except the first.
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
