import CXCB
import KeyDragCore

/// The single agent seat of a display: a selection that nobody else can own while this exists,
/// however the display is named and wherever a program runs that shows itself there.
///
/// By the convention of manager selections (ICCCM 2.8): a selection with the screen's number in its
/// name. The server releases it with the connection, however the process ends.
final class AgentSelectionLock {
  private let server: XServer

  private init(_ server: XServer) { self.server = server }

  /// Blocks for connecting and some replies.
  ///
  /// - Returns: `nil` when it is taken.
  /// - Throws: why the display can't be reached.
  static func take(on display: String? = nil) throws(Reason) -> AgentSelectionLock? {
    let server = try XServer(display: display)
    let selection = try selection(server)
    // Makes the check and the acquisition atomic.
    server.holdServer()
    let isFree = server.owner(of: selection) == nil
    let isOwn = isFree && server.own(selection, by: server.makeHiddenWindow(), time: 0)
    server.releaseServer()
    guard !server.isLost else { throw server.loss }
    return isOwn ? AgentSelectionLock(server) : nil
  }

  /// Whether an agent runs on a display. Blocks for connecting and some replies.
  ///
  /// - Parameter patience: timeout for the display.
  /// - Throws: why the display can't be asked.
  static func isTaken(
    on display: String? = nil, within patience: Duration
  ) throws(Reason) -> Bool {
    let server = try XServer(display: display, within: patience)
    let owner = server.owner(of: try selection(server))
    guard !server.isLost else { throw server.loss }
    return owner != nil
  }

  private static func selection(_ server: XServer) throws(Reason) -> XAtom {
    let selection = server.atoms(["_KEYDRAG_AGENT_S\(server.screenNumber)"])[0]
    guard selection != .none else { throw server.loss }
    return selection
  }
}
