import KeyDragCore

/// Names elements as people would, and makes the names of places unique.
///
/// Pure. Text from programs is made safe to speak first.
struct PlaceNamer {
  /// In scalars; longer names are truncated: some programs name a page by all its text.
  private static let longest = 120
  /// Characters before a list item, with a blank behind them.
  private static let bullets = "•◦▪‣–-"

  let tree: ElementTree
  let phrases: Phrasebook
  /// The window's title without the program's name; of a document or a folder only its name.
  let title: String
  private let window: ScreenRectangle
  /// The program's name as its titles have it.
  private let program: String
  /// Names fields that have no name of their own.
  let labels: FieldLabels

  init(
    tree: ElementTree, window: WindowFacts, program: ProgramFacts, profile: ProgramProfile? = nil,
    phrases: Phrasebook
  ) {
    self.tree = tree
    self.phrases = phrases
    self.window = window.rectangle
    self.program = WindowTitle.app(program, window)
    title =
      WindowTitle.Subject(
        of: Self.tidy(window.title), programs: [program.name, window.className],
        until: profile?.titleEnd
      ).name
    labels = FieldLabels(tree) { index in
      !Self.ownName(of: tree.elements[index]).isEmpty
    } words: { index in
      Self.withoutColon(Self.tidy(tree.elements[index].name))
    }
  }

  // MARK: Names

  /// The name of an element; empty if nothing names it.
  ///
  /// - Parameters:
  ///   - rule: says where the name comes from.
  ///   - isView: whether it is the main view of the window.
  func name(of index: Int, _ rule: ElementRule, isView: Bool) -> String {
    // The view of a folder is named after its display mode ("Icon View").
    if isView, case .name = rule.name, !title.isEmpty,
      AccessibleRoles.iconViews.contains(tree.elements[index].role)
    {
      return title
    }
    let name = name(of: index, rule.name)
    // An unnamed view that fills the window has the window's name.
    return name.isEmpty && isView ? title : name
  }

  /// The name from the rule's source, with the plain name as the fallback.
  private func name(of index: Int, _ source: ElementRule.NameSource) -> String {
    switch source {
    case .name: return plainName(of: index)
    case .label:
      let label = label(of: index)
      return label.isEmpty ? plainName(of: index) : label
    case .title: return title.isEmpty ? plainName(of: index) : title
    case .template(let text):
      return Self.tidy(
        [
          ("{name}", plainName(of: index)), ("{label}", label(of: index)), ("{title}", title),
        ].reduce(text) { Self.replacing($0, $1.0, by: $1.1) })
    }
  }

  /// The name that a person would use, found in the element or around it, depending on its kind.
  private func plainName(of index: Int) -> String {
    let element = tree.elements[index]
    if AccessibleRoles.rows.contains(element.role) { return ownName(ofRow: index) }
    let own = Self.ownName(of: element)
    // LibreOffice Draw calls any drawing "LibreOffice Presentation".
    if !own.isEmpty, !(AccessibleRoles.documents.contains(element.role) && isProgram(own)) {
      return own
    }
    if element.role == AccessibleRoles.pages, case let tab = tabName(of: index), !tab.isEmpty {
      return tab
    }
    switch AccessibleRoles.word(for: element.role) {
    case .textField:
      let names = [labelBeside(index), Self.tidy(element.description)]
      return names.first { !$0.isEmpty } ?? surroundingName(of: index)
    case .list, .tree, .folderView:
      let names = [onlyHeader(of: index), labelBeside(index)]
      return names.first { !$0.isEmpty } ?? surroundingName(of: index)
    // GTK 4's lists expose nothing but the buttons over their columns.
    case .area:
      // A time or a count changes.
      return labelInside(index, besides: AccessibleRoles.captioned) {
        $0.contains(where: \.isLetter)
      }
    case .tab, .button, .link: return labelInside(index)
    default: return ""
    }
  }

  /// Whether a document is named after its program, which says nothing of it.
  private func isProgram(_ name: String) -> Bool {
    guard let word = program.split(separator: " ").first, word.count > 2, name != title,
      let last = WindowTitle.parts(of: name).last
    else { return false }
    return last.split(separator: " ").first == word
  }

  /// The element's own name, if a person would use it: class names are dropped, and paths are
  /// reduced to their last part.
  static func ownName(of element: ElementFacts) -> String {
    let own = withoutColon(tidy(element.name))
    if TechnicalName.isMark(own) { return "" }
    switch AccessibleRoles.word(for: element.role) {
    case .tab, .page, .document, .link: return TechnicalName.withoutPath(own)
    default:
      let isTechnical = TechnicalName.isClass(own) || TechnicalName.isInnerAddress(own)
      return isTechnical ? "" : TechnicalName.withoutPath(own)
    }
  }

  /// The name of the nearest named ancestor: the page of a tab, or a panel.
  ///
  /// Empty if that is the window's own name, which would add nothing, or if it may name other
  /// fields and lists as well.
  private func surroundingName(of index: Int) -> String {
    for around in tree.ancestors(of: index) {
      let element = tree.elements[around]
      let tab = element.role == AccessibleRoles.pages ? tabName(of: around) : ""
      guard !tab.isEmpty || AccessibleRoles.surroundings.contains(element.role) else { continue }
      let name = tab.isEmpty ? Self.ownName(of: element) : tab
      if !name.isEmpty { return name == title || hasOthers(around, besides: index) ? "" : name }
    }
    return ""
  }

  /// A field beside a list searches it, or adds to it.
  private func hasOthers(_ around: Int, besides index: Int) -> Bool {
    let isList = AccessibleRoles.containers.contains(tree.elements[index].role)
    let others = AccessibleRoles.containers.union(isList ? [] : AccessibleRoles.fields)
    return tree.first(in: around) { other in
      others.contains(tree.elements[other].role) && other != index
        && !tree.ancestors(of: other).contains(index)
        && !tree.ancestors(of: index).contains(other)
    } != nil
  }

  /// The name of the tab for a stack of pages: Qt's strip of tabs is beside the stack in the tree,
  /// and lies along one of its sides.
  ///
  /// Empty if there is none, or several without a selected one.
  func tabName(of pages: Int) -> String {
    guard let room = tree.elements[pages].rectangle else { return "" }
    let strip = tree.elements.indices.filter { index in
      let element = tree.elements[index]
      return AccessibleRoles.tabs.contains(element.role)
        && tree.parents[index] == tree.parents[pages]
        && element.states.contains(.showing) && element.rectangle?.isAlong(room) == true
    }
    let chosen = strip.filter { tree.elements[$0].states.contains(.selected) }
    let tabs = chosen.isEmpty ? strip : chosen
    return tabs.count == 1 ? Self.ownName(of: tree.elements[tabs[0]]) : ""
  }

  /// The header of a table's only column; empty for several columns.
  private func onlyHeader(of index: Int) -> String {
    let headers = tree.children[index].map { tree.elements[$0] }
      .filter { $0.role == AccessibleRoles.columnHeader }
    guard headers.count == 1 else { return "" }
    return Self.ownName(of: headers[0])
  }

  /// The name of the first named row, which tells lists of one name apart; empty in a log, of which
  /// nobody knows the first line.
  private func firstRow(in index: Int) -> String {
    let row =
      tree.first(in: index) {
        AccessibleRoles.rows.contains(tree.elements[$0].role) && !ownName(ofRow: $0).isEmpty
      }.map { Self.short(ownName(ofRow: $0)) } ?? ""
    return TechnicalName.isLogLine(row) ? "" : row
  }

  /// The name of a row's cell: its own, or the first in it. GTK 4 names a row by its widget class,
  /// and its contents by what they show. Untruncated: a file is looked for by its name.
  func ownName(ofRow index: Int) -> String {
    let own = whole(index)
    if !own.isEmpty, !tree.isGTK4 { return own }
    let inside = labelIn(index).map { whole($0) } ?? ""
    return inside.isEmpty ? own : inside
  }

  /// The name without a bullet in documents; elsewhere a file's name may begin with one.
  private func whole(_ index: Int) -> String {
    let name = Self.trimmed(SpokenName.clean(tree.elements[index].name))
    let bare = Self.withoutBullet(name)
    return bare != name && tree.isInside(index, AccessibleRoles.documents) ? bare : name
  }

  private func label(of index: Int) -> String {
    let inside = labelInside(index)
    return inside.isEmpty ? labelBeside(index) : inside
  }

  /// The text in an element; empty for none.
  ///
  /// - Parameters:
  ///   - others: roles whose text is about themselves.
  ///   - isName: whether a text may be the name.
  private func labelInside(
    _ index: Int, besides others: Set<String> = [],
    isName: (String) -> Bool = { !TechnicalName.isMark($0) }
  ) -> String {
    let label = labelIn(index, besides: others, isName: isName)
    return label.map { Self.withoutColon(Self.tidy(tree.elements[$0].name)) } ?? ""
  }

  /// The first named label or cell in an element.
  private func labelIn(
    _ index: Int, besides others: Set<String> = [], isName: (String) -> Bool = { !$0.isEmpty }
  ) -> Int? {
    tree.first(in: index) {
      let role = tree.elements[$0].role
      return AccessibleRoles.labels.union([AccessibleRoles.cell]).contains(role)
        && isName(Self.tidy(tree.elements[$0].name))
        && (others.isEmpty || !tree.isInside($0, others))
    }
  }

  private func labelBeside(_ index: Int) -> String {
    labels[index].map { Self.withoutColon(Self.tidy(tree.elements[$0].name)) } ?? ""
  }

  /// A label without its colon.
  private static func withoutColon(_ name: String) -> String {
    name.hasSuffix(":") ? tidy(String(name.dropLast())) : name
  }

  /// Safe to speak, truncated, and without the bullets that browsers put before list items.
  static func tidy(_ name: String) -> String {
    short(trimmed(withoutBullet(SpokenName.clean(name))))
  }

  private static func trimmed(_ name: String) -> String {
    var scalars = Substring(name).unicodeScalars.drop(while: isBlank)
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    return String(scalars)
  }

  /// Truncated, with an ellipsis.
  static func short(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard scalars.count > longest else { return name }
    return String(String.UnicodeScalarView(scalars.prefix(longest))) + "…"
  }

  /// Without the blanks and the bullet before it.
  static func withoutBullet(_ text: String) -> String {
    let scalars = Substring(text).unicodeScalars.drop(while: isBlank)
    guard let first = scalars.first, bullets.unicodeScalars.contains(first),
      let next = scalars.dropFirst().first, isBlank(next)
    else { return String(scalars) }
    return String(scalars.dropFirst().drop(while: isBlank))
  }

  /// Includes U+FFFD, for what could not be decoded.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\u{FFFD}"
  }

  private static func replacing(_ text: String, _ mark: String, by value: String) -> String {
    text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: value)
  }

  // MARK: Spoken names

  /// A row is announced by its name alone, anything else with its kind.
  ///
  /// - Parameter word: the profile's word; `nil` for the usual one.
  func spokenName(of place: Place, _ word: ElementRule.Word?) -> String {
    let what = self.word(word, place.role)
    let name = Self.short(place.name)
    if name.isEmpty { return what }
    if place.role == .row || Self.says(name, what) { return name }
    return phrases.place(name, what)
  }

  /// Names a part of an element, always with its kind.
  func named(_ part: ElementRule.Part, _ place: Place) -> Place {
    var place = place
    if case .role(let role) = part.word { place.role = role }
    let what = word(part.word, place.role)
    place.spokenName = place.name.isEmpty ? what : phrases.place(place.name, what)
    return place
  }

  /// The word for what a place is: the profile's own, else that of its role.
  private func word(_ word: ElementRule.Word?, _ role: PlaceRole) -> String {
    if case .text(let text) = word { return Self.tidy(text) }
    return phrases.word(for: role)
  }

  /// Whether a name already contains its kind: "Search field", "Terminal".
  private static func says(_ name: String, _ what: String) -> Bool {
    NamePattern("*\(what)").matches(name)
  }

  /// Makes spoken names unique: by position for places without a name, else by a number.
  func tellApart(_ places: inout [Place]) {
    numberUnnamed(&places)
    var seen: [String: [Int]] = [:]
    for (index, place) in places.enumerated() { seen[place.spokenName, default: []].append(index) }
    for twins in seen.values where twins.count > 1 {
      let told = told(twins.map { places[$0] })
      for (number, index) in twins.enumerated() {
        places[index].twins = twins.count
        places[index].sharedName = places[index].spokenName
        places[index].spokenName = told[number]
      }
    }
  }

  /// The names of places that share one: lists by their first row if that differs, all others by
  /// numbers.
  private func told(_ twins: [Place]) -> [String] {
    let rows = twins.map { place in
      guard [.list, .tree, .folderView].contains(place.role), let element = place.index else {
        return ""
      }
      return firstRow(in: element)
    }
    if !rows.contains(""), Set(rows).count == rows.count {
      return zip(twins, rows).map { phrases.place($0.spokenName, with: $1) }
    }
    return twins.indices.map { phrases.twin(twins[$0].spokenName, $0 + 1) }
  }

  /// Names unnamed places by their first row, their position, or their corner.
  private func numberUnnamed(_ places: inout [Place]) {
    let positions = rowPositions(places)
    var unnamed: [String: [Int]] = [:]
    for (index, place) in places.enumerated() where place.name.isEmpty {
      if [.canvas, .tab].contains(place.role), !place.traits.isDropPoint { continue }
      if [.list, .tree, .folderView].contains(place.role), let element = place.index,
        case let row = firstRow(in: element), !row.isEmpty
      {
        places[index].spokenName = phrases.place(place.spokenName, with: row)
      } else if let (position, total) = positions[index] {
        places[index].spokenName = phrases.place(place.spokenName, position, of: total)
      } else {
        unnamed[place.spokenName, default: []].append(index)
      }
    }
    for (word, indices) in unnamed {
      var indices = indices
      // The largest drawing is the main part of the window.
      if places[indices[0]].role == .canvas, !title.isEmpty,
        !places.contains(where: { $0.role == .canvas && $0.name == title }),
        let main = indices.max(by: { size(places[$0]) < size(places[$1]) })
      {
        places[main].spokenName = phrases.place(title, word)
        indices.removeAll { $0 == main }
      }
      let corners = indices.map { corner(of: places[$0]) }
      let isApart = !corners.contains(nil) && Set(corners).count == corners.count
      for (number, index) in indices.enumerated() {
        if isApart, let corner = corners[number] {
          places[index].spokenName = phrases.list([word, phrases.word(for: corner)])
        } else if indices.count > 1 {
          places[index].spokenName = phrases.place(word, number + 1, of: indices.count)
        }
      }
    }
  }

  private func size(_ place: Place) -> Int {
    place.rectangle.map { $0.width * $0.height } ?? 0
  }

  /// `nil` for a whole window, and for a place without a rectangle.
  private func corner(of place: Place) -> WindowCorner? {
    guard place.role != .window, !window.isEmpty else { return nil }
    return place.rectangle.map { WindowCorner(of: $0, in: window) }
  }

  /// The positions of rows in their lists, counted from 1, with the total: as the program says,
  /// else in the order found.
  private func rowPositions(_ places: [Place]) -> [Int: (Int, Int)] {
    var result: [Int: (Int, Int)] = [:]
    var lists: [Int: [Int]] = [:]
    for (index, place) in places.enumerated() where [.row, .icon].contains(place.role) {
      guard let first = place.index else { continue }
      let element = tree.elements[first]
      if let position = element.index, let total = element.total {
        result[index] = (position, total)
      } else if let parent = tree.parents[first] {
        lists[parent, default: []].append(index)
      }
    }
    for list in lists.values {
      for (number, index) in list.enumerated() { result[index] = (number + 1, list.count) }
    }
    return result
  }
}

extension ScreenRectangle {
  /// Whether it lies along a side of another one from outside, with at most a frame between them.
  fileprivate func isAlong(_ room: ScreenRectangle) -> Bool {
    func meet(_ one: Int, _ other: Int) -> Bool { abs(one - other) <= 8 }
    let isOver = x < room.x + room.width && room.x < x + width
    let isBeside = y < room.y + room.height && room.y < y + height
    return isOver && (meet(y + height, room.y) || meet(y, room.y + room.height))
      || isBeside && (meet(x + width, room.x) || meet(x, room.x + room.width))
  }
}
