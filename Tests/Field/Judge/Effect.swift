import Foundation

/// One thing that a drop came to, as seen without KeyDrag.
enum Effect: String, Hashable, Comparable, Codable {
  case copied, moved, linked, trashed, opened
  /// What was carried is part of a document now: a text, a layer, an entry of a list.
  case inserted
  /// It stands in a program's list, and may be shown or played already.
  case listed
  /// Instead of a file, its path or address stands in a document.
  case pathTyped = "path typed"
  /// It arrived, but not where it was dropped.
  case elsewhere
  /// What was carried is gone from where it was and nowhere else.
  case lost
  /// Something else that was there before was changed or removed.
  case damaged

  static func < (one: Effect, other: Effect) -> Bool { one.rawValue < other.rawValue }
}

/// What is carried in a case.
struct Cargo {
  /// The file's path from the home of the case; nothing for a text.
  var file: String?
  /// The text, or what the file holds; nothing for a folder.
  var contents: Data

  var name: String { file?.split(separator: "/").last.map(String.init) ?? "" }
  /// The name without its ending.
  var stem: String { name.split(separator: ".").first.map(String.init) ?? name }

  static func text(_ words: String) -> Cargo { Cargo(file: nil, contents: Data(words.utf8)) }
}

/// What the disk shows of a drop.
struct DiskOracle {
  let before: Disk
  let cargo: Cargo
  /// The folder that the drop is to land in, from the home of the case.
  let target: String?
  /// Files that the case itself, or somebody else by its order, has changed.
  var others: Set<String> = []
  /// Documents that are judged by what they hold, each by the program's own oracle.
  var documents: Set<String> = []

  func effects(_ after: Disk) -> Set<Effect> {
    var result: Set<Effect> = []
    let isGone = cargo.file.map { before.entries[$0] != nil && after.entries[$0] == nil } ?? false
    for name in after.changed(since: before) where !others.contains(name) {
      if let effect = effect(of: name, after, isGone: isGone) { result.insert(effect) }
    }
    if !damaged(after).isEmpty { result.insert(.damaged) }
    if isGone, result.isDisjoint(with: [.moved, .trashed, .elsewhere]) { result.insert(.lost) }
    return result
  }

  private func effect(of name: String, _ after: Disk, isGone: Bool) -> Effect? {
    guard let entry = after.entries[name] else { return nil }
    if documents.contains(name) || name == cargo.file { return documentEffect(name, entry) }
    let folder = name.split(separator: "/").dropLast().joined(separator: "/")
    switch entry {
    case .folder: return folderEffect(name, after, in: folder, isGone: isGone)
    case .link(let target):
      return target.hasSuffix(cargo.file ?? "-") ? .linked : nil
    case .file(let data) where data == cargo.contents && !data.isEmpty:
      if name.hasPrefix("data/Trash/files") { return .trashed }
      guard folder == target else { return .elsewhere }
      return isGone ? .moved : .copied
    case .file:
      return nil
    }
  }

  /// A folder counts where all that was in it has come along.
  private func folderEffect(
    _ name: String, _ after: Disk, in folder: String, isGone: Bool
  ) -> Effect? {
    guard let file = cargo.file, case .folder? = before.entries[file],
      before.entries[name] == nil, !before.below(file).isEmpty,
      after.below(name) == before.below(file)
    else { return nil }
    if name.hasPrefix("data/Trash/files") { return .trashed }
    guard folder == target else { return .elsewhere }
    return isGone ? .moved : .copied
  }

  /// Files that were there before and have nothing to do with the drop, and are gone or others now.
  func damaged(_ after: Disk) -> [String] {
    before.entries.keys.filter { name in
      before.entries[name] != after.entries[name] && !Disk.isTemporary(name)
        && !others.contains(name) && !documents.contains(name) && name != cargo.file
        && !name.hasPrefix((cargo.file ?? "/") + "/")
    }.sorted()
  }

  /// What has become of a document, or of the carried file itself, on the disk.
  private func documentEffect(_ name: String, _ entry: Disk.Entry) -> Effect? {
    guard before.entries[name] != entry, case .file(let data) = entry else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return name == cargo.file
      // It holds its own words by itself.
      ? (text.contains(name) ? .pathTyped : .damaged) : Self.effect(of: cargo, in: text)
  }

  /// What a document shows of what was dropped.
  static func effect(of cargo: Cargo, in text: String) -> Effect? {
    let words = String(decoding: cargo.contents, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if text.contains(words) { return .inserted }
    return cargo.file.map(text.contains) == true ? .pathTyped : nil
  }
}
