import KeyDragCore

extension Desktop {
  /// A window with a title to tell it by: some desktops are titled by their program, and some alerts not
  /// at all.
  func titled(_ window: WindowFacts, _ frame: FrameFacts?, _ app: String) -> WindowFacts {
    var window = window
    if window.isDesktop {
      window.title = parts.phrases.desktop
    } else if window.title.isEmpty {
      window.title = [frame?.title ?? "", app].first { !$0.isEmpty } ?? ""
    }
    return window
  }
}

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

extension RegistryChange {
  /// A window that has come is reachable at once; what is in it is read when it is reached.
  init(appeared window: ContainerDescriptor) {
    var window = window
    window.isAskedOnArrival = true
    self = .containerAppeared(Listing(container: window, sources: nil, dropPoints: nil))
  }
}
