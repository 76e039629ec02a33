/// The strokes that call KeyDrag from any program on the desktop.
package struct DesktopChords: Hashable, Sendable {
  package enum Call: Hashable, Sendable, CaseIterable {
    /// Picks up the focused item, or adds it to what is held.
    case pickUp
    /// Opens the list of deliveries, undo, redo, history and quit.
    case deliveries

    /// The command under which the settings list it.
    package var command: CommandName {
      switch self {
      case .pickUp: .pickUp
      case .deliveries: .deliveries
      }
    }
  }

  private var strokes: [Call: [KeyStroke]]

  package static let standard = DesktopChords(
    pickUp: [KeyStroke(.space, [.ctrl, .alt])],
    deliveries: [KeyStroke(.space, [.ctrl, .alt, .shift])])

  /// The strokes grabbed while something is carried.
  package static let walk: [KeyStroke] =
    [
      KeyStroke(.tab), KeyStroke(.tab, .shift), KeyStroke(.up), KeyStroke(.down), KeyStroke(.left),
      KeyStroke(.right), KeyStroke(.home), KeyStroke(.end), KeyStroke(.pageUp),
      KeyStroke(.pageDown), KeyStroke(.enter), KeyStroke(.escape), KeyStroke(.delete),
    ] + ((1...9) + [12]).map { KeyStroke(.function($0)) }

  package init(pickUp: [KeyStroke], deliveries: [KeyStroke]) {
    strokes = [.pickUp: pickUp, .deliveries: deliveries]
  }

  /// The first stroke is the one that help mentions.
  package subscript(_ call: Call) -> [KeyStroke] {
    get { strokes[call] ?? [] }
    set { strokes[call] = newValue }
  }

  package var all: [KeyStroke] { Call.allCases.flatMap { self[$0] } }

  package func call(of stroke: KeyStroke) -> Call? {
    Call.allCases.first { self[$0].contains(stroke) }
  }

  package var pickUp: KeyStroke { self[.pickUp].first ?? KeyStroke(.space, [.ctrl, .alt]) }

  /// Whether a stroke can be grabbed from all programs: it is not typed or used as a command
  /// everywhere, no walk needs it, and it is none of the screen reader's.
  package static func canTake(_ stroke: KeyStroke) -> Bool {
    if stroke.key == .insert { return false }
    if case .function(let number) = stroke.key, number == 10 || number == 11 { return true }
    return stroke.modifiers.isSuperset(of: [.ctrl, .alt])
  }
}
