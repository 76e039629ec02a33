import CXCB

/// The one place that an agent has on a display: a selection, which nobody else has as long as this
/// exists, however the display is named and wherever a program runs that shows itself there. It is
/// free again when the agent ends, in whatever way.
///
/// By the convention of manager selections (ICCCM 2.8): a selection with the screen's number in its
/// name. The server gives it back with the connection, in whatever way the process ends.
package final class DisplaySeat {
  private let server: XServer

  private init(_ server: XServer) { self.server = server }

  /// Blocks for connecting and some answers.
  ///
  /// - Parameter display: `nil` for the one that DISPLAY names.
  /// - Returns: `nil` when it is taken.
  /// - Throws: why the display can't be reached.
  package static func take(on display: String? = nil) throws(XError) -> DisplaySeat? {
    let server = try XServer(display: display)
    let selection = try selection(server)
    // Nobody comes between the question and the answer to it.
    server.holdServer()
    let isFree = server.owner(of: selection) == nil
    let isOwn = isFree && server.own(selection, by: server.makeHiddenWindow(), time: 0)
    server.releaseServer()
    guard !server.isLost else { throw server.loss }
    return isOwn ? DisplaySeat(server) : nil
  }

  /// Whether an agent runs on a display.
  ///
  /// Blocks for connecting and some answers.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long the display may say nothing.
  /// - Throws: why the display can't be asked.
  package static func isTaken(
    on display: String? = nil, within patience: Duration
  ) throws(XError) -> Bool {
    let server = try XServer(display: display, within: patience)
    let owner = server.owner(of: try selection(server))
    guard !server.isLost else { throw server.loss }
    return owner != nil
  }

  /// The atom of the seat on the screen that the display's name says.
  private static func selection(_ server: XServer) throws(XError) -> XAtom {
    let selection = server.atoms(["_KEYDRAG_AGENT_S\(server.screenNumber)"])[0]
    guard selection != .none else { throw server.loss }
    return selection
  }
}
