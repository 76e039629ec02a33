import KeyDragCore

extension DesktopKeys {
  /// Chords that another program has grabbed: each is grabbed under every lock and released at
  /// once.
  ///
  /// A running agent counts as another program. Blocks for connecting and the grabs, during which
  /// the keys are ours.
  ///
  /// - Parameter patience: timeout for the display.
  /// - Throws: why the display can't be asked.
  static func taken(
    of chords: [KeyStroke] = DesktopChords.standard.all, on display: String? = nil,
    within patience: Duration
  ) throws(Reason) -> [KeyStroke] {
    let server = try XServer(display: display, within: patience)
    let map = try LayoutReader(display: display, within: patience).map()
    let plan = KeyGrabPlan(chords: chords, carrying: nil, isFinding: false, on: map)
    let presses = Set(plan.chords.keys)
    let lost = server.grab(presses, locks: map.lockMasks, isStopping: false)
    server.ungrab(presses, locks: map.lockMasks)
    server.sync()
    guard !server.isLost else { throw server.loss }
    return chords.filter { chord in lost.contains { plan.chords[$0] == chord } }
  }
}
