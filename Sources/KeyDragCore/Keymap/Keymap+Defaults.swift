extension Keymap {
  /// The default keys: each is delivered by the Linux console, xterm, VTE and tmux, and used by no
  /// Orca layout.
  ///
  /// A test keeps the table free of clashes; with a clash every key would be reported as unknown
  /// instead of ending the program.
  package static let standard: Keymap = (try? Keymap(defaultBindings)) ?? Keymap()

  static let defaultBindings: [Binding] =
    PackageResources.Keys_txt.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
      // A comment names no command.
      guard words.count > 2, let command = CommandName(rawValue: words[1]) else { return nil }
      return Binding(
        phases: words[0].split(separator: ",").compactMap { PhaseName(rawValue: String($0)) },
        command: command, chords: words.dropFirst(2).map { KeyStroke(name: $0).map { [$0] } ?? [] })
    }
}
