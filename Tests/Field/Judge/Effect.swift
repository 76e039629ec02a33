import Foundation

/// One thing that a drop came to, as seen without KeyDrag.
enum Effect: String, Hashable, Comparable, Codable {
  case copied, moved, linked, trashed, opened
  /// Its contents are part of a document now, as text or as a layer.
  case inserted
  /// It stands in a program's list, and may be shown or played already.
  case listed
  /// Instead of a file, its path or address stands in a document.
  case pathTyped = "path typed"
  /// It arrived, but not where it was dropped.
  case elsewhere
  /// The source is gone, and is nowhere else.
  case lost
  /// Something else that was there before was changed or removed.
  case damaged

  static func < (one: Effect, other: Effect) -> Bool { one.rawValue < other.rawValue }
}

/// The file, folder or text that is carried in a case.
struct Payload {
  /// The file's path from the home of the case; nothing for a text.
  var file: String?
  /// The text, or what the file holds; nothing for a folder.
  var contents: Data

  var name: String { file?.split(separator: "/").last.map(String.init) ?? "" }
  /// The name without its ending.
  var stem: String { name.split(separator: ".").first.map(String.init) ?? name }

  static func text(_ words: String) -> Payload { Payload(file: nil, contents: Data(words.utf8)) }
}

/// Finds the effects of a drop on the disk.
struct DiskOracle {
  let before: DirectorySnapshot
  let payload: Payload
  /// The folder that the drop is to land in, from the home of the case.
  let target: String?
  /// Files that the case itself, or somebody else by its order, has changed.
  var others: Set<String> = []
  /// Documents that are judged by what they hold, each by the program's own oracle.
  var documents: Set<String> = []
  /// The person's files: what a program has laid beside them for itself, it may change and remove.
  var owned: Set<String> = []

  func effects(_ after: DirectorySnapshot) -> Set<Effect> {
    var result: Set<Effect> = []
    let isGone = payload.file.map { before.entries[$0] != nil && after.entries[$0] == nil } ?? false
    for name in after.changed(since: before) where !others.contains(name) {
      if let effect = effect(of: name, after, isGone: isGone) { result.insert(effect) }
    }
    if !damaged(after).isEmpty { result.insert(.damaged) }
    if isGone, result.isDisjoint(with: [.moved, .trashed, .elsewhere]) { result.insert(.lost) }
    return result
  }

  private func effect(of name: String, _ after: DirectorySnapshot, isGone: Bool) -> Effect? {
    guard let entry = after.entries[name] else { return nil }
    if documents.contains(name) || name == payload.file { return documentEffect(name, entry) }
    let folder = name.split(separator: "/").dropLast().joined(separator: "/")
    switch entry {
    case .folder: return folderEffect(name, after, in: folder, isGone: isGone)
    case .link(let target):
      return target.hasSuffix(payload.file ?? "-") ? .linked : nil
    case .file(let data) where data == payload.contents && !data.isEmpty:
      if name.hasPrefix("data/Trash/files") { return .trashed }
      guard folder == target else { return .elsewhere }
      return isGone ? .moved : .copied
    case .file:
      return nil
    }
  }

  /// A folder counts where all that was in it has come along.
  private func folderEffect(
    _ name: String, _ after: DirectorySnapshot, in folder: String, isGone: Bool
  ) -> Effect? {
    guard let file = payload.file, case .folder? = before.entries[file],
      before.entries[name] == nil, !before.below(file).isEmpty,
      after.below(name) == before.below(file)
    else { return nil }
    if name.hasPrefix("data/Trash/files") { return .trashed }
    guard folder == target else { return .elsewhere }
    return isGone ? .moved : .copied
  }

  /// The person's files that have nothing to do with the drop, and are gone or others now.
  func damaged(_ after: DirectorySnapshot) -> [String] {
    before.entries.keys.filter { name in
      isChanged(name, after) && owned.contains(name) && name != payload.file
        && !name.hasPrefix((payload.file ?? "/") + "/")
    }.sorted()
  }

  /// Names that are not as they were before the drop: the person's files, and whatever is named after
  /// the payload or holds it.
  func left(_ after: DirectorySnapshot) -> [String] {
    Set(after.entries.keys).union(before.entries.keys).filter { name in
      isChanged(name, after) && (owned.contains(name) || isOfPayload(name, after.entries[name]))
    }.sorted()
  }

  private func isChanged(_ name: String, _ after: DirectorySnapshot) -> Bool {
    (before.entries[name] != after.entries[name] || before.modes[name] != after.modes[name])
      && !DirectorySnapshot.isTemporary(name)
      && !others.contains(name) && !documents.contains(name)
  }

  private func isOfPayload(_ name: String, _ entry: DirectorySnapshot.Entry?) -> Bool {
    if !payload.stem.isEmpty, name.contains(payload.stem) { return true }
    return !payload.contents.isEmpty && entry == .file(payload.contents)
  }

  /// The effect on a document, or on the carried file itself.
  private func documentEffect(_ name: String, _ entry: DirectorySnapshot.Entry) -> Effect? {
    guard before.entries[name] != entry, case .file(let data) = entry else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return name == payload.file
      // It holds its own words by itself.
      ? (text.contains(name) ? .pathTyped : .damaged) : Self.effect(of: payload, in: text)
  }

  /// The effect that the text of a document shows.
  static func effect(of payload: Payload, in text: String) -> Effect? {
    let words = String(decoding: payload.contents, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    if text.contains(words) { return .inserted }
    return payload.file.map(text.contains) == true ? .pathTyped : nil
  }
}
