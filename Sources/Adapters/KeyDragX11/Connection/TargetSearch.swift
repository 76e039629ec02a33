/// Finds the drop target at a point (XDND specification, "XdndAware" and "XdndProxy"). Belongs to
/// one thread; every query blocks for the server. Nothing is cached, because windows move and
/// change.
struct TargetSearch {
  let server: XServer
  let atoms: XdndAtoms

  /// No program nests windows deeper than this.
  private static let deepest = 32

  /// The target in the topmost mapped window at a point in root coordinates. Searches the stack
  /// from the top down, as a button press would; a window that is not XdndAware is searched for a
  /// child that is.
  func target(at point: RootPoint) -> XdndHandshake.Target? {
    descend(from: server.root, at: (Int(point.x), Int(point.y)), mappedOnly: true)
  }

  /// The target at a point of a window that may be covered or minimised: mapping is ignored, and
  /// the window itself takes precedence over its children.
  func target(in window: XWindow, at point: RootPoint) -> XdndHandshake.Target? {
    if let own = target(window) { return own }
    guard let place = server.rectangle(of: window) else { return nil }
    return descend(
      from: window, at: (Int(point.x) - place.x, Int(point.y) - place.y), mappedOnly: false)
  }

  /// Descends one level at a time; `nil` when no window at the point takes part.
  ///
  /// - Parameter point: relative to `window`, in pixels.
  private func descend(
    from window: XWindow, at point: (x: Int, y: Int), mappedOnly: Bool
  ) -> XdndHandshake.Target? {
    var (window, point) = (window, point)
    for _ in 0..<TargetSearch.deepest {
      guard let (child, shape) = server.child(of: window, at: point, mappedOnly: mappedOnly) else {
        return nil
      }
      if let target = target(child) { return target }
      window = child
      point = (point.x - shape.x, point.y - shape.y)
    }
    return nil
  }

  /// The window as a target, if it is XdndAware in a supported version. The specification puts
  /// XdndAware on the top-level window; a proxy receives the messages, but their window field still
  /// names the target.
  private func target(_ window: XWindow) -> XdndHandshake.Target? {
    var receiver = window
    if let proxy = proxy(of: window), proxy != window {
      // A proxy that does not name itself is stale: its program has ended.
      guard self.proxy(of: proxy) == proxy else { return direct(window) }
      receiver = proxy
    }
    guard let version = version(of: receiver) else { return nil }
    return XdndHandshake.Target(window: window, receiver: receiver, version: version)
  }

  private func direct(_ window: XWindow) -> XdndHandshake.Target? {
    version(of: window).map { XdndHandshake.Target(window: window, version: $0) }
  }

  /// `nil` without XdndAware, and for versions before 3.
  private func version(of window: XWindow) -> UInt8? {
    server.words(atoms.aware, of: window, most: 1).first.flatMap(XdndMessage.version(forAware:))
  }

  private func proxy(of window: XWindow) -> XWindow? {
    server.words(atoms.proxy, of: window, most: 1).first.map(XWindow.init(rawValue:))
  }
}
