import KeyDragCore

/// The windows of all programs on a display. Belongs to one thread: each call blocks for the
/// server. ``DisplayWindows`` asks it from other threads. Texts of windows are truncated and
/// cleaned for speech; none can be trusted.
final class DesktopWindows {
  private let server: XServer
  private let clientList, stacking, active, state, name, title, className, processID: XAtom
  private let windowState, modal, owner, kind, supported: XAtom
  private let workspace, shownWorkspace: XAtom
  private let desktopKind, dialogKind: XAtom
  /// Values of `_NET_WM_WINDOW_TYPE` that mean menus.
  private let menuKinds: Set<UInt32>

  /// Further windows are ignored.
  private static let most: UInt32 = 1_024
  /// The workspace number of a window on all workspaces (EWMH, _NET_WM_DESKTOP).
  private static let allWorkspaces: UInt32 = 0xFFFF_FFFF
  /// No window manager nests a window in more frames than this.
  private static let deepest = 8

  init(server: XServer) {
    self.server = server
    let atoms = server.atoms([
      "_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW", "WM_STATE",
      "WM_NAME", "_NET_WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_WM_STATE",
      "_NET_WM_STATE_MODAL", "WM_TRANSIENT_FOR", "_NET_WM_WINDOW_TYPE", "_NET_SUPPORTED",
      "_NET_WM_DESKTOP", "_NET_CURRENT_DESKTOP", "_NET_WM_WINDOW_TYPE_DESKTOP",
      "_NET_WM_WINDOW_TYPE_DIALOG", "_NET_WM_WINDOW_TYPE_POPUP_MENU",
      "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU", "_NET_WM_WINDOW_TYPE_MENU",
    ])
    (clientList, stacking, active, state) = (atoms[0], atoms[1], atoms[2], atoms[3])
    (name, title, className, processID) = (atoms[4], atoms[5], atoms[6], atoms[7])
    (windowState, modal, owner, kind) = (atoms[8], atoms[9], atoms[10], atoms[11])
    supported = atoms[12]
    (workspace, shownWorkspace) = (atoms[13], atoms[14])
    (desktopKind, dialogKind) = (atoms[15], atoms[16])
    menuKinds = Set(atoms[17...].map(\.rawValue))
  }

  /// Removes the timeout of all later calls.
  ///
  /// - Throws: why the display can't be read, if it has not answered by now.
  func disableTimeout() throws(Reason) {
    if server.isLost { throw server.loss }
    server.disableTimeout()
  }

  /// Every managed window, the active one first, then from the top of the stack down (EWMH,
  /// `_NET_CLIENT_LIST`).
  ///
  /// Blocks for several replies per window, one after the other. A window destroyed meanwhile is
  /// left out.
  ///
  /// - Throws: ``Reason/noDisplay`` or ``Reason/notResponding``.
  func all() throws(Reason) -> [WindowFacts] {
    let found = clients()
    let active = activeWindow(among: Set(found))
    let windows = WindowOrder.sorted(found, active: active, stack: stack(of: found))
    let shapes = server.shapes(of: windows)
    let shown = server.words(shownWorkspace, of: server.root, most: 1).first
    let modal = owners(ofModal: zip(windows, shapes).filter { $1?.isMapped == true }.map(\.0))
    var facts = zip(windows, shapes).compactMap { window, shape in
      shape.flatMap { shape in
        var facts = self.facts(of: window, shape, isActive: window == active)
        facts?.isBlocked = modal.values.contains(window)
        facts?.isModal = modal[window] != nil
        facts?.isOnAnotherWorkspace = workspace(of: window, otherThan: shown) != nil
        let kinds = server.words(kind, of: window, most: 8)
        facts?.isDesktop = kinds.contains(desktopKind.rawValue)
        facts?.isDialog = kinds.contains(dialogKind.rawValue)
        return facts
      }
    }
    let others = Set(windows + [server.root])
    let waiting = Set(
      facts.filter { window in
        modal[XWindow(rawValue: window.id.rawValue)].map { !others.contains($0) } == true
      }.compactMap(\.processID))
    for index in facts.indices where !facts[index].isModal {
      if let process = facts[index].processID, waiting.contains(process) {
        facts[index].isBlocked = true
      }
    }
    if server.isLost { throw server.loss }
    return facts
  }

  /// The open menus: override-redirect windows that declare themselves (EWMH, _NET_WM_WINDOW_TYPE),
  /// or declare nothing and belong to another window, as those of FOX do, unlike its tool tips.
  ///
  /// - Throws: ``Reason/noDisplay`` or ``Reason/notResponding``.
  func menus() throws(Reason) -> [WindowFacts] {
    let tops = Array(server.children(of: server.root).suffix(Int(DesktopWindows.most)))
    let open = zip(tops, server.shapes(of: tops)).compactMap { window, shape in
      shape.flatMap { $0.isMapped && $0.isUnmanaged ? (window, $0) : nil }
    }
    let menus = open.compactMap { window, shape in
      isMenu(window) ? facts(of: window, shape, isActive: false) : nil
    }
    if server.isLost { throw server.loss }
    return menus
  }

  /// By the first eight values of `_NET_WM_WINDOW_TYPE`.
  func isMenu(_ window: XWindow) -> Bool {
    let kinds = server.words(kind, of: window, most: 8)
    return kinds.contains(where: menuKinds.contains)
      || kinds.isEmpty && server.words(owner, of: window, most: 1).first ?? 0 != 0
  }

  /// Asks the window manager to raise and focus a window (EWMH, _NET_ACTIVE_WINDOW), or does so
  /// itself when that is not supported. `false` for a destroyed window.
  ///
  /// - Throws: ``Reason/noDisplay`` or ``Reason/notResponding``.
  func activate(_ window: XWindow) throws(Reason) -> Bool {
    let isThere = server.rectangle(of: window) != nil
    if server.isLost { throw server.loss }
    guard isThere else { return false }
    // As a pager (EWMH source indication 2), whose request window managers obey whatever the time
    // of the last key: the user has chosen the window.
    let asker: UInt32 = 2
    if server.words(supported, of: server.root, most: DesktopWindows.most).contains(active.rawValue)
    {
      // Openbox raises no window on another workspace: a pager switches there first.
      let shown = server.words(shownWorkspace, of: server.root, most: 1).first
      if let own = workspace(of: window, otherThan: shown) {
        server.sendToManager(shownWorkspace, [own, 0], about: server.root)
      }
      server.sendToManager(active, [asker, 0, 0], about: window)
    } else {
      server.bringForward(window)
    }
    server.flush()
    return true
  }

  /// What a window looks like; `nil` where another one covers a part of it, and for a
  /// display on another machine.
  func picture(of window: XWindow) -> WindowPicture? {
    server.isLocal && server.isUncovered(window) ? server.picture(of: window) : nil
  }

  /// Subscribes to changes of the window list and of the active window; see ``isChange(_:)``.
  func watch() {
    server.watch(server.root, properties: true)
    server.flush()
  }

  /// Whether an event means that a window was opened or closed, or that another one is active.
  func isChange(_ event: XServer.Event) -> Bool {
    guard case .propertySet(server.root, let property, _) = event else { return false }
    return property == clientList || property == active
  }

  /// `nil` for a destroyed window.
  private func facts(
    of window: XWindow, _ shape: XServer.Shape, isActive: Bool
  ) -> WindowFacts? {
    guard let place = server.rectangle(of: window) else { return nil }
    return WindowFacts(
      id: WindowID(window.rawValue, on: server.name), title: text(of: window),
      className: className(of: window),
      processID: process(of: window), rectangle: place, isMapped: shape.isMapped, isActive: isActive
    )
  }

  /// A window's workspace if it is not the shown one (EWMH, _NET_WM_DESKTOP); `nil` when either is
  /// unknown.
  private func workspace(of window: XWindow, otherThan shown: UInt32?) -> UInt32? {
    guard let shown, let own = server.words(workspace, of: window, most: 1).first else {
      return nil
    }
    return own != shown && own != Self.allWorkspaces ? own : nil
  }

  /// The modal ones of these windows, each with the window it blocks: all of its program's where
  /// that is its group's leader, which Qt names without a parent. The root, too, stands for all
  /// (EWMH, _NET_WM_STATE), but GTK, which names none then, goes on taking drops.
  private func owners(ofModal windows: [XWindow]) -> [XWindow: XWindow] {
    var owners: [XWindow: XWindow] = [:]
    for window in windows {
      let states = server.words(windowState, of: window, most: 32)
      guard states.contains(modal.rawValue) else { continue }
      let named = server.words(owner, of: window, most: 1).first.map(XWindow.init(rawValue:))
      owners[window] = named ?? server.root
    }
    return owners
  }

  // MARK: Window list

  /// The windows that the window manager lists; without a list, top-level windows with a name. At
  /// most 1,024.
  private func clients() -> [XWindow] {
    let listed = server.words(clientList, of: server.root, most: DesktopWindows.most)
    if !listed.isEmpty { return listed.map(XWindow.init(rawValue:)) }
    return server.children(of: server.root).prefix(Int(DesktopWindows.most)).compactMap { window in
      if hasName(window) { return window }
      // A window manager without a list puts each client into a frame.
      return server.children(of: window).prefix(DesktopWindows.deepest).first(where: isManaged)
    }.filter { window in
      if isManaged(window) { return true }
      // Toolkits' helper windows have a name and are never mapped; menus are unmanaged.
      guard let shape = server.shapes(of: [window]).first.flatMap({ $0 }) else { return false }
      return shape.isMapped && !shape.isUnmanaged
    }
  }

  /// By WM_STATE, which only window managers set (ICCCM 4.1.3.1).
  private func isManaged(_ window: XWindow) -> Bool {
    !server.words(state, of: window, most: 1).isEmpty
  }

  /// By WM_CLASS or WM_NAME.
  private func hasName(_ window: XWindow) -> Bool {
    server.text(className, of: window) != nil || server.text(name, of: window) != nil
  }

  // MARK: Stacking order

  /// Stacking order, bottom first: `_NET_CLIENT_LIST_STACKING`, else the order of the root's
  /// children.
  private func stack(of windows: [XWindow]) -> [XWindow] {
    let listed = server.words(stacking, of: server.root, most: DesktopWindows.most)
    if !listed.isEmpty { return listed.map(XWindow.init(rawValue:)) }
    let tops = windows.map { (window: $0, top: server.ancestors(of: $0).last ?? $0) }
    let order = server.children(of: server.root)
    let places = Dictionary(zip(order, order.indices)) { first, _ in first }
    return tops.sorted { (places[$0.top] ?? -1) < (places[$1.top] ?? -1) }.map(\.window)
  }

  /// The window manager's active window, or the one that has or contains the focus.
  private func activeWindow(among windows: Set<XWindow>) -> XWindow? {
    // A window manager that has ended leaves a stale value: it counts only while it names a window.
    if let told = server.words(active, of: server.root, most: 1).first.map(XWindow.init(rawValue:)),
      windows.contains(told)
    {
      return told
    }
    guard let focus = server.focus() else { return nil }
    if let around = ([focus] + server.ancestors(of: focus)).first(where: windows.contains) {
      return around
    }
    // Some window managers give the focus to the frame.
    return windows.first { server.ancestors(of: $0).contains(focus) }
  }

  // MARK: Window properties

  /// _NET_WM_NAME, which is UTF-8, else WM_NAME; empty without either.
  private func text(of window: XWindow) -> String {
    SpokenName.clean(server.text(title, of: window) ?? server.text(name, of: window) ?? [])
  }

  /// The second string of WM_CLASS, which names the program (ICCCM section 4.1.2.5).
  private func className(of window: XWindow) -> String {
    let parts = (server.text(className, of: window) ?? [])
      .split(separator: 0, omittingEmptySubsequences: false)
    return SpokenName.clean(Array(parts.count > 1 ? parts[1] : parts.first ?? []))
  }

  /// As the program reports; 0 and 1 are rejected. May be of another machine, or of a sandbox.
  private func process(of window: XWindow) -> Int32? {
    guard let number = server.words(processID, of: window, most: 1).first else { return nil }
    return number > 1 ? Int32(exactly: number) : nil
  }
}
