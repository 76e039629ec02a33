import KeyDragCore

/// Cache of the commands that windows have: their menus seldom change.
///
/// A value owned by the desktop; times count from its start.
struct OfferedCommands {
  private struct Key: Hashable {
    var frame: ElementID
    var command: ProgramCommand
  }

  private var known: [Key: (isOffered: Bool?, time: Duration)] = [:]

  /// The maximum age of an answer: a drop may bring what can be undone.
  private static let age = (offered: Duration.seconds(30), other: Duration.seconds(2))
  /// Above this the cache is emptied.
  private static let most = 256

  /// `nil` if unknown or expired; in it the answer of ``ProgramCommanding``.
  func isOffered(_ command: ProgramCommand, in frame: ElementID, at time: Duration) -> Bool?? {
    guard let entry = known[Key(frame: frame, command: command)],
      time - entry.time < (entry.isOffered == true ? Self.age.offered : Self.age.other)
    else { return nil }
    return .some(entry.isOffered)
  }

  mutating func learn(
    _ isOffered: Bool?, _ command: ProgramCommand, in frame: ElementID, at time: Duration
  ) {
    if known.count >= Self.most { known = [:] }
    known[Key(frame: frame, command: command)] = (isOffered, time)
  }
}

/// Commands in the menus of windows, and the order of their rows.
extension Desktop {
  /// Whether a window has a command; `false` for an unresponsive program, which is not asked.
  func offers(_ command: ProgramCommand, in container: ContainerID) async -> Bool {
    await offer(of: command, in: container) == true
  }

  /// The same; `nil` where it may have it.
  func offer(of command: ProgramCommand, in container: ContainerID) async -> Bool? {
    guard let window = window(container), let commands = parts.commands,
      let frame = window.frame?.element, window.program?.isResponding == true
    else { return false }
    if let known = offered.isOffered(command, in: frame, at: time()) { return known }
    let isOffered = try? await commands.offers(
      command, in: frame, called: names(of: command, in: window))
    offered.learn(isOffered, command, in: frame, at: time())
    return isOffered
  }

  /// Whether a command of a window can be used now; `nil` where that can't be known.
  func canUse(_ command: ProgramCommand, in container: ContainerID) async -> Bool? {
    guard let window = window(container), let commands = parts.commands,
      let frame = window.frame?.element, window.program?.isResponding == true
    else { return nil }
    return try? await commands.canUse(command, in: frame, called: names(of: command, in: window))
  }

  /// Has the program of a window run one of its commands.
  ///
  /// Throws `gone` for a closed window, `operationNotOffered` where menus can't be reached. With
  /// `mayOpen` a menu may be opened on the screen.
  func carryOut(
    _ command: ProgramCommand, in container: ContainerID, mayOpen: Bool
  ) async throws(Reason) {
    guard let window = window(container) else { throw .gone }
    guard let commands = parts.commands, let frame = window.frame?.element else {
      throw .operationNotOffered
    }
    try await commands.carryOut(
      command, in: frame, called: names(of: command, in: window), mayOpen: mayOpen)
  }

  /// The profile's names for a command; empty for the usual ones.
  private func names(of command: ProgramCommand, in window: Window) -> [NamePattern] {
    profile(of: window)?.commands[command] ?? []
  }

  /// The names of a window's rows and icons, in order; `nil` if unknown.
  func order(in container: ContainerID) async -> [String]? {
    guard let window = window(container), window.isReadable else { return nil }
    let wanted = ElementQuery(
      roles: AccessibleRoles.rows.union(AccessibleRoles.icons), most: DropEffect.maxElements,
      hasRowStates: false)
    return try? await elements(in: window, wanted).map(\.name)
  }

  /// The present rectangle of an element, in pixels of the screen; `nil` while it is not visible.
  func rectangle(
    of element: ElementID, in container: ContainerID
  ) async -> ScreenRectangle? {
    guard let window = window(container), let reader = parts.programs else { return nil }
    let found = try? await rectangle(of: element, in: window, reader)
    return found.flatMap { $0 }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
