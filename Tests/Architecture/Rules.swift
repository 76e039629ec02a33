/// The rules that the tree keeps. Each function gives one sentence for every breach.
enum Rules {
  /// What may lie at the top, beside names that begin with a dot.
  static let topLevel: Set<String> = [
    "Package.swift", "Package.resolved", "Sources", "Tests", "Localization", "Packaging",
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
  ]
  static let longestFile = 600

  /// What comes with the compiler and the C library. Foundation is apart: it costs start-up time.
  private static let platform: Set<String> = [
    "Swift", "Synchronization", "Glibc", "Dispatch", "FoundationEssentials",
  ]

  /// Which modules may use a library from outside.
  private static let users: [String: Set<String>] = [
    "OrderedCollections": ["KeyDragCore", "KeyDragRuntime", "KeyDragFiles"],
    "DequeModule": ["KeyDragRuntime"],
    "SystemPackage": ["KeyDragFiles", "KeyDragTerminal", "KeyDragTypes", "keydrag"],
    "GRDB": ["KeyDragFiles"], "GRDBSQLite": ["KeyDragFiles"],
    "Yams": ["KeyDragConfiguration"],
    "FoundationInternationalization": ["KeyDragLocale"],
    "ArgumentParser": ["keydrag"],
    // It brings libdbus, which the buses are reached by.
    "CAtspi": ["KeyDragBus", "KeyDragAccessibility"],
  ]

  /// Modules that one file alone imports: the rest of the program speaks a port of the core.
  private static let soleUsers = ["KeyDragX11": "Sources/keydrag/Displays.swift"]

  /// System calls that the C library's module leaves out: not a system of its own.
  private static let sharedSystemModules: Set<String> = ["CLinux"]

  private enum Layer {
    case core, threads, runtime, library, adapter, sample, tool, system, executable
  }

  /// Imports that go against the arrows.
  static func wrongImports(_ files: [ProjectFile]) -> [String] {
    let adapters = names(of: files, under: "Adapters")
    let system = names(of: files, under: "System")
    var owners: [String: String] = [:]
    var result: [String] = []
    for file in files {
      guard let module = file.module else { continue }
      for (imported, line) in file.imports where imported != module {
        let place = "\(file.path):\(line): \(module) must not import \(imported)"
        if !mayImport(imported, module, layer(of: file), adapters: adapters, system: system)
          || soleUsers[imported].map({ $0 != file.path }) == true
        {
          result.append(place)
        } else if system.contains(imported), users[imported] == nil,
          !sharedSystemModules.contains(imported)
        {
          if let owner = owners[imported], owner != module {
            result.append("\(place), which belongs to \(owner)")
          }
          owners[imported] = owners[imported] ?? module
        }
      }
    }
    return result
  }

  /// The arrows of the article's picture, each as "module → module".
  static func drawnArrows(_ article: ProjectFile) -> Set<String> {
    var result: Set<String> = []
    for line in article.lines {
      let sides = line.split(separator: "→", omittingEmptySubsequences: false)
      guard sides.count == 2, let module = sides[0].split(separator: " ").first else { continue }
      for imported in sides[1].split(separator: " ") { result.insert("\(module) → \(imported)") }
    }
    return result
  }

  /// Between which modules of the project there are imports, system libraries and tools aside.
  static func usedArrows(_ files: [ProjectFile]) -> Set<String> {
    let apart = names(of: files, under: "System").union(names(of: files, under: "BuildTools"))
    let sources = files.filter { $0.path.hasPrefix("Sources/") }
    let modules = Set(sources.compactMap(\.module)).subtracting(apart)
    return Set(
      sources.flatMap { file in
        file.imports.map(\.0).filter { modules.contains($0) && $0 != file.module }
          .map { "\(file.module ?? "") → \($0)" }
      })
  }

  /// The rows of a table of behaviours, and those that names of tests and suites begin with or hold.
  static func rows(_ text: ProjectFile) -> Set<String> {
    Set(text.lines.compactMap { $0.prefixMatch(of: #/\| ([HSKTW]\d\d) /#).map { String($0.1) } })
  }

  static func rowsOfTests(_ files: [ProjectFile]) -> Set<String> {
    var result: Set<String> = []
    for file in files where file.path.hasPrefix("Tests/") && file.isSwift {
      for (index, line) in file.lines.enumerated()
      where line.contains("@Test(") || line.contains("@Suite(") {
        // A long name stands on the next line.
        for line in file.lines[index...].prefix(2) {
          for row in line.matches(of: /\b[HSKTW]\d\d\b/) { result.insert(String(row.0)) }
        }
      }
    }
    return result
  }

  private static func mayImport(
    _ imported: String, _ module: String, _ layer: Layer, adapters: Set<String>,
    system: Set<String>
  ) -> Bool {
    if let users = users[imported] { return users.contains(module) }
    switch layer {
    case .core: return ["Swift", "Synchronization"].contains(imported)
    case .threads: return platform.contains(imported)
    case .runtime: return platform.contains(imported) || imported == "KeyDragCore"
    case .library:
      return platform.contains(imported)
        || ["KeyDragCore", "KeyDragRuntime", "KeyDragThreads"].contains(imported)
    case .adapter:
      return platform.contains(imported)
        || ["KeyDragCore", "KeyDragThreads", "KeyDragBus", "Foundation"].contains(imported)
        || system.contains(imported)
    case .sample:
      return platform.contains(imported) || ["KeyDrag", "Foundation"].contains(imported)
    case .tool: return !imported.hasPrefix("KeyDrag")
    case .system: return false
    case .executable: return !system.subtracting(sharedSystemModules).contains(imported)
    }
  }

  private static func layer(of file: ProjectFile) -> Layer {
    switch file.path.split(separator: "/").dropFirst().first {
    case "KeyDragCore": .core
    case "KeyDragThreads": .threads
    // The desktop's world is built on the core's ports alone, as the loop is.
    case "KeyDragRuntime", "KeyDragDesktop": .runtime
    case "KeyDrag": .library
    case "Adapters", "KeyDragBus": .adapter
    case "Samples": .sample
    case "System": .system
    case "BuildTools": .tool
    default: .executable
    }
  }

  private static func names(of files: [ProjectFile], under folder: String) -> Set<String> {
    Set(files.filter { $0.path.hasPrefix("Sources/\(folder)/") }.compactMap(\.module))
  }

  /// Printing anywhere but in the executable, which alone knows what standard output is for.
  static func printing(_ files: [ProjectFile]) -> [String] {
    files.flatMap { file -> [String] in
      let mayPrint =
        file.path.hasPrefix("Sources/keydrag/") || file.path.hasPrefix("Sources/BuildTools/")
      guard file.isSwift, file.path.hasPrefix("Sources/"), !mayPrint else { return [] }
      // A function of that name, for a printer, hides the one that writes.
      let hasOwn = file.code.contains { $0.text.contains("func print(") }
      return file.code.filter { callsPrint($0.text, isHidden: hasOwn) }
        .map { "\(file.path):\($0.line): prints" }
    }
  }

  private static func callsPrint(_ text: Substring, isHidden: Bool) -> Bool {
    let before = text.split(separator: "print(", omittingEmptySubsequences: false).dropLast()
    return before.contains { part in
      if part.hasSuffix("Swift.") { return true }
      guard !isHidden, let last = part.last else { return !isHidden }
      return
        !(last.isLetter || last.isNumber || last == "_" || last == "." || part.hasSuffix("func "))
    }
  }

  /// Sleeping and reading the time in the loop, the library and all of the desktop but by the clock
  /// that they are given, which may have a default.
  ///
  /// A semaphore blocks a thread, which no clock of Swift's does: it keeps the time of Dispatch.
  static func ownTime(_ files: [ProjectFile]) -> [String] {
    let words = [
      "Task.sleep", "ContinuousClock", "SuspendingClock", "DispatchTime.", "asyncAfter", "usleep(",
      "nanosleep(", "clock_gettime",
    ]
    // Nothing before it: the time of a clock that is named elsewhere.
    let now = #/(^|[ (])\.now/#
    let modules = ["KeyDragDesktop", "KeyDragRuntime", "KeyDrag", "KeyDragApp"]
    return files.filter { file in
      file.isSwift
        && (modules.contains(file.module ?? "") || file.path.hasPrefix("Sources/keydrag/Desktop/"))
    }
    .flatMap { file in
      file.code.filter { _, text in
        !text.contains(".wait(timeout: ")
          && !text.hasSuffix(": any Clock<Duration> = ContinuousClock()")
          && (words.contains(where: text.contains) || text.contains(now))
      }
      .map { "\(file.path):\($0.line): has a time of its own" }
    }
  }

  /// Entries at the top that do not belong there.
  static func strangers(atTop names: [String]) -> [String] {
    names.filter { !$0.hasPrefix(".") && !topLevel.contains($0) }
      .map { "\($0) does not belong at the top" }
  }

  /// Files too long to be read in one go.
  /// Names of types that nobody could guess, each with the one that says what it is.
  private static let clearNames = [
    "Before": "Baseline", "End": "DeliveryResult", "Line": "WorkerThread", "Loan": "ClipboardLoan",
    "Look": "Observation", "OwnEntries": "RunEntries", "Seen": "Observation",
    "Shelf": "Storage", "Sight": "ContentSnapshot", "Spot": "PlaceRecord", "Turn": "AsyncMutex",
    "Turns": "ClipboardQueue", "Wanted": "ExpectedEffect", "Way": "ExpectedForm",
    "Aftermath": "Drop", "AnnouncementLadder": "AnnouncementRouter",
    "Appearing": "AppearanceBatch", "CarriedGoods": "PayloadCoordinator",
    "Clippings": "TextPayloads", "Departure": "PendingSourceRemoval", "DragGoods": "DragPayload",
    "FileGoods": "FilePayload", "FolderOutlook": "FolderDropPrecheck", "Foresight": "QueryPrefetch",
    "Handover": "ThreadConfined", "HandsOff": "InputReleaseWait", "Lent": "ReturnedLoan",
    "Looks": "CallPool", "News": "ChangeLog", "PaneAnswers": "ExpensivePaneCache",
    "PictureEnd": "ImageTrailer", "ReaderRung": "ReaderRoute", "ReadingHabits": "QueryPattern",
    "Renewal": "ReconnectingConnection", "Script": "WritingSystem", "Showing": "ViewKinds",
    "Stay": "SourceRemovalFailure", "Things": "ItemNoun", "Told": "SpokenHistory",
    "Whereabouts": "PlaceLocation",
  ]

  /// Types in Sources with a name that was given up.
  static func unclearNames(_ files: [ProjectFile]) -> [String] {
    let kinds: Set<Substring> = ["class", "struct", "enum", "actor", "protocol", "typealias"]
    return files.filter { $0.isSwift && $0.path.hasPrefix("Sources/") }.flatMap { file in
      file.code.compactMap { line, code in
        let words = code.split { !$0.isLetter && !$0.isNumber }
        guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
          let clear = clearNames[String(words[kind + 1])]
        else { return nil }
        return "\(file.path):\(line): \(words[kind + 1]) would be clearer as \(clear)"
      }
    }
  }

  static func tooLong(_ files: [ProjectFile]) -> [String] {
    files.filter { [".swift", ".c", ".h"].contains(where: $0.path.hasSuffix) }
      .filter { $0.lines.count > longestFile }
      .map { "\($0.path) has \($0.lines.count) lines" }
  }

  /// Paths that exist on one computer only. Tests may have examples in any folder, except in those
  /// of `here`: where the project lies and who works on it.
  static func absolutePaths(_ files: [ProjectFile], here: [String]) -> [String] {
    // In two pieces each, so that this file does not break its own rule.
    let roots = ["work", "home", "root", "Users"].map { "/" + $0 + "/" }
    return files.flatMap { file in
      let wrong = file.path.hasPrefix("Tests/") ? here : here + roots
      return file.lines.enumerated().compactMap { index, line in
        wrong.first { line.contains($0) && isPath($0, in: line) }
          .map { "\(file.path):\(index + 1): holds \($0)" }
      }
    }
  }

  /// Only what begins there: a folder of such a name in the middle of a path is nothing special.
  private static func isPath(_ root: String, in line: Substring) -> Bool {
    line.split(separator: root, omittingEmptySubsequences: false).dropLast().contains { before in
      guard let last = before.last else { return true }
      return !(last.isLetter || last.isNumber || "._-}~)".contains(last))
    }
  }
}
