import KeyDragCore

/// Texts by which items are recognised where they were dropped.
extension DropExecutor {
  private static let list = "text/uri-list"
  private static let readable = [
    list, "text/plain;charset=utf-8", "UTF8_STRING", "text/plain",
  ]
  /// In bytes. Of more than that perhaps only the beginning was kept, which does not prove the
  /// rest.
  private static let mostBytes = 65_536

  /// The names, links and texts of the items that could be read at the target; empty for too many
  /// items.
  func wanted(of items: [DragItem]) async -> DropEffect.ExpectedEffect {
    guard items.count <= DropEffect.mostItems else { return DropEffect.ExpectedEffect() }
    var given: [(form: DragForm, text: String)] = []
    var isBroken = false
    for form in await goods.given(of: items) {
      if form.isContent, Self.isMedium(form.contentType), let head = await form.load() {
        isBroken = isBroken || desktop.isNothingKnown(head)
      }
      guard Self.readable.contains(form.contentType) else { continue }
      guard let bytes = await form.load(), bytes.count < Self.mostBytes else { continue }
      given.append((form, String(decoding: bytes, as: UTF8.self)))
    }
    return DropEffect.ExpectedEffect(
      names: items.map(\.name), ways: Self.ways(given, of: items.count),
      isImages: !isBroken && items.allSatisfy { $0.types.contains { $0.hasPrefix("image/") } },
      isBroken: isBroken,
      isText: items.containFiles
        && items.contains { $0.types.contains { $0.hasPrefix("text/") && $0 != Self.list } })
  }

  private static func isMedium(_ type: String) -> Bool {
    ["image/", "audio/", "video/"].contains(where: type.hasPrefix)
  }

  /// The forms in which the whole payload could be written.
  ///
  /// - Parameter given: the data that programs may have received, with its text.
  static func ways(_ given: [(form: DragForm, text: String)], of count: Int) -> [DropEffect
    .ExpectedForm]
  {
    var ways: [DropEffect.ExpectedForm] = []
    var (paths, contents): ([[String]], [String]) = ([], [])
    for (form, text) in given {
      guard !form.isContent else {
        contents.append(text)
        continue
      }
      guard form.isPaths || form.contentType == list else {
        ways.append(.init(.item, [[text]]))
        continue
      }
      let lines = text.split(whereSeparator: \.isNewline).map(String.init)
        .filter { form.isPaths || !$0.hasPrefix("#") }
      if form.isPaths || lines.allSatisfy({ $0.hasPrefix("file:") }) {
        paths.append(lines)
      } else {
        ways.append(.init(.item, lines.map { [$0] }))
      }
    }
    // Some of them would pass for all of them.
    if contents.count == count { ways.append(.init(.item, contents.map { [$0] })) }
    return ways + written(paths, of: count)
  }

  /// The path or the address of each file, either of which may be written.
  ///
  /// Lists with one line per item are joined line by line.
  private static func written(_ lists: [[String]], of count: Int) -> [DropEffect.ExpectedForm] {
    let fit = lists.filter { $0.count == count }
    // File names may contain line breaks.
    let others = lists.filter { $0.count != count }.map { list in list.map { [$0] } }
    let groups = (0..<count).map { index in Array(Set(fit.map { $0[index] })) }
    return ((fit.isEmpty ? [] : [groups]) + others).map { DropEffect.ExpectedForm(.path, $0) }
  }
}
