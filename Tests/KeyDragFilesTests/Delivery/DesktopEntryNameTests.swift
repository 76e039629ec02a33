import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("The names that starters are shown by")
struct DesktopEntryNameTests {
  @Test("A file is whole that was read to its end, also where its size is not told")
  func head() throws {
    func head(_ path: FilePath, _ count: Int) throws -> (bytes: [UInt8], isWhole: Bool) {
      try #require(FileCalls.head(of: path, most: .max, head: count))
    }
    let (part, all) = (try head("/proc/self/maps", 99), try head("/proc/self/maps", 1 << 24))
    #expect(part.bytes.count == 99 && !part.isWhole)
    #expect(all.bytes.count > 99 && all.isWhole)
    let scratch = try Scratch()
    #expect(try head(scratch.file("empty"), 1 << 40).isWhole)
    let file = try scratch.file("file", "text")
    #expect(try head(file, 4).isWhole && !head(file, 3).isWhole)
  }

  private func name(_ lines: String..., languages: [String] = []) -> String? {
    let text = lines.joined(separator: "\n") + "\n"
    return DesktopEntryName(languages: languages).name(in: Array(text.utf8))
  }

  @Test("The name is the one of its own group, with escapes taken for what they mean")
  func plain() {
    #expect(name("[Desktop Entry]", "Type=Application", "Name=Text Editor") == "Text Editor")
    #expect(name("# words", "", "[Desktop Entry]", " Name = a\\sb\\\\c  ") == "a b\\c")
    #expect(
      name("[Other]", "Name=no", "[Desktop Entry]", "Name=yes", "[Action x]", "Name=no") == "yes")
    #expect(name("[Desktop Entry]\r", "Name=Editor\r") == "Editor")
  }

  @Test(
    "What has no name of its own, and what is no starter, has none",
    arguments: [
      "", "Name=Editor", "[Desktop Entry]\nType=Application", "[Desktop Entry]\nName=",
      "[Desktop Entry]\nName=Editor\ngarbage", "[Desktop Entry\nName=Editor",
      "[Desktop Entry]\nName=a\\qb", "[Desktop Action]\nName=Editor",
      "[Desktop Entry]\nGenericName=Editor\nNameX=Editor\nName[=Editor",
    ])
  func none(text: String) {
    #expect(DesktopEntryName(languages: ["de"]).name(in: Array(text.utf8)) == nil)
  }

  @Test("Bytes that are no text are no name")
  func bytes() {
    let bytes = Array("[Desktop Entry]\nName=a".utf8) + [0xFF, 0x0A]
    #expect(DesktopEntryName(languages: []).name(in: bytes) == nil)
  }

  @Test(
    "The language is the person's, as near as there is one",
    arguments: [
      ("de", "deutsch"), ("de_CH.UTF-8", "deutsch"), ("de_AT.UTF-8", "oesterreichisch"),
      ("sr_RS@latin", "latinica"), ("sr_RS", "cirilica"), ("sr@latin", "latinica"),
      ("fr_FR.UTF-8", "plain"), ("C", "plain"), ("C.UTF-8", "plain"), ("", "plain"),
      ("fr:de", "deutsch"), ("@:.:_", "plain"),
    ])
  func languages(language: String, expected: String) {
    let found = name(
      "[Desktop Entry]", "Name=plain", "Name[de]=deutsch", "Name[de_AT]=oesterreichisch",
      "Name[sr]=cirilica", "Name[sr@latin]=latinica",
      languages: DesktopEntryName.languages { $0 == "LANGUAGE" ? language : nil })
    #expect(found == expected)
  }

  @Test("The variables count in their order, those without a value not at all")
  func order() {
    func languages(_ variables: [String: String]) -> [String] {
      DesktopEntryName.languages { variables[$0] }
    }
    #expect(languages(["LANG": "de", "LC_ALL": "fr", "LANGUAGE": "pl:cs"]) == ["pl", "cs"])
    #expect(languages(["LANG": "de", "LC_MESSAGES": "fr", "LC_ALL": ""]) == ["fr"])
    #expect(languages(["LANG": "de"]) == ["de"])
    #expect(languages([:]).isEmpty)
  }

  @Test("A starter is found by its own name and by its file's, and no other file is taken for it")
  func told() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    func starter(_ file: String, _ name: String) throws {
      try folder.appending(bytes: Array(file.utf8))
        .write("[Desktop Entry]\nName=\(name)\nName[de]=\(name) deutsch\n")
    }
    try starter("one.desktop", "Text Editor")
    try starter("two.desktop", "Twin")
    try starter("three.desktop", "Twin")
    try starter("four.desktop", "plain.txt")
    try starter("five.txt", "No starter")
    try scratch.file("docs/plain.txt")
    try scratch.file("docs/lonely.txt")
    let names = DisplayedNames(folder, starters: DesktopEntryName(languages: []))
    #expect(names.file("Text Editor") == folder.appending("one.desktop"))
    #expect(names.file("one.desktop") == folder.appending("one.desktop"))
    #expect(names.file("Twin") == nil, "it may be either")
    #expect(names.file("No starter") == nil)
    #expect(names.onlyFile("plain.txt") == nil, "it may be the starter")
    #expect(names.onlyFile("lonely.txt") == folder.appending("lonely.txt"))
    let german = DisplayedNames(folder, starters: DesktopEntryName(languages: ["de_DE"]))
    #expect(german.onlyFile("Text Editor deutsch") == folder.appending("one.desktop"))
  }

  @Test("What is named as a starter and is none that could be read holds nobody up")
  func odd() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    let pipe = folder.appending("pipe.desktop")
    #expect(pipe.withPlatformString { mkfifo($0, 0o600) } == 0)
    try scratch.folder("docs/folder.desktop")
    let big = "[Desktop Entry]\nName=Big\n" + String(repeating: "#\n", count: 200_000)
    try folder.appending("big.desktop").write(big)
    #expect(symlink("nowhere", folder.appending("link.desktop").string) == 0)
    let names = DisplayedNames(folder, starters: DesktopEntryName(languages: []))
    #expect(names.file("Big") == nil)
    #expect(names.file("nothing") == nil)
    #expect(names.file("pipe.desktop") == pipe)
  }

  @Test("Of a long starter the beginning is read, up to a whole line")
  func long() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    let rest = String(repeating: "Comment=words\n", count: 2_000)
    try folder.appending("long.desktop").write("[Desktop Entry]\nName=Long\n" + rest)
    try folder.appending("late.desktop").write("[Desktop Entry]\n" + rest + "Name=Late\n")
    let names = DisplayedNames(folder, starters: DesktopEntryName(languages: []))
    #expect(names.file("Long") == folder.appending("long.desktop"))
    #expect(names.file("Late") == nil)
  }

  @Test("What was read of a folder is not used once the folder or a starter in it has changed")
  func kept() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    let starter = folder.appending("one.desktop")
    try starter.write("[Desktop Entry]\nName=New\n")
    // Two changes in the same tick of the clock would look like one.
    folder.setTimes(1_000_000_000, 5)
    let memory = FolderCache()
    let stamp = try FileCalls.status(folder)
    var read = FolderNames(stamp: stamp.recorded, languages: [])
    read.starters = [FileName("one.desktop")]
    let now = try FileCalls.status(starter).recorded
    read.shown[FileName("one.desktop")] = FolderNames.Shown(stamp: now, name: "Kept")
    memory.keep(read, of: stamp.identity)
    func names(_ languages: [String] = []) -> DisplayedNames {
      DisplayedNames(folder, starters: DesktopEntryName(languages: languages), memory: memory)
    }
    #expect(names().file("Kept") == starter)
    #expect(names(["de"]).file("Kept") == nil, "it was read in another language")
    try starter.write("[Desktop Entry]\nName=Newer\n")
    #expect(names().file("Kept") == nil)
    #expect(names().file("Newer") == starter)
    try folder.appending("two.desktop").write("[Desktop Entry]\nName=Two\n")
    #expect(names().file("Two") == folder.appending("two.desktop"))
  }

  @Test("A folder of starters is the folder that a window shows by their names")
  func folder() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    try folder.appending("one.desktop").write("[Desktop Entry]\nName=Text Editor\n")
    try scratch.file("docs/a.txt")
    let guess = FolderResolver(known: [scratch.path])
    var shown = DisplayedFolder(title: "docs", rows: ["Text Editor", "a.txt"])
    #expect(guess.folder(of: shown) == folder)
    shown.row = "Text Editor"
    #expect(guess.folder(of: shown) == nil, "a starter takes what is dropped on it")
  }
}

@Suite("A folder that was found a moment ago")
struct FolderCacheTests {
  private let scratch: Scratch
  private let folder: FilePath
  private let watch = inotify_init1(Int32(IN_CLOEXEC))

  init() throws {
    scratch = try Scratch()
    folder = try scratch.folder("docs")
    for name in ["a", "b", "c", "d", "e"] { try scratch.file("docs/" + name) }
  }

  private func follow(_ folder: FilePath) {
    _ = folder.withPlatformString { inotify_add_watch(watch, $0, UInt32(IN_CREATE)) }
  }

  private func shown(_ rows: [String]) -> DisplayedFolder {
    DisplayedFolder(
      title: "docs", trail: ["/"] + folder.components.map(\.string), rows: rows,
      processID: getpid())
  }

  @Test("is kept for one row that stands for no file, and for no more than one")
  func oneRow() {
    defer { close(watch) }
    follow(folder)
    let guess = FolderResolver(memory: FolderCache())
    let one = shown(["a", "b", "c", "d", "being renamed"])
    #expect(guess.folder(of: one) == nil, "it has not been found yet")
    #expect(guess.folder(of: shown(["a", "b", "c", "d", "e"])) == folder)
    #expect(guess.folder(of: one) == folder)
    #expect(guess.folder(of: shown(["a", "b", "c", "no", "nor"])) == nil)
    #expect(guess.folder(of: shown(["a", "b", "being renamed"])) == nil, "too few to tell")
    var row = one
    row.row = "being renamed"
    #expect(guess.folder(of: row) == nil)
    #expect(FolderResolver().folder(of: one) == nil, "nobody remembers")
  }

  @Test("is not taken for another of its name, nor once its program looks elsewhere")
  func others() throws {
    defer { close(watch) }
    follow(folder)
    let guess = FolderResolver(memory: FolderCache())
    #expect(guess.folder(of: shown(["a", "b", "c", "d", "e"])) == folder)
    var elsewhere = shown(["a", "b", "c", "d", "new"])
    elsewhere.trail = ["docs"]
    #expect(
      FolderResolver(known: [scratch.path], memory: guess.memory).folder(of: elsewhere) == nil)
    var other = shown(["a", "b", "c", "d", "new"])
    other.processID = getppid()
    #expect(guess.folder(of: other) == nil)
    let different = shown(["a", "b", "c", "d", "new"])
    #expect(guess.folder(of: different) == folder)
    #expect(inotify_rm_watch(watch, 1) == 0)
    follow(scratch.path)
    #expect(guess.folder(of: different) == nil)
  }
}
