/// The basket: marks that survive leaving a folder.
extension Session {
  mutating func toggleSelection() {
    guard let item = focused else {
      sayNothingHere()
      return
    }
    if isSelected(item.id) {
      browse.marks[item.id] = nil
      landed.items.removeAll { $0.source == item.id }
      say(.deselected(name: item.name, count: browse.marks.count))
    } else {
      mark(item)
    }
  }

  private mutating func mark(_ item: DragSourceDescriptor) {
    guard item.isEnabled, item.kind != .placeholder else {
      say(.nothingToPickUp(.notDraggable, name: item.name))
      return
    }
    browse.marks[item.id] = item
    say(.selected(name: item.name, count: browse.marks.count))
  }

  mutating func extendSelection(_ by: Int) {
    guard let item = focused, let level = browse.view?.top else {
      sayNothingHere()
      return
    }
    let next = level.focus + by
    guard sources.indices.contains(next) else {
      if isSelected(item.id) { say(.edge(by > 0 ? .last : .first)) } else { mark(item) }
      return
    }
    if item.isEnabled { browse.marks[item.id] = item }
    focus(next)
    if let here = focused { mark(here) }
  }

  mutating func selectAll() {
    let all = sources.filter { $0.isEnabled && $0.kind != .placeholder }
    guard !all.isEmpty else {
      sayNothingHere()
      return
    }
    if all.allSatisfy({ browse.marks[$0.id] != nil }) {
      for item in all { browse.marks[item.id] = nil }
      say(.deselected(name: nil, count: browse.marks.count))
    } else {
      for item in all { browse.marks[item.id] = item }
      say(.selected(name: nil, count: browse.marks.count))
    }
  }

  /// The focused item; with all marked ones if it is marked, or all landed ones if it has landed.
  func pickUpSources() -> [DragSourceDescriptor] {
    guard let item = focused else { return [] }
    if browse.marks[item.id] != nil { return Array(browse.marks.values) }
    let landed = Set(self.landed.items.map(\.source))
    if landed.contains(item.id) { return sources.filter { landed.contains($0.id) } }
    return [item]
  }
}
