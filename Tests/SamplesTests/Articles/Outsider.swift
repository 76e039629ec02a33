import Foundation
import RealPrograms
import Testing

@Suite("What another package gets", .realPrograms(by: .test))
struct OutsiderTests {
  @Test(
    "What the articles show compiles in another package, with what is public alone",
    arguments: [
      "Tests/SamplesTests/Articles/AdoptionExample.swift",
      "Sources/Samples/ContactsSample/ContactsSample.swift",
      "Sources/Samples/ImageSample/ImageSample.swift",
      "Sources/Samples/NotesSample/NotesSample.swift",
      "Sources/Samples/PlacesSample/PlacesSample.swift",
    ])
  func fromOutside(_ path: String) throws {
    try Outsider.compile(["-typecheck", Article.top.appending(path: path).path])
  }

  @Test("H03: the five steps are a program of another package, which is heard as they promise")
  func programFromOutside() throws {
    // A short name: sockets in it are named by their whole path.
    let folder = URL(
      filePath: "/tmp/keydrag-out-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let main = folder.appending(path: "main.swift")
    try """
    import KeyDrag
    import KeyDragApp

    let host = shelf(of: [Book(title: "Flatland", author: "Edwin Abbott")])
    let app = TerminalApp("Shelf", in: SourceCatalogue())
    if CommandLine.arguments.last == "mistake" {
      let status = await app.run {
        let text = Representation("text/plain") { _ in [] }
        _ = try ItemProvider(suggestedName: "a", representations: [text, text])
        return host
      }
      print("status \\(status)")
    } else if CommandLine.arguments.last == "reason" {
      print("status \\(await app.run { throw Reason.malformed })")
    } else if CommandLine.arguments.count > 1 {
      let status = await app.run(host, keys: CommandLine.arguments[1]) { print($0.text) }
      print("status \\(status)")
    } else {
      if case .failure(let failure) = await app.session(host) {
        print("\\(failure) \\(failure.status)")
      }
    }
    """.write(to: main, atomically: true, encoding: .utf8)
    let program = folder.appending(path: "Shelf").path
    try Outsider.compile(
      ["-o", program, main.path, Article.example.path] + Outsider.objects())
    let environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "LANG": "C.UTF-8"]
    let heard = try Outsider.run([program, "space enter :quit"], environment)
    let article = try #require(Article.all.first { $0.name == "Adopt-KeyDrag-in-five-steps.md" })
    let block = try #require(article.blocks.first { $0.mark == "heard" })
    #expect(heard == block.lines + ["Goodbye.", "status 0"])
    #expect(
      try Outsider.run([program, "space spcae"], environment)
        == ["Shelf: Word 2 of the key script, spcae, is not known.", "status 64"])
    #expect(
      try Outsider.run([program, "mistake"], environment)
        == ["Shelf: An item has two forms of the type text/plain.", "status 70"])
    #expect(
      try Outsider.run([program, "reason"], environment)
        == ["Shelf: Its contents are damaged.", "status 1"])
    #expect(
      try Outsider.run([program], environment)
        == ["The terminal can't be used, error 25. Try another terminal. 69"])
  }

  @Test("The five steps end in a whole program, which tells in a sentence why it can't run")
  func wholeProgram() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "keydrag-whole-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let article = try #require(Article.all.first { $0.name == "Adopt-KeyDrag-in-five-steps.md" })
    let block = try #require(article.blocks.first { $0.mark == "Shelf.swift" })
    let source = folder.appending(path: "Shelf.swift")
    let steps = try String(contentsOf: Article.example, encoding: .utf8)
    try (steps + "\n" + block.text).write(to: source, atomically: true, encoding: .utf8)
    let program = folder.appending(path: "Shelf").path
    try Outsider.compile(
      ["-parse-as-library", "-o", program, source.path] + Outsider.objects())
    let environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "LANG": "C.UTF-8"]
    let withoutTerminal = try Outsider.finish([program, "Flatland by Edwin Abbott"], environment)
    #expect(withoutTerminal.status == 69)
    #expect(
      withoutTerminal.lines
        == ["Shelf: The terminal can't be used, error 25. Try another terminal."])
    let noBook = try Outsider.finish([program, "Flatland"], environment)
    #expect(noBook.status == 64)
    #expect(noBook.lines == [#"Name each book as in: "Flatland by Edwin Abbott""#])
  }
}

/// Somebody whose package is another one: what is public is all that they see.
///
/// What this package was built into stands for a build of theirs, which would take minutes.
enum Outsider {
  private static let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  static func compile(_ arguments: [String]) throws {
    // The modules of C libraries are found by the package manager in any package.
    let system = Article.top.appending(path: "Sources/System").path
    let names = ["CLinux", "CTerminalRestore", "CEspeak", "CALSA", "CPulse", "CLateLibrary"]
    let own = names.map { built.appending(path: "\($0).build/module.modulemap").path }
    // The C half of the library that reads settings, in the package that it comes with.
    let yaml = built.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "checkouts/Yams/Sources/CYaml/include/module.modulemap").path
    let maps = try FileManager.default.subpathsOfDirectory(atPath: system)
      .filter { $0.hasSuffix("module.modulemap") }.map { "\(system)/\($0)" }
    // And so are the headers of one that has a folder of its own.
    let (_, flags) = try finish(["/usr/bin/env", "pkg-config", "--cflags", "atspi-2"], nil)
    let headers = flags.flatMap { $0.split(separator: " ") }.map(String.init)
    let options =
      (maps + own + [yaml]).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
      + headers.flatMap { ["-Xcc", $0] }
    let command = ["/usr/bin/env", "swiftc", "-swift-version", "6", "-package-name", "elsewhere"]
    let (status, lines) = try finish(
      command + ["-I", built.appending(path: "Modules").path] + options + arguments, nil)
    #expect(status == 0, "\(lines.joined(separator: "\n"))")
  }

  /// What a program writes.
  static func run(_ command: [String], _ environment: [String: String]) throws -> [String] {
    try finish(command, environment).lines
  }

  /// The object files of the libraries and of all that they need.
  ///
  /// Those of the `keydrag` program, which both are part of, without its own.
  static func objects() throws -> [String] {
    let list = built.appending(path: "keydrag.product/Objects.LinkFileList")
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
      .map { $0.trimmingPrefix("'") }.map { String($0.hasSuffix("'") ? $0.dropLast() : $0) }
      .filter { !$0.contains("/keydrag.build/") }
  }

  /// What a program ends with, and what it writes to both streams.
  static func finish(
    _ command: [String], _ environment: [String: String]?
  ) throws -> (status: Int32, lines: [String]) {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    if let environment { process.environment = environment }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: bytes, as: UTF8.self)
    return (process.terminationStatus, text.split(separator: "\n").map(String.init))
  }
}
