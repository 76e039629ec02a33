import KeyDragCore

/// Looks for dropped items in the contents of a window. Without a folder on the disk to check, the
/// only other evidence is the program's word, which says merely that it took the data.
///
/// Only what was carried proves anything: other differences come from anywhere.
///
/// Pure: compares two snapshots of the place's window.
enum DropEffect {
  /// One element of the window.
  struct Thing: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// A row of a list, or an icon in a view.
      case row
      case tab
      case image
      case button
      /// Shows one of several, such as the open documents.
      case choice
      case other
    }

    var element: ElementID
    var name: String
    /// Lies in the element that was dropped on.
    var isInside: Bool
    var kind = Kind.other
    /// Lies in a web page.
    var isInPage = false
  }

  /// A snapshot of a place's accessible contents.
  struct ContentSnapshot: Hashable, Sendable {
    /// `nil` where the place has no readable text.
    var text: String?
    /// `nil` where the window's elements are unknown.
    var things: Set<Thing>?
    /// The visible lines or icons of the list that the place is or is in; `nil` for other places.
    var rowCount: Int?
    /// Truncated: what is new may be beyond the part that was read.
    var isCut = false
    /// Its program did not answer, and may do so later.
    var isUnanswered = false
  }

  /// Texts by which dropped items can be recognised at their target.
  struct ExpectedEffect: Sendable {
    /// The names of the items; empty if there are too many to look for.
    var names: [String] = []
    /// The alternative forms of the whole payload: any one of them suffices.
    var ways: [ExpectedForm] = []
    var isImages = false
    /// Whether something of it is no picture, sound or film, though its name says so: programs show
    /// its name, and nothing of it.
    var isBroken = false
    /// Whether files are texts, which programs write into a document as readily as their path.
    var isText = false

    /// What a document that is marked as changed proves of them.
    func mark(after said: DragAnswer) -> Evidence.Kind? {
      switch said {
      case .accepts: isText ? .changed : .modified
      case .doubtful: isImages ? .modified : .changed
      case .refuses, .failed, .silent: nil
      }
    }
  }

  /// One form in which the whole payload could be written.
  struct ExpectedForm: Hashable, Sendable {
    /// The arrival that it proves.
    var form: Evidence.Form
    /// For each item the alternative texts of which one must appear; one item proves nothing of the
    /// others.
    var groups: [[String]]

    init(_ form: Evidence.Form, _ groups: [[String]]) {
      self.form = form
      self.groups = groups
    }
  }

  /// In characters.
  static let maxTextLength = 100_000
  static let maxElements = 5_000
  /// With more items none is looked for: the missing one may be the last.
  static let mostItems = 100
  /// In characters; shorter texts occur in others by chance.
  private static let shortest = 4
  /// Places whose text is read.
  static let texts: Set<PlaceRole> = [
    .textField, .textLine, .document, .page, .terminal, .area, .canvas,
  ]
  /// Places of which a program shows what it likes.
  static let drawn: Set<PlaceRole> = [.canvas, .area, .document, .window]
  /// A drop into these adds an element to them.
  private static let containers: Set<PlaceRole> = [.list, .tree, .folderView]

  /// The elements of a window, with those inside the place marked.
  static func things(in elements: [ElementFacts], around place: ElementID?) -> Set<Thing> {
    var isInside = Array(repeating: false, count: elements.count)
    var isInPage = isInside
    var rows: [Int?] = Array(repeating: nil, count: elements.count)
    var result: Set<Thing> = []
    for (index, element) in elements.enumerated() {
      let parent = element.parent.flatMap { $0 < index ? $0 : nil }
      isInside[index] = parent.map { isInside[$0] || elements[$0].id == place } ?? false
      isInPage[index] =
        AccessibleRoles.web.contains(element.role) || parent.map { isInPage[$0] } ?? false
      var thing = Thing(
        element: element.id, name: element.name, isInside: isInside[index],
        kind: kind(of: element.role), isInPage: isInPage[index])
      rows[index] = thing.kind == .row ? index : parent.flatMap { rows[$0] }
      // A label in a row names it, but not once more.
      if let row = rows[index], AccessibleRoles.labels.contains(element.role) {
        thing.kind = .row
        if elements[row].name == element.name { thing.name = "" }
      }
      result.insert(thing)
    }
    return result
  }

  /// The lines or icons of the list that a place is or is a row of; for a window, which may have no
  /// element, those of all its lists.
  static func rowCount(in elements: [ElementFacts], around place: ElementID?) -> Int? {
    let rows = AccessibleRoles.rows.union(AccessibleRoles.icons)
    let lists = AccessibleRoles.containers.union(AccessibleRoles.iconViews)
    var top = place.flatMap { place in elements.firstIndex { $0.id == place } }
    if place != nil, top == nil { return nil }
    while let row = top, rows.contains(elements[row].role) { top = elements[row].parent }
    if let top, top > 0, !lists.contains(elements[top].role) { return nil }
    var isInside = Array(repeating: top == nil, count: elements.count)
    if let top { isInside[top] = true }
    var (lines, others) = (Set<[Int]>(), 0)
    for (index, element) in elements.enumerated() {
      if let parent = element.parent, parent < index, isInside[parent] { isInside[index] = true }
      guard isInside[index], index != top, rows.contains(element.role) else { continue }
      // A line of a table is as many elements as it has columns.
      if element.role == AccessibleRoles.cell {
        if let y = element.rectangle?.y { lines.insert([element.parent ?? 0, y]) }
      } else {
        others += 1
      }
    }
    return lines.count + others
  }

  private static func kind(of role: String) -> Thing.Kind {
    if AccessibleRoles.tabs.contains(role) { return .tab }
    if AccessibleRoles.images.contains(role) { return .image }
    if AccessibleRoles.captioned.contains(role) { return .button }
    if role == AccessibleRoles.choice { return .choice }
    let rows = AccessibleRoles.rows.union(AccessibleRoles.icons)
    return rows.contains(role) ? .row : .other
  }

  /// The strongest evidence; `nil` where nothing is known.
  static func evidence(
    from before: ContentSnapshot, to after: ContentSnapshot, at place: Place, wanted: ExpectedEffect
  ) -> Evidence.Kind? {
    // A path may contain the file's contents.
    if hasCome(.path, before.text, after.text, wanted.ways) { return .paths }
    if let before = before.text.map(folded), isWhole(after.text, wanted.ways),
      before.isEmpty || after.text.map({ !folded($0).contains(before) }) == true
    {
      return before.isEmpty ? .wholeText : .replacedText
    }
    if hasCome(.item, before.text, after.text, wanted.ways) { return .text }
    if isOpenedElsewhere(before, after, place, wanted) { return .tab }
    if hasNewThing(before.things, after.things, place, wanted) {
      if [.folderView, .folder].contains(place.role) { return .fileRow }
      let (old, new) = (before.things?.filter(\.isInside), after.things?.filter(\.isInside))
      // A tab's page may lie in no element of its own.
      let isPart = [.list, .tree, .tab].contains(place.role)
      return isPart && !hasNewThing(old, new, place, wanted) ? .rowBeside : .row
    }
    if hasNewImage(before.things, after.things, place, wanted) { return .object }
    if hasGrown(before, after, place, wanted) { return .longerList }
    guard canShow(before, at: place), canShow(after, at: place) else { return nil }
    // A field has no contents but its text.
    guard isField(place) ? before.text == after.text : before == after else { return nil }
    let isOfFiles = wanted.ways.contains { $0.form == .path }
    return place.role == .document || isField(place) && !isOfFiles ? .sameText : .sameView
  }

  /// Whether a landing would show: in a text that was read whole, with the names of what is in it,
  /// or in a list with room for one more.
  static func canShow(_ sight: ContentSnapshot, at place: Place) -> Bool {
    if isField(place), let text = sight.text { return text.count < maxTextLength }
    if sight.isCut { return false }
    if place.role == .document, let text = sight.text { return text.count < maxTextLength }
    return containers.contains(place.role) && !place.isCovered
      && sight.things?.contains(where: \.isInside) == true
  }

  /// Whether a place is not shown any more in a window that is: another tab may be in front.
  static func isHidden(
    _ place: Place, from before: ContentSnapshot, to after: ContentSnapshot
  ) -> Bool {
    func has(_ things: Set<Thing>) -> Bool { things.contains { $0.element == place.element } }
    guard let old = before.things, let new = after.things, !new.isEmpty else { return false }
    return has(old) && !has(new)
  }

  /// Whether a tab was named after what was dropped, or something in place of a list, or a choice of
  /// documents: browsers open a file that their page does not want, in a new tab or in place of the
  /// page, and editors open it beside the text. A page may name its own tab.
  private static func isOpenedElsewhere(
    _ before: ContentSnapshot, _ after: ContentSnapshot, _ place: Place, _ wanted: ExpectedEffect
  ) -> Bool {
    guard let old = before.things, let new = after.things else { return false }
    let isGone = isHidden(place, from: before, to: after)
    // What is dropped on a tab itself reaches no page.
    let isOfPage = place.role != .tab && !isGone
    let known = isOfPage ? Set(old.lazy.filter { $0.kind == .tab }.map(\.element)) : []
    func count(_ things: Set<Thing>, of name: String, besides known: Set<ElementID> = []) -> Int {
      things.count { thing in
        // A player shows the name below its picture, in place of the list that was dropped on.
        if isGone, thing.kind == .other, thing.name == name { return true }
        return thing.kind == .tab && !known.contains(thing.element)
          && (DocumentTitle.names(thing.name, name) || DocumentTitle.isStem(thing.name, of: name))
      }
    }
    let (come, gone) = (new.subtracting(old), old.subtracting(new))
    func showsPath(_ path: String) -> Bool {
      func has(_ things: Set<Thing>) -> Bool {
        things.contains { $0.kind == .choice && !$0.isInPage && $0.name == path }
      }
      return has(come) && !has(old)
    }
    // A field with a choice may have had the path written into it.
    let isShown =
      !isField(place) && place.role != .textLine
      && wanted.ways.contains { way in
        way.form == .path && !way.groups.isEmpty
          && way.groups.allSatisfy { $0.contains(where: showsPath) }
      }
    return isShown
      || haveAll(wanted.names) { name, number in
        count(come, of: name, besides: known) - count(gone, of: name) >= number
      }
  }

  /// Whether a bar or alert with these texts mentions one of the names: "Could not load image
  /// 'a.txt'." shows no document, whatever the window's title is.
  static func isNotice(_ elements: [ElementFacts], about names: [String]) -> Bool {
    guard elements.contains(where: { AccessibleRoles.notices.contains($0.role) }) else {
      return false
    }
    return names.contains { name in
      !name.isEmpty && elements.contains { folded($0.name).contains(folded(name)) }
    }
  }

  /// Whether each of several names has a match of its own: one proves nothing of the others, nor of
  /// another with the same name.
  static func haveAll(_ names: [String], _ has: (_ name: String, _ number: Int) -> Bool) -> Bool {
    let numbers = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    return !names.isEmpty && numbers.allSatisfy { has($0.key, $0.value) }
  }

  /// Whether a document has gained as many pictures as were dropped. Pages load theirs at any time.
  private static func hasNewImage(
    _ before: Set<Thing>?, _ after: Set<Thing>?, _ place: Place, _ wanted: ExpectedEffect
  ) -> Bool {
    guard let before, let after, wanted.isImages, place.role != .page else { return false }
    func count(_ things: Set<Thing>) -> Int { things.count { $0.kind == .image && $0.isInside } }
    return count(after) - count(before) == wanted.names.count
  }

  /// Whether a list has as many rows more as files were dropped on it: players and libraries name
  /// them by titles that are in the files. A row that says something of a file is no item, and one
  /// that is called as another file is that file's.
  private static func hasGrown(
    _ before: ContentSnapshot, _ after: ContentSnapshot, _ place: Place, _ wanted: ExpectedEffect
  ) -> Bool {
    guard [.list, .tree, .row, .icon, .window].contains(place.role),
      wanted.ways.contains(where: { $0.form == .path }), !wanted.names.isEmpty,
      !before.isCut, !after.isCut, let old = before.rowCount, let new = after.rowCount,
      new - old == wanted.names.count, let known = before.things, let now = after.things
    else { return false }
    return now.subtracting(known).allSatisfy { thing in
      !thing.isInPage && !isFileName(thing.name)
        && !ProgramMessages.tells(thing.name, of: wanted.names)
    }
  }

  /// Whether a text ends as the name of a file does: "a.txt", and not "1.5 MB".
  private static func isFileName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let end = parts.last, (1...5).contains(end.count) else { return false }
    return end.contains(where: \.isLetter) && end.allSatisfy { $0.isLetter || $0.isNumber }
  }

  /// Whether a row named after each item has appeared, or another element with exactly that name:
  /// an attachment may be a button.
  private static func hasNewThing(
    _ before: Set<Thing>?, _ after: Set<Thing>?, _ place: Place, _ wanted: ExpectedEffect
  ) -> Bool {
    guard let before, let after else { return false }
    func count(_ things: Set<Thing>, of name: String) -> Int {
      things.count { thing in
        thing.kind != .tab && (thing.isInside || [.row, .button].contains(thing.kind))
          && bears(thing, name)
      }
    }
    let (come, gone) = (after.subtracting(before), before.subtracting(after))
    let isOfFiles = wanted.ways.contains { $0.form == .path }
    func hasCome(_ name: String, _ number: Int) -> Bool {
      let name = folded(name)
      guard !name.isEmpty, count(come, of: name) - count(gone, of: name) >= number else {
        return false
      }
      // A short name may belong to something else: then nothing else may have appeared.
      return isOfFiles || name.count >= shortest
        || come.allSatisfy { !$0.isInside || $0.name.isEmpty || folded($0.name) == name }
    }
    func isPathOfNewRow(_ path: String) -> Bool {
      func has(_ things: Set<Thing>) -> Bool {
        things.contains { $0.kind == .row && folded($0.name) == folded(path) }
      }
      return has(come) && !has(before)
    }
    return haveAll(wanted.names, hasCome)
      || isOfFiles && isChosen(before, after, place, wanted.names)
      || wanted.ways.contains { way in
        switch way.form {
        case .item: haveAll(way.groups.map { $0.first ?? "" }, hasCome)
        case .path:
          !way.groups.isEmpty && way.groups.allSatisfy { $0.contains(where: isPathOfNewRow) }
        case .listing, .document: false
        }
      }
  }

  /// Whether a button with which files are chosen had something else behind its label and now names
  /// the only one, or counts those that were dropped on it: "Photo: No file chosen", then "Photo:
  /// a.png" or "Photo: 3 files".
  private static func isChosen(
    _ before: Set<Thing>, _ after: Set<Thing>, _ place: Place, _ names: [String]
  ) -> Bool {
    guard let name = names.first, !name.isEmpty else { return false }
    func numbers(_ text: String) -> [Substring] { text.split { !$0.isNumber } }
    return after.contains { thing in
      guard thing.kind == .button, let old = before.first(where: { $0.element == thing.element }),
        old.name != thing.name
      else { return false }
      if names.count == 1 {
        return thing.name.hasSuffix(" " + name)
          && old.name.hasPrefix(thing.name.dropLast(name.count))
      }
      var new = numbers(thing.name)
      for number in numbers(old.name) {
        if let known = new.firstIndex(of: number) { new.remove(at: known) }
      }
      return thing.element == place.element && new == ["\(names.count)"]
    }
  }

  /// Whether an element has a name; a row may append details, such as a size, and be in other case:
  /// libraries write names as titles.
  private static func bears(_ thing: Thing, _ name: String) -> Bool {
    if folded(thing.name) == name { return true }
    guard thing.kind == .row else { return false }
    let (own, name) = (withoutBullet(folded(thing.name)).lowercased(), name.lowercased())
    if own == name { return true }
    // A caption below a picture has a line of its own for the name.
    let lines = thing.name.split(whereSeparator: isLineEnd)
    if !thing.isInPage, let first = lines.first, lines.count > 1 {
      var caption = thing
      caption.name = String(first)
      if bears(caption, name) { return true }
    }
    if let dot = name.lastIndex(of: "."), dot > name.startIndex, own == name[..<dot] { return true }
    // The extension may be a separate part of the row.
    let (whole, start) = (own.replacing(" .", with: "."), name.replacing(" .", with: "."))
    guard whole.hasPrefix(start) else { return false }
    let rest = whole.dropFirst(start.count)
    if rest.isEmpty { return true }
    if thing.isInPage { return isSize(rest) }
    if [",", " (", " –", " -"].contains(where: rest.hasPrefix) { return true }
    // Without an extension "report 2" could be another file.
    return name.contains(".") && rest.first == " " && rest.dropFirst().first?.isNumber == true
  }

  /// Whether what follows a name is a number with at most one word. In any other words a page may
  /// say why it does not take the file.
  private static func isSize(_ rest: Substring) -> Bool {
    [" ", ","].contains(rest.first)
      && rest.first { $0.isLetter || $0.isNumber }?.isNumber == true
      && rest.split { !$0.isLetter }.count <= 1
  }

  /// Firefox names an item of a list after its bullet, too.
  private static func withoutBullet(_ row: String) -> String {
    guard let first = row.first, "•◦▪".contains(first) else { return row }
    return String(row.dropFirst().drop(while: \.isWhitespace))
  }

  /// Names from a program may have a replacement character for a line break.
  private static func isLineEnd(_ character: Character) -> Bool {
    character.isNewline || character == "\u{FFFD}"
  }

  /// Whether the place is one readable text.
  static func isField(_ place: Place) -> Bool {
    [.textField, .textLine].contains(place.role)
  }

  /// Whether the whole payload was written there in this form.
  private static func hasCome(
    _ form: Evidence.Form, _ before: String?, _ after: String?, _ ways: [ExpectedForm]
  ) -> Bool {
    guard let before, let after, before != after else { return false }
    // Whitespace in paths is ignored: a terminal breaks long ones into lines.
    let fold = form == .path ? unbroken : folded
    let (old, new) = (fold(before), fold(after))
    return ways.contains { way in
      way.form == form && haveCome(way.groups.map { $0.map(fold) }, old, new)
    }
  }

  /// Whether a text is the contents of one file and nothing else.
  private static func isWhole(_ text: String?, _ ways: [ExpectedForm]) -> Bool {
    guard let text = text.map(folded), !text.isEmpty, ways.contains(where: { $0.form == .path })
    else { return false }
    return ways.contains { way in
      way.form == .item && way.groups.count == 1 && way.groups[0].contains { folded($0) == text }
    }
  }

  /// Whether the texts of every item have appeared, as often as needed.
  private static func haveCome(_ groups: [[String]], _ old: String, _ new: String) -> Bool {
    func has(_ word: String) -> Bool {
      guard !word.isEmpty, word.count <= maxTextLength else { return false }
      guard word.count >= shortest else { return added(old, new) == word }
      // A folder's path occurs in those of its files: one occurrence must not count for both.
      let number = groups.reduce(0) { sum, group in
        sum + (group.map { $0.count < word.count ? 0 : $0.ranges(of: word).count }.max() ?? 0)
      }
      return new.ranges(of: word).count - old.ranges(of: word).count >= number
    }
    return !groups.isEmpty && groups.allSatisfy { $0.contains(where: has) }
  }

  /// The inserted middle of a text with unchanged beginning and end.
  private static func added(_ old: String, _ new: String) -> String {
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(start).reversed(), new.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    guard start + end == old.count else { return "" }
    return folded(String(new.dropFirst(start).dropLast(end)))
  }

  /// Collapses whitespace: programs break lines anywhere.
  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func unbroken(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}

/// Recognises documents in the titles of windows and tabs.
enum DocumentTitle {
  /// Whether a title begins with a document's name, perhaps behind its path or marks ("*a.txt –
  /// Editor", "~/docs/a.txt").
  static func names(_ title: String, _ name: String) -> Bool {
    guard !name.isEmpty else { return false }
    return title.ranges(of: name).contains { range in
      let rest = title[range.upperBound...]
      return !isPartOfName(rest) && isLead(title[..<range.lowerBound])
    }
  }

  /// Whether a title is a document's name without its extension, or with that of the form it was
  /// imported into and not saved in yet, beside the program's: "report – Viewer" shows report.pdf,
  /// "report.lyx* – LyX" report.txt. Shorter names than ``leastStem`` are ambiguous.
  static func isStem(_ title: String, of name: String, programs: [String] = []) -> Bool {
    guard let dot = name.lastIndex(of: "."), name[..<dot].count >= leastStem else { return false }
    let subject = WindowTitle.Subject(of: title, programs: programs).name
    let unsaved = TechnicalName.unsaved
    let shown = subject.filter { !unsaved.contains($0) }.split(separator: "/").last ?? ""
    guard shown.hasPrefix(name[..<dot]) else { return false }
    let end = shown.dropFirst(name[..<dot].count)
    return end.isEmpty
      || title.contains(where: unsaved.contains) && end.first == "." && (2...6).contains(end.count)
        && end.dropFirst().allSatisfy { $0.isLetter || $0.isNumber }
  }

  /// Whether a document's name has appeared behind a prefix that earlier titles had, too: "Editor -
  /// Untitled", then "Editor - a.txt".
  static func hasTurned(_ title: String, to name: String, since titles: Set<String>) -> Bool {
    let titles = titles.map { withoutFigures($0[...]) }
    func hasTurned(to name: Substring, isAll: Bool) -> Bool {
      !name.isEmpty
        && title.ranges(of: name).contains { range in
          let lead = withoutFigures(withoutPath(title[..<range.lowerBound]))
          let end = title[range.upperBound...]
          let rest = end.drop(while: \.isWhitespace)
          return !isPartOfName(end) && (rest.isEmpty || !isAll)
            && rest.first.map { $0.isLetter || $0.isNumber } != true
            && lead.last { !$0.isWhitespace }.map { "-–—:|•[]()".contains($0) } == true
            && titles.contains { $0.hasPrefix(lead) || lead.hasPrefix($0) && !$0.isEmpty }
        }
    }
    let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? ""
    return hasTurned(to: name[...], isAll: false)
      || stem.count >= leastStem && hasTurned(to: stem, isAll: true)
  }

  /// A lead without the folders that a document's path begins with.
  private static func withoutPath(_ lead: Substring) -> Substring {
    let path = lead.ranges(of: " /").first ?? lead.ranges(of: " ~/").first
    return lead.last == "/" ? path.map { lead[...$0.lowerBound] } ?? lead : lead
  }

  private static func withoutFigures(_ text: Substring) -> String {
    String(text.map { $0.isNumber ? "0" : $0 })
  }

  /// Whether a title is an earlier one with a mark of unsaved changes.
  static func isMarked(_ title: String, since titles: Set<String>) -> Bool {
    func plain(_ title: String) -> String {
      title.filter { !TechnicalName.unsaved.contains($0) }.split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    return !titles.contains(title)
      && titles.contains { $0.count < title.count && plain($0) == plain(title) }
  }

  /// In characters.
  private static let leastStem = 4

  /// Whether the rest continues a longer name: the "s" of "notes", the ".bak" of "a.txt.bak".
  private static func isPartOfName(_ rest: Substring) -> Bool {
    guard let next = rest.first else { return false }
    if next.isLetter || next.isNumber || next == "_" { return true }
    guard next == "." || next == "-", let after = rest.dropFirst().first else { return false }
    return after.isLetter || after.isNumber
  }

  /// Whether the text before a name is only marks, a count in brackets or a path, and no other name.
  private static func isLead(_ lead: Substring) -> Bool {
    if !lead.contains(where: { $0.isLetter || $0.isNumber }) { return true }
    let count = lead.drop(while: \.isWhitespace)
    if count.first == "[" || count.first == "(", !count.contains(where: \.isLetter),
      let end = count.lastIndex(where: { "])".contains($0) })
    {
      return count[end...].dropFirst().allSatisfy(\.isWhitespace)
    }
    let path = lead.drop { !$0.isLetter && !$0.isNumber && $0 != "/" && $0 != "~" }
    return ["/", "~/", "file:///"].contains(where: path.hasPrefix) && path.hasSuffix("/")
  }
}
