import ArgumentParser
import KeyDragApp
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import SystemPackage

/// `keydrag tour`: a first drag, step by step, in a folder where nothing can be lost.
struct TourCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "tour",
      // Help page: what keydrag tour does.
      abstract: Words.phrases.phrase("Learn drag and drop by keyboard, in five steps."),
      discussion: Words.phrases.phrase(
        "Space picks up, Tab walks the places, Enter drops, Escape cancels, ? is help."))
  }

  @OptionGroup var script: KeysOption

  @OptionGroup var options: SharedOptions

  func perform() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let phrases = composition.phrases
    let folder: PracticeFolder
    do throws(Errno) {
      folder = try PracticeFolder(
        folders: ["Inbox", "Docs", "Pictures", ".history"], files: ["Inbox/notes.txt": "KeyDrag\n"])
    } catch {
      throw .file(PracticeFolder.parent.string, Reason(errno: error.rawValue), as: .folder, phrases)
    }
    defer { folder.remove() }
    var run = try composition.appRun(keys: script.keys.map(ArgumentText.shown))
    let tour = Tour(run.keymap)
    run.keymap = tour.keymap
    run.outputs.teacher = { tour.follow($0) }
    run.settings.isTaught = true
    // A separate history: an undo too many takes back nothing of the person's.
    let courier = JournaledCourier(
      flushesToDevice: false, folder: folder.path.appending(".history"))
    let world = composition.world(
      roots: ["Inbox", "Docs", "Pictures"].map { folder.path.appending($0) }, courier: courier,
      isForFolders: true)
    let code = await run.run(world, roots: world.roots) {
      ExitStatus.of($0, isNothingThere: $1, phrases).rawValue
    }
    _ = OneTimeHint.note(Tour.mention)
    return ExitStatus(rawValue: code) ?? .internalError
  }
}
