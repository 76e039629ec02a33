import KeyDragCore
import KeyDragDesktop
import KeyDragRuntime
import KeyDragX11
import Synchronization

/// The desktop as the loop's screen: a frame around the place reached with a few words beside it.
final class DesktopView: Screen {
  private let world: DesktopWorld
  private let overlay: Overlay?
  /// Counts what is shown, so that an answer that comes late is dropped.
  private let shown = Mutex(0)

  init(world: DesktopWorld) {
    self.world = world
    overlay = try? Overlay()
  }

  func visibleRows(for contents: ScreenContents) -> Int { 1 }

  func show(_ contents: ScreenContents) {
    guard let overlay else { return }
    let number = shown.withLock { number in
      number += 1
      return number
    }
    guard contents.phase != .browsing else { return overlay.hide() }
    let lines = Self.lines(contents)
    Task { [world] in
      var frame: ScreenRectangle?
      if let point = contents.dropPoint { frame = await world.rectangle(of: point) }
      let view = OverlayView(frame: frame, lines: lines, verdict: contents.verdict)
      shown.withLock { if $0 == number { overlay.show(view) } }
    }
  }

  func hold() {}

  func repaint() {}

  /// The frame and its label are in no accessibility tree.
  var isRead: Bool { false }

  /// The name that is being typed, the place with its answer, what is held, and where the place is.
  static func lines(_ contents: ScreenContents) -> [String] {
    var lines = [contents.finding].compactMap(\.self)
    if let current = contents.current, contents.rows.indices.contains(current) {
      let row = contents.rows[current]
      lines.append(row.note.isEmpty ? row.name : "\(row.name): \(row.note)")
    }
    if let carried = contents.carried { lines.append(carried) }
    if !contents.title.isEmpty { lines.append(contents.title) }
    return lines
  }
}
