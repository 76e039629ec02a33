import Foundation
import StoppedProgram

/// Plays the person, other programs and bad luck while a drop runs.
final class ScenarioDriver {
  private let scenario: Scenario
  private let recipe: Recipe
  private let window: Window
  private let field: FieldDesktop
  /// The file for a screenshot of the question.
  var photograph: String?
  private(set) var changed: Set<String> = []
  private var answers = 0
  private static let mostAnswers = 4
  var hasAnswered: Bool { answers > 0 }
  private var hasStruck = false

  init(scenario: Scenario, recipe: Recipe, window: Window, field: FieldDesktop) {
    (self.scenario, self.recipe, self.window, self.field) = (scenario, recipe, window, field)
  }

  /// Sees each line of the transcript, or nothing when none comes.
  func react(_ record: Record?) throws {
    if let record, record.kind == "delivery", record["stage"] == "started" { try strike() }
    let isAsked =
      record == nil
      || record?.id == "unconfirmed"
        && (record?.argument("question") ?? record?.argument("window")) != nil
    if isAsked { try answer() }
  }

  /// Stops the target or ends it, as the drop begins.
  private func strike() throws {
    guard !hasStruck, window.process > 0 else { return }
    hasStruck = true
    // Late enough that the program was asked about the drop, and may have had it.
    if scenario == .busyLater { usleep(300_000) }
    if scenario == .killedLater { usleep(500_000) }
    switch scenario {
    case .busy, .busyLater:
      let process = window.process
      StoppedProgram.stop(process)
      // The drop goes on meanwhile.
      Thread.detachNewThread {
        sleep(3)
        kill(process, SIGCONT)
      }
    case .killed, .killedLater: kill(window.process, SIGKILL)
    default: break
    }
  }

  private func answer() throws {
    // Nobody is there any more to be answered.
    if scenario == .killed || scenario == .killedLater { return }
    answers += 1
    guard answers <= Self.mostAnswers else { return }
    // A dialog may take a moment until it has the keyboard.
    usleep(700_000)
    if recipe.killsWhenAsked {
      kill(window.process, SIGKILL)
      return
    }
    if scenario == .unrelated, answers == 1 { try meddle() }
    let keys: [String] =
      switch scenario {
      case .cancel, .unrelated: recipe.question?.cancel ?? ["Escape"]
      case .move: recipe.question?.move ?? []
      default: recipe.question?.copy ?? []
      }
    // A further question, such as about a name that is taken, is answered with no, and an alert closed.
    if answers > 1 { return try field.press("Escape") }
    if let photograph { field.photograph(to: photograph) }
    for key in keys { try field.press(key) }
  }

  /// Somebody else makes a file in the folder and removes one.
  private func meddle() throws {
    guard let folder = recipe.folder else { return }
    try field.make(folder + "/unrelated.txt")
    try? FileManager.default.removeItem(atPath: field.path(folder + "/old.txt"))
    changed = [folder + "/unrelated.txt", folder + "/old.txt"]
    usleep(500_000)
  }

  /// Continues a program that was stopped.
  func finish() {
    guard [.busy, .busyLater].contains(scenario), window.process > 0 else { return }
    kill(window.process, SIGCONT)
    sleep(4)
  }
}
