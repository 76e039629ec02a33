import Glibc
import KeyDragCore
import SystemPackage

/// Files of one folder by the names under which programs show them.
///
/// Names come from a program's window with everything replaced that a terminal or a voice could not
/// bear, and without blanks around them; starters by their files' names or by their own, as the
/// program pleases. Only where no file has such a name itself is the folder read, once. May block.
final class ToldNames {
  private let folder: FilePath
  private let starters: StarterName
  private var files: [String: [FileName]]?

  /// More starters than this are not read.
  private static let mostStarters = 1_000

  init(_ folder: FilePath, starters: StarterName = StarterName()) {
    (self.folder, self.starters) = (folder, starters)
  }

  /// The one file that can be meant; `nil` also where a starter is shown by the name of another file.
  func onlyFile(_ name: String) -> FilePath? {
    guard let file = file(name) else { return nil }
    return (told()[name] ?? []).allSatisfy { folder.appending($0) == file } ? file : nil
  }

  /// The one file that is told so; `nil` when there is none, or when there are several.
  func file(_ name: String) -> FilePath? {
    guard !name.isEmpty, !name.contains("/") else { return nil }
    let plain = folder.appending(bytes: Array(name.utf8))
    if (try? FileCalls.status(plain)) != nil { return plain }
    let found = told()[name] ?? []
    return found.count == 1 ? found.first.map { folder.appending($0) } : nil
  }

  private func told() -> [String: [FileName]] {
    if let files { return files }
    var result: [String: [FileName]] = [:]
    if let open = try? FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY),
      let names = try? FileCalls.names(in: open.raw)
    {
      var left = Self.mostStarters
      for file in names {
        let bytes = Array(file.bytes)
        let name = Self.told(String(decoding: bytes, as: UTF8.self))
        if Array(name.utf8) != bytes { result[name, default: []].append(file) }
        guard left > 0, StarterName.isStarter(file) else { continue }
        left -= 1
        guard let shown = starters.shown(folder.appending(file)).map(Self.told), !shown.isEmpty,
          shown != name
        else { continue }
        result[shown, default: []].append(file)
      }
    }
    files = result
    return result
  }

  private static func told(_ name: String) -> String {
    let start = name.firstIndex { !$0.isWhitespace } ?? name.endIndex
    let end = name.lastIndex { !$0.isWhitespace }.map { name.index(after: $0) }
    return SpokenName.clean(String(name[start..<(end ?? start)]))
  }
}
