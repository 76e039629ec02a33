import Testing

@Suite struct RulesTests {
  /// The modules that rules look up by folder.
  private let tree = [
    ProjectFile("Sources/KeyDragCore/A.swift", "import OrderedCollections"),
    ProjectFile("Sources/KeyDragRuntime/A.swift", "import DequeModule\nimport KeyDragCore"),
    ProjectFile("Sources/KeyDrag/A.swift", "import KeyDragRuntime"),
    ProjectFile("Sources/Adapters/KeyDragFiles/A.swift", "import CLinux\nimport GRDB"),
    ProjectFile("Sources/Adapters/KeyDragSpeech/A.swift", "import CALSA\nimport KeyDragCore"),
    ProjectFile("Sources/Adapters/KeyDragSpeech/C.swift", "import KeyDragThreads\nimport Glibc"),
    ProjectFile("Sources/KeyDragThreads/A.swift", "import Glibc"),
    ProjectFile("Sources/KeyDragBus/A.swift", "import CAtspi\nimport KeyDragThreads"),
    ProjectFile("Sources/System/CAtspi/shim.h", "#include <atspi/atspi.h>"),
    ProjectFile("Sources/System/CALSA/shim.h", "#include <alsa/asoundlib.h>"),
    ProjectFile("Sources/System/CLinux/CLinux.c", ""),
    ProjectFile("Sources/keydrag/A.swift", "import ArgumentParser\nimport KeyDragFiles"),
    ProjectFile("Sources/keydrag/Displays.swift", "import KeyDragX11"),
  ]

  @Test("a tree that keeps the rules is let through")
  func good() {
    #expect(Rules.wrongImports(tree) == [])
    #expect(Rules.printing(tree) == [])
    #expect(Rules.strangers(atTop: ["Package.swift", "Sources", ".ci"]) == [])
    #expect(Rules.tooLong(tree) == [])
    #expect(Rules.absolutePaths(tree, here: ["/x/y/"]) == [])
  }

  @Test(
    "an import against the arrows is found",
    arguments: [
      ("Sources/KeyDragCore/B.swift", "import Foundation"),
      ("Sources/KeyDragCore/B.swift", "import Glibc"),
      ("Sources/KeyDragCore/B.swift", "@preconcurrency internal import struct Glibc.stat"),
      ("Sources/KeyDragCore/B.swift", "import KeyDragRuntime"),
      ("Sources/KeyDragCore/B.swift", "import KeyDragThreads"),
      ("Sources/KeyDragThreads/B.swift", "import KeyDragCore"),
      ("Sources/KeyDragThreads/B.swift", "import CALSA"),
      ("Sources/KeyDragBus/B.swift", "import KeyDragSpeech"),
      ("Sources/KeyDragRuntime/B.swift", "import KeyDragThreads"),
      ("Sources/KeyDragRuntime/B.swift", "import KeyDragFiles"),
      ("Sources/KeyDragRuntime/B.swift", "import Foundation"),
      ("Sources/KeyDrag/B.swift", "import KeyDragSpeech"),
      ("Sources/KeyDrag/B.swift", "import CALSA"),
      ("Sources/Adapters/KeyDragFiles/B.swift", "import KeyDragSpeech"),
      ("Sources/Adapters/KeyDragFiles/B.swift", "import KeyDragRuntime"),
      ("Sources/Adapters/KeyDragFiles/B.swift", "import Yams"),
      ("Sources/Adapters/KeyDragSpeech/Deep/B.swift", "import ArgumentParser"),
      ("Sources/Samples/Places/B.swift", "import KeyDragCore"),
      ("Sources/keydrag/B.swift", "import CALSA"),
      ("Sources/keydrag/B.swift", "import GRDB"),
      ("Sources/keydrag/B.swift", "import KeyDragX11"),
      ("Sources/keydrag/Desktop/Displays.swift", "import KeyDragX11"),
    ])
  func wrongImport(_ path: String, _ text: String) {
    let found = Rules.wrongImports(tree + [ProjectFile(path, "// first\n\(text)  // why")])
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("\(path):2: ") == true)
  }

  @Test(
    "a time of its own is found in the desktop's world and around it",
    arguments: [
      "try? await Task.sleep(for: pause)", "let end = ContinuousClock.now + pause",
      "private let clock = SuspendingClock()", "end = .now + pause", "if end <= .now { return }",
      "queue.asyncAfter(deadline: end) {}", "usleep(100)",
    ])
  func ownTime(_ text: String) {
    for path in ["Sources/KeyDragDesktop/A.swift", "Sources/keydrag/Desktop/A.swift"] {
      #expect(
        Rules.ownTime([ProjectFile(path, "// Task.sleep\n\(text)")])
          == ["\(path):2: has a time of its own"])
    }
    #expect(Rules.ownTime([ProjectFile("Sources/keydrag/A.swift", text)]) == [])
  }

  @Test(
    "the clock that it is given is no time of its own",
    arguments: [
      "try? await clock.sleep(for: pause)", "try? await desktop.clock.sleep(for: pause)",
      "let clock: any Clock<Duration>", "time.withLock { $0 = clock.now }",
      "extension Clock<Duration> {", "clock: any Clock<Duration> = ContinuousClock()",
      "_ = isDone.wait(timeout: .now() + Self.patience)",
    ])
  func givenTime(_ text: String) {
    #expect(Rules.ownTime([ProjectFile("Sources/KeyDragDesktop/A.swift", text)]) == [])
  }

  @Test("a C module used by a second adapter is found")
  func sharedSystemModule() {
    let file = ProjectFile("Sources/Adapters/KeyDragTypes/B.swift", "import CALSA")
    #expect(
      Rules.wrongImports(tree + [file]) == [
        "Sources/Adapters/KeyDragTypes/B.swift:1: KeyDragTypes must not import CALSA, "
          + "which belongs to KeyDragSpeech"
      ])
  }

  @Test("imports in comments and in long strings are none")
  func noImport() {
    let text = "// import Foundation\n/// import Glibc\nlet a = \"\"\"\n  import Yams\n  \"\"\"\n"
    #expect(ProjectFile("Sources/KeyDragCore/B.swift", text).imports.isEmpty)
  }

  @Test(
    "printing is found, and what only looks like it is not",
    arguments: [
      ("print(1)", true), ("Swift.print(1)", true), ("  if a { print(a) }", true),
      ("debugPrint(1)", false), ("blueprint(1)", false), ("// print(1)", false),
      ("func print(_ a: Int)", false), ("page.print(1)", false),
    ])
  func printing(_ text: String, _ isFound: Bool) {
    let file = ProjectFile("Sources/Adapters/KeyDragFiles/B.swift", text)
    #expect(Rules.printing([file]).isEmpty != isFound)
    #expect(Rules.printing([ProjectFile("Sources/keydrag/B.swift", text)]).isEmpty)
  }

  @Test("a stranger at the top is found")
  func stranger() {
    #expect(Rules.strangers(atTop: ["docs", "README.md"]) == ["docs does not belong at the top"])
  }

  @Test("a type with a name that was given up is found, a word of it is not")
  func names() {
    let text = "// A struct Told\nlet news = Told()\n  package struct Told: Sendable {"
    #expect(
      Rules.unclearNames([ProjectFile("Sources/KeyDragCore/A.swift", text)])
        == ["Sources/KeyDragCore/A.swift:3: Told would be clearer as SpokenHistory"])
  }

  @Test("a file of too many lines is found")
  func length() {
    let text = String(repeating: "\n", count: Rules.longestFile)
    #expect(Rules.tooLong([ProjectFile("Tests/A/B.swift", text)]).count == 1)
    #expect(Rules.tooLong([ProjectFile("Localization/pl.po", text)]).isEmpty)
  }

  @Test(
    "a path of one computer is found, a folder of that name is not", arguments: ["home", "work"])
  func paths(_ name: String) {
    let text = "one\nsee `/\(name)/ann/x`"
    #expect(
      Rules.absolutePaths([ProjectFile("README.md", text)], here: [])
        == ["README.md:2: holds /\(name)/"])
    #expect(Rules.absolutePaths([ProjectFile("README.md", "a/\(name)/b")], here: []).isEmpty)
    let test = ProjectFile("Tests/A/B.swift", text)
    #expect(Rules.absolutePaths([test], here: []).isEmpty)
    #expect(Rules.absolutePaths([test], here: ["/\(name)/ann/"]).count == 1)
  }

  @Test("a function of the same name is not printing, the library's name before it is")
  func ownPrint() {
    let path = "Sources/Adapters/KeyDragFiles/B.swift"
    let own = "private func print(_ page: Page) {}\nfunc a() { print(page) }"
    #expect(Rules.printing([ProjectFile(path, own)]).isEmpty)
    #expect(Rules.printing([ProjectFile(path, own + "\nSwift.print(1)")]).count == 1)
  }
}
