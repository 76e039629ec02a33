import ArgumentParser
import KeyDragCore

/// The option of every command that begins a session.
struct KeysOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      // Help page of keydrag files: what an option does. The hyphen stays as it is. A key script is
      // a list of keys that are pressed one after the other.
      Words.phrases.phrase("A key script, or - to read one from standard input."),
      discussion: Words.phrases.phrase(
        // Help page of keydrag files: what a key script is made of. space, ctrl+z, :drop and
        // keydrag keys stay as they are.
        "Words split by blanks: keys such as space or ctrl+z, text in quotation marks, commands "
          + "such as :drop. keydrag keys lists them."),
      // Help page, in angle brackets: what is to be typed, a list of keys.
      valueName: Words.phrases.term(in: "to be typed", "script")))
  var keys: String?
}

/// The option of every command that looks at running programs.
struct ProgramOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      // Help page of keydrag audit, drop and points: what an option takes.
      Words.phrases.phrase("Only this program, by its name or a window's title."),
      // Help page, in angle brackets: what is to be typed, a name.
      valueName: Words.phrases.term(in: "to be typed", "name")))
  var app: String?

  func validate() throws {
    guard let app, app.allSatisfy(\.isWhitespace) else { return }
    throw ValidationError(
      // A mistake on the command line: nothing follows --app, which stays as it is.
      Words.phrases.phrase("--app needs the name of a program or the title of a window."))
  }
}

/// The option of undo and redo.
struct EntryOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      // Help page of keydrag undo and redo: what an option takes. keydrag history stays as it is.
      Words.phrases.phrase("The number that keydrag history shows."),
      // Help page, in angle brackets: what is to be typed, a number.
      valueName: Words.phrases.term(in: "to be typed", "number")))
  var entry: Int64?
}
