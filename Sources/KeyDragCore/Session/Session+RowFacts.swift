/// Sizes and dates of what has been in sight, and the folder stood on, for a screen; nothing waits for them.
struct RowFactTable {
  /// The limit of the cache; a screenful is needed.
  private static let most = 2000

  private(set) var known: [DragSourceID: RowFacts] = [:]
  /// Whether anything has changed since they were asked for.
  private var isStale = false
  /// `nil` until one has come.
  private(set) var preview: FolderPreview?
  /// The folder asked for last; `nil` where it is to be asked for anew.
  private var previewed: PreviewSubject?

  /// The items to request facts for, after which the table is no longer stale.
  mutating func wanted(of items: [DragSourceID]) -> [DragSourceID] {
    let wanted = isStale ? items : items.filter { known[$0] == nil }
    if !wanted.isEmpty { isStale = false }
    return wanted
  }

  /// Whether the contents of a folder are to be asked for, which is taken for done.
  mutating func wants(_ subject: PreviewSubject) -> Bool {
    defer { previewed = subject }
    return previewed != subject
  }

  /// Something has changed: all is asked for anew.
  mutating func expire() { (isStale, previewed) = (true, nil) }

  /// Has the folder read again: another program may have changed it, and nothing watches it.
  mutating func expirePreview() { previewed = nil }

  /// Takes the contents of a folder.
  ///
  /// - Returns: whether they are new.
  mutating func take(_ new: FolderPreview?) -> Bool {
    guard let new, new != preview else { return false }
    preview = new
    return true
  }

  /// Adds facts; returns whether any of them is new.
  mutating func take(_ facts: [DragSourceID: RowFacts]) -> Bool {
    if known.count + facts.count > Self.most { known = [:] }
    guard facts.contains(where: { known[$0.key] != $0.value }) else { return false }
    known.merge(facts) { $1 }
    return true
  }
}

extension Session {
  /// Asks for what is not known of these, or of all where something has changed.
  ///
  /// - Parameter showsPreview: whether the screen has room for the folder stood on.
  mutating func measure(_ items: [DragSourceID], showsPreview: Bool) {
    guard settings.isInFolders else { return }
    if !outstanding.values.contains(.measure) {
      let wanted = rowFacts.wanted(of: items)
      if !wanted.isEmpty { request(.folders(.measure(wanted)), for: .measure) }
    }
    // A request of its own: a folder on a disk that hangs must not hold up the columns.
    if showsPreview, !outstanding.values.contains(.preview), let subject = previewSubject,
      rowFacts.wants(subject)
    {
      request(
        .folders(.preview(subject, includingHidden: settings.showsHidden)), for: .preview)
    }
  }

  mutating func previewed(_ preview: FolderPreview?) {
    // The person may have gone on to another folder, which is requested at the next frame.
    let isPassed = preview?.subject != previewSubject
    if rowFacts.take(preview) || isPassed { emit(.repaint) }
  }

  /// The folder that the person stands on.
  var previewSubject: PreviewSubject? {
    switch phase {
    case .browsing:
      guard let focused, focused.kind.isFolder else { return nil }
      return .source(focused.id)
    case .carrying(let carry):
      guard let stop = carry.currentStop, let point = carry.walk.point(stop.point),
        !isInWindow(point)
      else { return nil }
      return .dropPoint(point.id)
    case .confirming: return nil
    }
  }
}
