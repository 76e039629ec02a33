import KeyDragCore

extension DesktopKeys {
  /// Which of these another program has: each is taken, under every lock, and let go at once.
  ///
  /// Of what this program takes itself it does not know better: an agent that runs is another
  /// program.
  ///
  /// Blocks for connecting and the grabs. For a moment these keys are ours.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - patience: how long the display may say nothing.
  /// - Throws: why the display can't be asked.
  package static func taken(
    of chords: [KeyStroke] = DesktopChords.standard.all, on display: String? = nil,
    within patience: Duration
  ) throws(XError) -> [KeyStroke] {
    let server = try XServer(display: display, within: patience)
    let map = try LayoutReader(display: display, within: patience).map()
    let plan = KeyPlan(chords: chords, carrying: nil, isFinding: false, on: map)
    let presses = Set(plan.chords.keys)
    let lost = server.grab(presses, locks: map.lockMasks, isStopping: false)
    server.ungrab(presses, locks: map.lockMasks)
    server.sync()
    guard !server.isLost else { throw server.loss }
    return chords.filter { chord in lost.contains { plan.chords[$0] == chord } }
  }
}
