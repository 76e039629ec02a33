extension Rules {
  /// Calls whose arguments, from the first to this one, are message sources.
  private static let wordings = ["phrase": 0, "term": 1, "plural": 1]
  /// Calls whose text only a programmer meets.
  private static let forProgrammers: Set<String> = [
    "precondition", "preconditionFailure", "assert", "assertionFailure",
  ]
  /// Files whose English nobody is shown, each with what it is.
  private static let exceptions = [
    "Sources/KeyDragBus/": "names that D-Bus gives",
    "Sources/Adapters/KeyDragAccessibility/": "names that AT-SPI gives, and errors for programs",
    "Sources/Adapters/KeyDragConfiguration/ConfigurationProblem.swift":
      "words by which the YAML parser's sentences are told apart",
    "Sources/Adapters/KeyDragFiles/Journal/": "SQL",
    "Sources/Adapters/KeyDragFiles/Trash/": "names that the trash specification gives",
    "Sources/Adapters/KeyDragFiles/Foreign/FolderResolver.swift": "words of the kernel's own lists",
    "Sources/Adapters/KeyDragFiles/Foreign/DesktopEntryName.swift": "keys of .desktop files",
    "Sources/Adapters/KeyDragWayland/WaylandSession.swift": "names of compositors",
    "Sources/KeyDragCore/Items/ItemProvider+Mistake.swift": "sentences for whoever writes an app",
    "Sources/Adapters/KeyDragX11/Overlay/OverlayColumn.swift": "the name of a font",
    "Sources/Adapters/KeyDragSpeech/SpeechText.swift": "what is said where nobody gives the words",
    "Sources/Adapters/KeyDragTypes/SystemPrograms.swift": "a key of .desktop files",
    "Sources/Samples/NotesSample/NotesSample.swift": "the texts of notes, and an event's lines",
    "Sources/Samples/PlacesSample/PlacesSample.swift": "names of places in the world",
    "Sources/BuildTools/": "what a programmer meets while building",
    "Sources/KeyDragDesktop/Places/AccessibleRoles.swift": "names that AT-SPI gives",
    "Sources/KeyDragDesktop/Places/TrashNames.swift": "names that desktops give the trash",
    "Sources/Adapters/KeyDragFiles/Foreign/HomeNames.swift": "names of the home folder",
    "Sources/keydrag/CompletionScript.swift": "lines of shells' scripts",
    "Sources/keydrag/HelpPage.swift": "the argument parser's sentences, to be told apart",
    "Sources/keydrag/TourCommand.swift": "names of folders to try things in",
    "Sources/keydrag/ParserMessage.swift": "the argument parser's sentences, to be told apart",
  ]
  /// Commands and options to be typed, which are the same in every language.
  private static let commands = [
    "adduser ", "apt ", "chown ", "keydrag ", "sysctl ", "--announce ", "--speech ",
  ]

  /// Text that looks like words for people and does not come from the phrasebook.
  static func untranslated(_ files: [ProjectFile]) -> [String] {
    files.filter { file in
      file.isSwift && file.path.hasPrefix("Sources/")
        && !exceptions.keys.contains(where: file.path.hasPrefix)
    }.flatMap { file in
      StringLiterals.all(in: file)
        .filter { isForPeople($0.text) && !isWording($0) && !isForPrograms($0) }
        .map { "\(file.path):\($0.line): \"\($0.text)\" can't be translated" }
    }
  }

  /// Exceptions for which there is nothing in the tree any more.
  static func needlessExceptions(_ files: [ProjectFile]) -> [String] {
    exceptions.keys.filter { path in
      !files.contains { file in
        file.path.hasPrefix(path) && StringLiterals.all(in: file).contains { isForPeople($0.text) }
      }
    }
    .filter { $0 != "Sources/BuildTools/" }.sorted()
  }

  private static func isWording(_ literal: StringLiteral) -> Bool {
    wordings[literal.call].map { literal.argument <= $0 } ?? false
  }

  private static func isForPrograms(_ literal: StringLiteral) -> Bool {
    forProgrammers.contains(literal.call) || commands.contains(where: literal.text.hasPrefix)
  }

  /// Two words side by side, or a single one with a capital as titles and names of places have.
  private static func isForPeople(_ text: String) -> Bool {
    let words = text.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }
    if words.count == 1 {
      return text.count > 1 && text.first?.isUppercase == true
        && text.dropFirst().allSatisfy { $0.isLetter && $0.isLowercase }
    }
    let isWord = words.map { word in
      let letters = word.drop { "(\"'".contains($0) }.reversed().drop { ".,:;!?)\"'…".contains($0) }
      return letters.count > 1 && letters.allSatisfy { $0.isLetter || $0 == "'" || $0 == "-" }
    }
    return zip(isWord, isWord.dropFirst()).contains { $0 && $1 }
  }
}
