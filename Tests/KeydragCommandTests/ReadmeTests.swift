import Foundation
import RealPrograms
import Synchronization
import Testing

@Suite("The README and the guide say what is true", .realPrograms(by: .test))
struct ReadmeTests {
  @Test(
    "The keys in the guide are those of keydrag keys",
    arguments: [
      "Browsing", "Carrying", "Confirming",
    ])
  func keys(phase: String) throws {
    let output = try Program().run("keys", "--verbosity", "brief").output
    let section = try #require(
      output.components(separatedBy: "\n\n").first { $0.hasPrefix(phase + "\n") })
    let listed = section.split(separator: "\n").dropFirst().map { line in
      line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    #expect(listed.count > 10)
    #expect(try Readme.rows(under: "#### \(phase)") == listed)
  }

  @Test("The library example in the README is the one that runs here")
  func example() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "LibraryExample.swift")
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let first = try #require(lines.firstIndex { $0.hasSuffix("begins here.") })
    let last = try #require(lines.firstIndex { $0.hasSuffix("ends here.") })
    let body = lines[(first + 1)..<last].map { String($0.dropFirst(2)) }.joined(separator: "\n")
    #expect(
      try Readme.block(after: "<!-- the library example -->") == "import KeyDrag\n\n\(body)\n")
  }

  @Test("H03: a program that adopts the library gets a whole drag, said from pick-up to outcome")
  func runsExample() async throws {
    let said = Said()
    try await libraryExample { said.add($0) }
    let output = said.lines.map { $0 + "\n" }.joined()
    let printed = Program.Result(status: 0, output: output, errors: "").said
    let shown = try Readme.block(after: "<!-- what the library example prints -->")
    #expect(printed == shown)
  }

  @Test("What is said in the README's session is what is said")
  func session() throws {
    let program = try Program()
    for name in ["Inbox/notes.txt", "Inbox/photo.png", "Inbox/report.pdf"] {
      try program.write("x", to: name)
    }
    for name in ["Inbox/Sorted", "Docs"] {
      try FileManager.default.createDirectory(
        at: program.folder.appending(path: name), withIntermediateDirectories: true)
    }
    let result = try program.run(
      "files", "Inbox", "Docs", "--keys", "n space tab enter @delivered ctrl+z @undone ctrl+q")
    #expect(result.status == 0)
    let shown = try Readme.block(after: "<!-- what is said -->")
    #expect(result.said == shown)
  }

  @Test("What the guide lets the samples say is what they say")
  func samples() throws {
    let program = try Program()
    try FileManager.default.createDirectory(
      at: program.folder.appending(path: "Docs"), withIntermediateDirectories: true)
    let contacts = try program.run(
      "sample", "contacts", "Docs", "--keys",
      #"space "docs" enter @delivered ctrl+z @undone ctrl+q"#)
    #expect(contacts.status == 0)
    #expect(try Readme.block(after: "<!-- what contacts say -->") == contacts.said)
    let places = try program.run("sample", "places", "--keys", "ctrl+n 3 enter @moved ctrl+q")
    #expect(places.status == 0)
    #expect(try Readme.block(after: "<!-- what places say -->") == places.said)
    let picture = try #require(Data(base64Encoded: ArticleSpeechTests.picture))
    try FileManager.default.createDirectory(
      at: program.folder.appending(path: "Pictures"), withIntermediateDirectories: true)
    for name in ["photo.png", "Pictures/cat.png"] {
      try picture.write(to: program.folder.appending(path: name))
    }
    let image = try program.run(
      "sample", "image", "photo.png", "Pictures", "--keys",
      "tab space enter @delivered ctrl+g ctrl+q")
    #expect(image.status == 0)
    #expect(try Readme.block(after: "<!-- what an image says -->") == image.said)
  }

  @Test("A visitor reads the README in a few minutes")
  func length() throws {
    let file = Readme.top.appending(path: "README.md")
    #expect(try String(contentsOf: file, encoding: .utf8).count < 8_000)
  }

  @Test("What the README and CONTRIBUTING link to is there", arguments: ["README", "CONTRIBUTING"])
  func links(name: String) throws {
    let text = try String(
      contentsOf: Readme.top.appending(path: "\(name).md"), encoding: .utf8)
    let targets = text.matches(of: /\]\(([^):]+)\)/).map { String($0.output.1) }
    #expect(name != "README" || targets.count > 5)
    for target in targets {
      let path = Readme.top.appending(path: target).path
      #expect(FileManager.default.fileExists(atPath: path), "\(target)")
    }
  }

  @Test("The two commands of the README are short, and what they begin with can be run")
  func shortCommands() throws {
    for marker in ["<!-- the run command -->", "<!-- the test command -->"] {
      let command = try Readme.block(after: marker)
      #expect(command.count <= 80)
      #expect(command.hasPrefix("./Packaging/setup"))
    }
    #expect(access(Readme.top.appending(path: "Packaging/setup").path, X_OK) == 0)
    // What is kept is built as the package is, which has a limit of its own.
    let package = try String(
      contentsOf: Readme.top.appending(path: "Packaging/build-deb"), encoding: .utf8)
    #expect(package.contains("\nPackaging/build -Xlinker --icf=all $data\n"))
    let readme = try #require(Readme.text)
    #expect(readme.contains("\n./Packaging/build && sudo ./Packaging/install\n"))
    // What is no part of the manifest is for what is kept alone.
    let manifest = try String(
      contentsOf: Readme.top.appending(path: "Package.swift"), encoding: .utf8)
    #expect(!manifest.contains("unsafeFlags"))
  }

  @Test("Each command is named in the README or the guide")
  func commands() throws {
    let help = try Program().run("--help").lines
    let start = try #require(help.firstIndex(of: "SUBCOMMANDS:"))
    let names = help[(start + 1)...].compactMap { line -> String? in
      guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.contains("See '") else {
        return nil
      }
      return line.split(separator: " ").first.map(String.init)
    }
    #expect(names.count >= 10)
    let text = try #require(Readme.text)
    for name in names { #expect(text.contains("`\(name)`") || text.contains("keydrag \(name)")) }
  }
}

/// What an example printed, in order.
private final class Said: Sendable {
  private let state = Mutex<[String]>([])

  func add(_ line: String) { state.withLock { $0.append(line) } }

  var lines: [String] { state.withLock { $0 } }
}
