import KeyDragCore

extension Desktop.Window {
  /// The name of a place that is the window itself, told apart as the window is.
  func toldApart(_ name: String) -> String {
    guard name.hasPrefix(title.name) else { return name }
    return descriptor.name + name.dropFirst(title.name.count)
  }

  /// Its name, and the folder that what it shows lies in, by its title or its path bar.
  var called: WindowName {
    var called = WindowName(
      name: title.name, app: descriptor.app ?? "", folder: title.folder)
    if called.folder == nil, let trail = folder?.trail,
      let place = trail.lastIndex(of: title.name), place > 0, !trail[place - 1].isEmpty
    {
      called.folder = trail[place - 1]
    }
    return called
  }
}
