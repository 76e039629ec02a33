import KeyDragCore

extension Desktop {
  func name(_ container: ContainerID) -> String { window(container)?.descriptor.name ?? "" }

  func names(of containers: [ContainerID]) -> [[String]] {
    containers.map { id in
      guard let window = self.window(id) else { return [] }
      return [
        window.descriptor.app ?? "", window.facts.className, window.program?.name ?? "",
        window.descriptor.name, window.facts.title,
      ]
    }
  }

  /// The name announced as the receiver of a drop on a place.
  func target(of point: DropPointID) -> String {
    guard let spot = spots[point] else { return "" }
    let window = self.window(spot.window)
    let descriptor = window?.points?.first { $0.id == point }
    return descriptor?.leadsTo == nil
      ? spot.place.spokenName : window?.descriptor.name ?? spot.place.spokenName
  }

  /// The present title of a window, by the display server; empty when it is gone.
  func title(of container: ContainerID) async -> String {
    guard let id = window(container)?.facts.id else { return "" }
    return await parts.displays.windows()?.first { $0.id == id }?.title ?? ""
  }

  /// Gives a window a title to tell it by: some desktops are titled by their program, and some
  /// alerts not at all.
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
  /// The name of a place that is the window itself, disambiguated as the window is.
  func toldApart(_ name: String) -> String {
    guard name.hasPrefix(title.name) else { return name }
    return descriptor.name + name.dropFirst(title.name.count)
  }

  /// Its name, and the folder that its contents lie in, by its title or its path bar.
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
  /// A new window is reachable at once; its contents are read when it is reached.
  init(appeared window: ContainerDescriptor) {
    var window = window
    window.isAskedOnArrival = true
    self = .containerAppeared(Listing(container: window, sources: nil, dropPoints: nil))
  }
}
