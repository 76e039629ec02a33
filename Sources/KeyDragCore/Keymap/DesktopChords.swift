/// The strokes by which KeyDrag is called from any program on the desktop.
package struct DesktopChords: Hashable, Sendable {
  /// The action of a chord.
  package enum Call: Hashable, Sendable, CaseIterable {
    /// Picks up what is in focus, or adds it to what is held.
    case pickUp
    /// Opens the list of deliveries, undo, redo, history and quit.
    case deliveries

    /// The command that the settings know it by.
    package var command: CommandName {
      switch self {
      case .pickUp: .pickUp
      case .deliveries: .deliveries
      }
    }
  }

  private var strokes: [Call: [KeyStroke]]

  /// Ctrl+Alt+Space, and the same with Shift.
  package static let standard = DesktopChords(
    pickUp: [KeyStroke(.space, [.ctrl, .alt])],
    deliveries: [KeyStroke(.space, [.ctrl, .alt, .shift])])

  package init(pickUp: [KeyStroke], deliveries: [KeyStroke]) {
    strokes = [.pickUp: pickUp, .deliveries: deliveries]
  }

  /// The one that is told first comes first.
  package subscript(_ call: Call) -> [KeyStroke] {
    get { strokes[call] ?? [] }
    set { strokes[call] = newValue }
  }

  package var all: [KeyStroke] { Call.allCases.flatMap { self[$0] } }

  package func call(of stroke: KeyStroke) -> Call? {
    Call.allCases.first { self[$0].contains(stroke) }
  }

  /// The stroke that is told where a person is to be told how to pick up.
  package var pickUp: KeyStroke { self[.pickUp].first ?? KeyStroke(.space, [.ctrl, .alt]) }

  /// Whether a stroke can be taken from all programs: nobody types or commands with it everywhere, no
  /// walk needs it, and it is none of the screen reader's.
  package static func canTake(_ stroke: KeyStroke) -> Bool {
    if stroke.key == .insert { return false }
    if case .function(let number) = stroke.key, number == 10 || number == 11 { return true }
    return stroke.modifiers.isSuperset(of: [.ctrl, .alt])
  }
}
