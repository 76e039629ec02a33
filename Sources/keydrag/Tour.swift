import KeyDragCore
import Synchronization

/// The steps of the tour: the next key, and the event that completes a step.
///
/// A step ends only with its event. The person may do something else, and the tour goes on from
/// there.
final class Tour: Sendable {
  /// The name of the note that the tour has been mentioned.
  static let mention = "tour-mentioned"

  private enum Step: Int, CaseIterable {
    case pickUp = 1
    case walk, hear, drop, undo

    var key: (command: CommandName, phase: PhaseName) {
      switch self {
      case .pickUp: (.pickUp, .browsing)
      case .walk: (.nextDropPoint, .carrying)
      case .hear: (.whereAmI, .carrying)
      case .drop: (.drop, .carrying)
      case .undo: (.undo, .browsing)
      }
    }
  }

  private struct Position {
    /// `nil` before the first and after the last.
    var step: Step?
    var hasBegun = false
    /// The place announced with the pick-up, which nobody has walked to.
    var first: DropPointReport?
  }

  /// The person's keymap, with a further key to leave.
  let keymap: Keymap
  private let state = Mutex(Position())

  init(_ keymap: Keymap) {
    let leaving = keymap.chords(for: .quit, in: .browsing)
    let escape = keymap.chords(for: .cancel, in: .browsing)
    // If the keys clash, the usual keys to leave will do.
    self.keymap =
      (try? keymap.remapped([
        (.browsing, .cancel, []), (.browsing, .quit, escape + leaving),
      ])) ?? keymap
  }

  /// The lesson to give after an announcement.
  func follow(_ announcement: Announcement) -> Lesson? {
    state.withLock { state in
      switch announcement {
      case .ready where !state.hasBegun:
        state.hasBegun = true
        return begin(.pickUp, &state, leaving: key(.quit, .browsing))
      case .pickedUp where state.step != nil:
        state.first = nil
        return begin(.walk, &state)
      case .dropPoint(let report) where state.step == .walk:
        guard let first = state.first else {
          state.first = report
          return nil
        }
        let isElsewhere = first.name != report.name || first.container != report.container
        return isElsewhere ? begin(.hear, &state) : nil
      case .holding where state.step == .hear: return begin(.drop, &state)
      case .delivered where state.step != nil: return begin(.undo, &state)
      case .cancelled where state.step != nil, .failed where state.step != nil:
        return begin(.pickUp, &state)
      case .ready, .unknownKey, .noMatch, .edge, .holding, .help, .declined:
        return state.step.map { begin($0, &state) }
      case .undone where state.step == .undo:
        state.step = nil
        return .finished(leaving: key(.quit, .browsing))
      default: return nil
      }
    }
  }

  private func begin(_ step: Step, _ state: inout Position, leaving: KeyStroke? = nil) -> Lesson {
    state.step = step
    let (command, phase) = step.key
    return .step(
      .key(key(command, phase), command, in: phase), index: step.rawValue,
      total: Step.allCases.count, leaving: leaving)
  }

  private func key(_ command: CommandName, _ phase: PhaseName) -> KeyStroke {
    keymap.chords(for: command, in: phase).first?.first
      ?? Keymap.standard.chords(for: command, in: phase).first?.first ?? KeyStroke(.escape)
  }
}
