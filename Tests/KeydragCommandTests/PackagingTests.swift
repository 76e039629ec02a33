import Foundation
import RealPrograms
import Testing

@testable import keydrag

@Suite("What is installed", .realPrograms(by: .test))
struct PackagingTests {
  private let program: Program
  private var root: URL { program.folder.appending(path: "root") }

  init() throws {
    program = try Program()
    program.set("DESTDIR", program.folder.appending(path: "root").path)
    program.set("BUILT", URL(filePath: Program.path).deletingLastPathComponent().path)
    // A program with what a debugger wants takes long to strip.
    program.set("STRIP", "true")
  }

  private func script(_ name: String) throws -> Program.Result {
    try program.run(program: Readme.top.appending(path: "Packaging/\(name)").path, [])
  }

  /// The files below a folder, without the folders.
  private func files() -> Set<String> {
    let all = (try? FileManager.default.subpathsOfDirectory(atPath: root.path)) ?? []
    return Set(
      all.filter { path in
        var isFolder: ObjCBool = false
        let full = root.appending(path: path).path
        return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
          && !isFolder.boolValue
      })
  }

  private func installed(_ words: String...) throws -> Program.Result {
    try program.run(program: root.appending(path: "usr/local/bin/keydrag").path, words)
  }

  @Test("All that a packager expects is there, in standard places, and all of it goes again")
  func installs() throws {
    let result = try script("install")
    #expect(result.status == 0, "\(result.errors)")
    let files = files()
    let expected = [
      "bin/keydrag", "share/locale/de/LC_MESSAGES/keydrag.mo",
      "share/locale/pt_BR/LC_MESSAGES/keydrag.mo", "share/man/man1/keydrag.1.gz",
      "share/man/man1/keydrag-files.1.gz", "share/bash-completion/completions/keydrag",
      "share/zsh/site-functions/_keydrag", "share/fish/vendor_completions.d/keydrag.fish",
      "share/applications/keydrag.desktop", "share/icons/hicolor/scalable/apps/keydrag.svg",
      "share/metainfo/io.github.keydrag.keydrag.metainfo.xml",
      "share/systemd/user/keydrag-desktop.service", "share/doc/keydrag/copyright",
    ]
    for path in expected { #expect(files.contains("usr/local/\(path)"), "\(path)") }
    for command in KeyDragCommand.configuration.subcommands {
      let page = "usr/local/share/man/man1/keydrag-\(command._commandName).1.gz"
      #expect(files.contains(page), "\(page)")
    }
    let unit = try String(
      contentsOf: root.appending(path: "usr/local/share/systemd/user/keydrag-desktop.service"),
      encoding: .utf8)
    #expect(unit.contains("ExecStart=/usr/local/bin/keydrag desktop\n"))
    let entry = try String(
      contentsOf: root.appending(path: "usr/local/share/applications/keydrag.desktop"),
      encoding: .utf8)
    #expect(entry.contains("\nComment[de]="))
    // Another package's file in a shared folder stays.
    try program.write("x", to: "root/usr/local/share/locale/de/LC_MESSAGES/other.mo")
    #expect(try script("uninstall").status == 0)
    #expect(self.files() == ["usr/local/share/locale/de/LC_MESSAGES/other.mo"])
    #expect(try script("uninstall").status == 0)
  }

  @Test("PREFIX says where, and what a person has installed at home works the same")
  func prefix() throws {
    program.set("DESTDIR", nil)
    program.set("PREFIX", root.path + "/opt/")
    #expect(try script("install").status == 0)
    #expect(files().allSatisfy { $0.hasPrefix("opt/") })
    let help = try program.run(program: root.path + "/opt/bin/keydrag", ["--help", "--lang", "de"])
    #expect(help.status == 0)
    #expect(try script("uninstall").status == 0)
    #expect(files().isEmpty)
    program.set("PREFIX", "here")
    #expect(try script("install").status == 64)
  }

  @Test("Where nothing can be written, installing says so before it copies anything")
  func readOnly() throws {
    let folder = program.folder.appending(path: "shut")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "share"), withIntermediateDirectories: true)
    program.set("DESTDIR", nil)
    program.set("PREFIX", folder.path)
    for path in [folder.appending(path: "share").path, folder.path] { chmod(path, 0o555) }
    defer { chmod(folder.path, 0o755) }
    // Root, too, may write nowhere else then. Somebody else may not even read what lies in root's home.
    let install = Readme.top.appending(path: "Packaging/install").path
    let right = "-dac_override"
    let command =
      getuid() == 0
      ? ["/usr/bin/setpriv", "--inh-caps", right, "--bounding-set", right, install] : [install]
    let result = try program.run(program: command[0], Array(command.dropFirst()))
    #expect(result.status == 77, "\(result.errors)")
    #expect(result.errors.contains("\(folder.path) can't be written."), "\(result.errors)")
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == ["share"])
    // A file where a folder should be.
    try program.write("x", to: "file")
    program.set("PREFIX", program.folder.path + "/file/keydrag")
    #expect(try script("install").status == 77)
  }

  @Test("Two installations beside each other are apart: one goes, and the other works as before")
  func beside() throws {
    program.set("DESTDIR", nil)
    for name in ["first", "second"] {
      program.set("PREFIX", "\(root.path)/\(name)")
      #expect(try script("install").status == 0)
    }
    let paths = files()
    let first = Set(paths.filter { $0.hasPrefix("first/") }.map { $0.dropFirst("first/".count) })
    let second = Set(paths.filter { $0.hasPrefix("second/") }.map { $0.dropFirst("second/".count) })
    #expect(first == second && !first.isEmpty)
    program.set("PREFIX", root.path + "/first")
    #expect(try script("uninstall").status == 0)
    #expect(files().allSatisfy { $0.hasPrefix("second/") } && files().count == second.count)
    let program2 = root.path + "/second/bin/keydrag"
    let english = try program.run(program: program2, ["keys"])
    program.set("LANGUAGE", "de")
    let german = try program.run(program: program2, ["keys"])
    #expect(german.status == 0 && german.errors == "" && german.output != english.output)
  }

  @Test("The installed README links to nothing that is not installed")
  func installedReadme() throws {
    #expect(try script("install").status == 0)
    let text = try String(
      contentsOf: root.appending(path: "usr/local/share/doc/keydrag/README.md"), encoding: .utf8)
    #expect(text.hasPrefix("# KeyDrag\n") && text.contains("keydrag files Inbox Docs"))
    #expect(text.contains("[Swift 6.2](https://"))
    for match in text.matches(of: /\]\(([^)]*)\)/) {
      #expect(match.output.1.hasPrefix("https://"), "\(match.output.1)")
    }
  }

  @Test("The languages that are promised are those that there are")
  func promisedLanguages() throws {
    let text = { (path: String) in
      try String(contentsOf: Readme.top.appending(path: path), encoding: .utf8)
    }
    let names = try text("Localization/LINGUAS").split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    // English is in no catalogue.
    let english = Locale(identifier: "en")
    let languages = try names.map { name in
      try #require(english.localizedString(forLanguageCode: String(name.prefix(2))))
    }
    let readme = try text("README.md")
    let row = try #require(readme.firstMatch(of: /\| Languages \| (.*) \|\n/)).output.1
    #expect(row.components(separatedBy: ", ") == (languages + ["English"]).sorted())
    let format = NumberFormatter()
    format.locale = english
    format.numberStyle = .spellOut
    let all = try #require(format.string(from: NSNumber(value: names.count + 1)))
    #expect(try text("Packaging/keydrag.metainfo.xml").contains("in \(all) languages"))
    #expect(try text("CHANGELOG.md").contains("\n- \(names.count) languages beside English."))
  }

  @Test("The installed program speaks each language in the locale that every system has")
  func languages() throws {
    #expect(try script("install").status == 0)
    let english = try installed("keys").output
    let list = try String(
      contentsOf: Readme.top.appending(path: "Localization/LINGUAS"), encoding: .utf8)
    for language in list.split(separator: "\n") where !language.hasPrefix("#") {
      program.set("LANGUAGE", String(language))
      let result = try installed("keys")
      #expect(result.output != english, "\(language)")
      #expect(result.errors == "", "\(language)")
    }
  }

  @Test("A language that is missing from an installation is said, and English is used")
  func unfinished() throws {
    #expect(try script("install").status == 0)
    let english = try installed("keys").output
    try FileManager.default.removeItem(
      at: root.appending(path: "usr/local/share/locale/de/LC_MESSAGES/keydrag.mo"))
    program.set("LANGUAGE", "de")
    let result = try installed("keys")
    #expect(result.output.hasSuffix(english))
    #expect((result.output + result.errors).contains("The messages in German can't be read."))
  }

  @Test("Without the data of its voices the program says so, and tells no recording done")
  func noVoices() throws {
    try program.write("", to: "data/espeak-ng-data/nothing")
    program.set("ESPEAK_DATA_PATH", program.folder.appending(path: "data").path)
    let words = ["--lang", "en", "--speech", "said.wav"]
    let lost = "Voice: does not work. Messages are shown as text. keydrag doctor says what to do."
    let session = try program.run(["files", ".", "--keys", "ctrl+q"] + words)
    #expect(session.status == 74 && session.errors.isEmpty, "\(session)")
    #expect(session.lines.last == lost, "\(session)")
    let said = try program.run(["say", "hello"] + words)
    #expect(said.status == 69 && said.errors == "keydrag: " + lost + "\n", "\(said)")
  }

  @Test("Without a build, and without its languages, installing says what to do")
  func notBuilt() throws {
    program.set("BUILT", program.folder.path)
    let missing = try script("install")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("Packaging/build"))
    try program.write("#!/bin/sh\n", to: "keydrag")
    chmod(program.folder.appending(path: "keydrag").path, 0o755)
    #expect(try script("install").status == 66)
    #expect(files().isEmpty)
  }

  @Test("The list of changes begins with the version that the program tells")
  func version() throws {
    let text = try String(
      contentsOf: Readme.top.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(
      text.firstMatch(of: /\n## \[([^\]]*)\] - (unreleased|\d{4}-\d\d-\d\d)\n/))
    #expect(newest.output.1 == KeyDragVersion.current)
    #expect(try Program().run("--version").output == KeyDragVersion.current + "\n")
    let readme = try #require(Readme.text)
    #expect(readme.contains("apt install ./keydrag_*_amd64.deb"))
    let article = try String(
      contentsOf: Readme.top.appending(
        path: "Sources/KeyDrag/KeyDrag.docc/Adopt-KeyDrag-in-five-steps.md"), encoding: .utf8)
    #expect(article.contains("keydrag.git\", from: \"\(KeyDragVersion.current)\")"))
  }

  @Test("The list of what is needed is in one place, with each library that the package names")
  func setup() throws {
    let path = Readme.top.appending(path: "Packaging/setup").path
    let list = try program.run(program: path, ["--list"])
    #expect(list.status == 0)
    let manifest = try String(
      contentsOf: Readme.top.appending(path: "Package.swift"), encoding: .utf8)
    for match in manifest.matches(of: /\.apt\(\[([^\]]*)\]\)/) {
      for name in match.output.1.split(separator: ",") {
        let package = name.trimmingCharacters(in: .whitespaces).replacing("\"", with: "")
        #expect(list.lines.contains(package), "\(package)")
      }
    }
    let tests = try program.run(program: path, ["--tests", "--list"])
    #expect(Set(tests.lines).isSuperset(of: list.lines + ["orca", "tmux", "zsh", "fish"]))
    #expect(try program.run(program: path, ["--test"]).status == 64)
  }
}
