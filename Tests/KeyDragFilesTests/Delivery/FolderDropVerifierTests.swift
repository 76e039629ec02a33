import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing
import Thorough

@testable import KeyDragFiles

@Suite("What another program does with files that were dropped on it")
struct FolderDropVerifierTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private func landing(
    _ operation: DragOperation, _ sources: [FilePath], journal: Journal? = nil,
    of process: pid_t? = nil, areFiles: [Bool]? = nil, target: FilePath? = nil,
    shown: FilePath? = nil
  ) -> FolderDropVerifier {
    FolderDropVerifier(
      sources: sources.map { ($0.lastComponent?.string ?? "", $0) }, target: target ?? bench.b,
      shown: shown, place: "B",
      operation: operation, journal: journal ?? bench.journal,
      queue: DispatchQueue(label: "landing"), areFiles: areFiles, trash: bench.trash,
      process: process)
  }

  private func report(_ landing: FolderDropVerifier) async -> DeliveryResult {
    await landing.check(isAsking: { false }, alive: {})
  }

  private func undo(_ journal: Journal) async -> HistoryResult {
    journal.close()
    let later = JournaledCourier(journal: Journal(folder: bench.state), trash: bench.trash)
    defer { later.finish() }
    return await later.undo(entry: nil)
  }

  @Test("H08: a copy that a program made is found, compared and can be undone")
  func copy() async throws {
    let journal = Journal(folder: bench.state)
    try (bench.a / "x").write("text")
    let landing = landing(.copy, [bench.a / "x"], journal: journal)
    try (bench.b / "x").write("text")
    async let found = report(landing)
    // File managers set the time of the original at the end.
    (bench.b / "x").setTimes(1_000_000_000, 5)
    let report = await found
    #expect(report.delivered == 1 && report.verified && report.failures.isEmpty)
    #expect(report.bytes == 4)
    #expect(await undo(journal).isDone)
    #expect(bench.b.names.isEmpty)
    #expect((bench.a / "x").text == "text")
  }

  @Test(
    "T10, H08: a folder that was made for one drop alone is taken back, unless it was edited since",
    arguments: [false, true])
  func madeForOneDrop(isEdited: Bool) async throws {
    let journal = Journal(folder: bench.state)
    let source = try (bench.a / "sub").makeFolder()
    try (source / "x").write("from the archive")
    let landing = landing(.copy, [source], journal: journal, areFiles: [false])
    let copy = try (bench.b / "sub").makeFolder()
    try (copy / "x").write("from the archive")
    let report = await report(landing)
    #expect(report.delivered == 1 && report.verified)
    if isEdited { try (copy / "x").write("somebody's work") }
    #expect(await undo(journal).isDone == !isEdited)
    #expect(isEdited ? (copy / "x").text == "somebody's work" : bench.b.names.isEmpty)
  }

  @Test("H14: a copy that a program asks about first is waited for, and may get another name")
  func asked() async throws {
    let journal = Journal(folder: bench.state)
    for name in ["x", "y"] { try (bench.a / name).write("text of " + name) }
    try (bench.b / "y").write("older")
    let landing = landing(.copy, [bench.a / "x", bench.a / "y"], journal: journal)
    let questions = Mutex(0)
    // The question is there for longer than a folder is watched in which nothing happens.
    let isAsking: @Sendable () -> Bool = {
      let count = questions.withLock { count in
        count += 1
        return count
      }
      if count == 4 {
        _ = try? (bench.b / "x").write("text of x")
        _ = try? (bench.b / "y (copy)").write("text of y")
      }
      return count < 4
    }
    let report = await landing.check(isAsking: isAsking, alive: {})
    #expect(report.delivered == 2 && report.verified)
    #expect(report.renamed == ["y (copy)"])
    #expect(await undo(journal).isDone)
    #expect(bench.b.names == ["y"])
    #expect((bench.b / "y").text == "older")
  }

  @Test(
    "T13, H08: what went into another folder of the window is told by its name, and taken back there",
    arguments: Thorough.cases(ordinarily: 2, of: ["d1", "", "d2"]), [DragOperation.copy, .move])
  func elsewhere(folder: String, operation: DragOperation) async throws {
    let journal = Journal(folder: bench.state)
    for name in ["d0", "d1", "d2"] { try (bench.b / name).makeFolder() }
    for name in ["x", "y"] { try (bench.a / name).write("text of " + name) }
    // A twin of it was there before, and proves nothing.
    try (bench.b / "d1" / "y").write("text of y")
    let landing = landing(
      operation, [bench.a / "x"], journal: journal, target: bench.b / "d0", shown: bench.b)
    let real = folder.isEmpty ? bench.b : bench.b / folder
    if operation == .move {
      #expect(rename((bench.a / "x").string, (real / "x").string) == 0)
    } else {
      try (real / "x").write("text of x")
    }
    let report = await report(landing)
    #expect(report.delivered == 1 && report.verified && report.failures.isEmpty)
    #expect(report.elsewhere == real.lastComponent?.string)
    #expect(report.effect == .performed(operation))
    #expect(await undo(journal).isDone)
    #expect(!real.names.contains("x"))
    #expect((bench.a / "x").text == "text of x")
    #expect((bench.b / "d1" / "y").text == "text of y")
  }

  @Test(
    "T13: what lay in another folder before, or has come there and is another, is not taken for it"
  )
  func notElsewhere() async throws {
    for name in ["d0", "d1", "d2"] { try (bench.b / name).makeFolder() }
    try (bench.a / "x").write("text")
    try (bench.b / "d1" / "x").write("text")
    let landing = landing(.copy, [bench.a / "x"], target: bench.b / "d0", shown: bench.b)
    try (bench.b / "d2" / "x").write("words")
    let report = await report(landing)
    #expect(report.delivered == 0 && report.elsewhere == nil)
    #expect(report.outcome == .refused)
  }

  @Test("H08: what a program writes over is in the trash, and comes back when that is undone")
  func replaced() async throws {
    let journal = Journal(folder: bench.state)
    for name in ["x", "y"] {
      try (bench.a / name).write("text of " + name)
      try (bench.b / name).write("older " + name)
    }
    let landing = landing(.copy, [bench.a / "x", bench.a / "y"], journal: journal)
    // Nothing is in the trash before anything is written over.
    #expect((bench.home / "files").names.isEmpty && (bench.home / "info").names.isEmpty)
    try (bench.b / "x.part").write("text of x")
    try check(rename((bench.b / "x.part").string, (bench.b / "x").string))
    let report = await report(landing)
    #expect(report.delivered == 1 && report.failures.map(\.name) == ["y"])
    #expect((bench.home / "files").names == ["x"])
    #expect((bench.home / "files" / "x").text == "older x")
    #expect((bench.home / "info").names == ["x.trashinfo"])
    #expect(await undo(journal).isDone)
    #expect((bench.b / "x").text == "older x" && (bench.b / "y").text == "older y")
    #expect((bench.home / "files").names.isEmpty && (bench.home / "info").names.isEmpty)
  }

  @Test("one copy under another name is one of two that contain the same, not both")
  func equal() async throws {
    for name in ["x", "y"] {
      try (bench.a / name).write("text")
      try (bench.b / name).write("older")
    }
    let landing = landing(.copy, [bench.a / "x", bench.a / "y"], journal: bench.journal)
    try (bench.b / "x (copy)").write("text")
    let report = await report(landing)
    #expect(report.delivered == 1 && report.renamed == ["x (copy)"])
    #expect(report.failures.map(\.name) == ["y"])
    #expect(report.outcome == .unconfirmed)
  }

  @Test("a copy under another name is found after the answer, though the folder is not silent")
  func busyFolder() async throws {
    try (bench.a / "x").write("text")
    try (bench.b / "x").write("older")
    let landing = landing(.copy, [bench.a / "x"], journal: bench.journal)
    let looks = Mutex(0)
    let isAsking: @Sendable () -> Bool = { looks.withLock { $0 < 3 } }
    // Someone else writes there at each look; the copy comes after the answer, at first under a name
    // that is not its own yet.
    let alive: @Sendable () -> Void = {
      let count = looks.withLock { count in
        count += 1
        return count
      }
      // Who waits for silence comes too late.
      let copy = bench.b / "x (copy)"
      if count >= 2_000 {
        _ = copy.withPlatformString { unlink($0) }
        return
      }
      _ = try? (bench.b / "noise").write("\(count)")
      if count == 3 { _ = try? (bench.b / ".x.part").write("text") }
      if count == 9 { _ = try? copy.write("text") }
    }
    let report = await landing.check(isAsking: isAsking, alive: alive)
    #expect(report.delivered == 1 && report.renamed == ["x (copy)"])
  }

  @Test(
    "nothing came for certain only where all is as it was, and no folder bears the name",
    arguments: Thorough.cases(
      ordinarily: 3,
      of: [
        ("", "", true), ("x", "", true), ("", "x", false), ("x", "x", false), ("x/", "", false),
      ]))
  func certainty(before: String, after: String, isCertain: Bool) async throws {
    try (bench.a / "x").write("text")
    if before.hasSuffix("/") {
      try check(mkdir((bench.b / "x").string, 0o700))
    } else if !before.isEmpty {
      try (bench.b / before).write("older")
    }
    let landing = landing(.copy, [bench.a / "x"], journal: bench.journal)
    if !after.isEmpty { try (bench.b / after).write("other") }
    let report = await report(landing)
    #expect(report.delivered == 0 && (report.outcome == .refused) == isCertain)
  }

  @Test(
    "T02 Beside what bears the name a newcomer proves nothing where it is certainly another thing",
    arguments: Thorough.cases(
      ordinarily: 4,
      of: [
        ("y", "other words", true), ("y/", "", true),
        // A name that the person chose in the program's question, or a part of it that is on its way.
        ("y", "text", false), ("y", "te", false), ("y", "", false), (".y", "other words", false),
        ("x (copy)", "other words", false), ("y", "rest", false),
      ]))
  func newcomer(name: String, contents: String, isCertain: Bool) async throws {
    try (bench.a / "x").write("text")
    try (bench.b / "x").write("older")
    try (bench.b / "old").write("old")
    let landing = landing(.copy, [bench.a / "x"], journal: bench.journal)
    if name.hasSuffix("/") {
      try check(mkdir((bench.b / name).string, 0o700))
    } else {
      try (bench.b / name).write(contents)
    }
    try check(unlink((bench.b / "old").string))
    let report = await report(landing)
    #expect(report.delivered == 0 && (report.outcome == .refused) == isCertain)
  }

  @Test(
    "K06, T06 The end of the program that was to bring it is known, also before its parent knows")
  func ended() async throws {
    try (bench.a / "x").write("text")
    #expect(await report(landing(.copy, [bench.a / "x"], of: getpid())).outcome == .refused)
    var process: pid_t = 0
    let texts: [String] = ["tail", "-f", "/dev/null"]
    var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    try check(posix_spawn(&process, "/usr/bin/tail", nil, nil, words, nil))
    let landing = landing(.copy, [bench.a / "x"], of: process)
    kill(process, SIGKILL)
    var info = siginfo_t()
    try check(waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT))
    let report = await report(landing)
    #expect(report.outcome == .failed)
    waitpid(process, nil, 0)
  }

  @Test("H08: what a program did is undone by its own number, whatever was done elsewhere since")
  func number() async throws {
    try (bench.a / "x").write("text")
    let landing = landing(.copy, [bench.a / "x"], journal: bench.journal)
    try (bench.b / "x").write("text")
    let entry = try #require(await report(landing).entry)
    try (bench.a / "theirs").write("theirs")
    let theirs = await bench.deliver(.move, [bench.a / "theirs"])
    #expect(theirs.entry != nil && theirs.entry != entry)
    #expect(await bench.undo(entry).isDone)
    #expect(bench.b.names == ["theirs"])
    #expect(await bench.undo(entry) == .nothing)
    #expect(await bench.redo(entry).isDone)
    #expect(Set(bench.b.names) == ["theirs", "x"])
  }

  @Test("H08: a move that a program made comes back")
  func move() async throws {
    let journal = Journal(folder: bench.state)
    try (bench.a / "x").write("text")
    let landing = landing(.move, [bench.a / "x"], journal: journal)
    try check(
      (bench.a / "x").withPlatformString { from in
        (bench.b / "x").withPlatformString { rename(from, $0) }
      })
    let report = await report(landing)
    #expect(report.delivered == 1 && report.verified)
    #expect(await undo(journal).isDone)
    #expect((bench.a / "x").text == "text")
    #expect(bench.b.names.isEmpty)
  }

  @Test(
    "T03 What was really done is told, whatever was ordered, and undone as that",
    arguments: [DragOperation.copy, .move, .link], [DragOperation.copy, .move, .link])
  func performed(ordered: DragOperation, done: DragOperation) async throws {
    let journal = Journal(folder: bench.state)
    let (source, target) = (bench.a / "x", bench.b / "x")
    try source.write("text")
    let landing = landing(ordered, [source], journal: journal)
    switch done {
    case .copy: try target.write("text")
    case .move: try check(rename(source.string, target.string))
    default: try check(symlink(source.string, target.string))
    }
    let report = await report(landing)
    #expect(report.delivered == 1 && report.effect == .performed(done), "\(report)")
    #expect(await undo(journal).isDone)
    #expect(bench.b.names.isEmpty && source.text == "text")
  }

  @Test("T02 What others bring and take away meanwhile proves nothing")
  func unrelated() async throws {
    let journal = Journal(folder: bench.state)
    try (bench.a / "x.txt").write("text of it")
    try (bench.b / "old").write("old")
    let landing = landing(.copy, [bench.a / "x.txt"], journal: journal)
    try (bench.b / "theirs.txt").write("text of it")
    try check(unlink((bench.b / "old").string))
    let report = await report(landing)
    #expect(report.delivered == 0 && report.effect == .ordered && report.outcome == .refused)
    #expect(await undo(journal) == .nothing)
    #expect(bench.b.names == ["theirs.txt"])
  }

  @Test("T02 A file that is written over in place has landed; one that is only touched has not")
  func inPlace() async throws {
    for name in ["x", "y"] { try (bench.a / name).write("new " + name) }
    try (bench.b / "x").write("old x")
    try (bench.b / "y").write("new y")
    let landing = landing(.copy, [bench.a / "x", bench.a / "y"], journal: bench.journal)
    let file = try #require(fopen((bench.b / "x").string, "r+"))
    fputs("new x", file)
    fclose(file)
    (bench.b / "y").setTimes(1_000_000_000, 5)
    let report = await report(landing)
    #expect(report.delivered == 1 && report.failures.map(\.name) == ["y"], "\(report)")
  }

  @Test(
    "The name that a program chooses beside a taken one holds that name",
    arguments: [
      ("a.txt", "a (copy).txt", true), ("a.txt", "Copy of a.txt", true), ("a.txt", "a_1.txt", true),
      ("a.txt", "b.txt", false), ("a.txt", "a (1).md", false), ("x", "x (copy)", true),
      (".conf", ".conf.1", true), ("a.txt", "a.txt", false),
    ])
  func variant(own: String, other: String, isVariant: Bool) {
    #expect(FolderDropVerifier.isVariant(FileName(other), of: FileName(own)) == isVariant)
  }

  @Test("T08 A folder is found by its name where its program watches it, and only one is believed")
  func searched() throws {
    for folder in [
      "deep", "deep/er", "deep/er/docs", "other", "other/docs", ".hidden", ".hidden/docs",
    ] {
      try check(mkdir((bench.a / folder).string, 0o700))
    }
    var search = FolderSearch(roots: [bench.a])
    let one = bench.a / "deep/er/docs"
    #expect(search.result(called: "docs") { $0 == one }.isWhole)
    #expect(search.folders(called: "docs") { $0 == one } == [one])
    #expect(search.folders(called: "docs") { _ in true }.count == 2)
    #expect(search.folders(called: "docs") { _ in false }.isEmpty)
    // On a slow disk it ends, and knows that there may be more.
    search.patience = 0
    #expect(!search.result(called: "docs") { $0 == one }.isWhole)
  }

  @Test("A file with other contents under the expected name is not taken for what was dropped")
  func other() async throws {
    let journal = Journal(folder: bench.state)
    try (bench.a / "x").write("text")
    let landing = landing(.copy, [bench.a / "x"], journal: journal)
    try (bench.b / "x").write("TEXT")
    let report = await report(landing)
    #expect(report.delivered == 0 && report.failures.map(\.name) == ["x"])
    #expect(await undo(journal) == .nothing)
  }

  @Test("What stood there before is not taken for what was dropped, even when it is the same")
  func before() async throws {
    let journal = Journal(folder: bench.state)
    try (bench.a / "x").write("text")
    try (bench.b / "x").write("text")
    let report = await report(landing(.copy, [bench.a / "x"], journal: journal))
    #expect(report.delivered == 0)
    #expect((bench.b / "x").text == "text")
  }

  @Test("What takes its time is waited for as long as it grows")
  func slow() async throws {
    let journal = Journal(folder: bench.state)
    try (bench.a / "x").write("one two three")
    let landing = landing(.copy, [bench.a / "x"], journal: journal)
    async let found = report(landing)
    for part in ["one", "one two", "one two three"] { try (bench.b / "x").write(part) }
    #expect(await found.delivered == 1)
  }

  @Test("A list of files is written as URIs, each byte that is not plain escaped")
  func uriList() {
    let list = FileList.uriList([FilePath("/a b/ü%"), FilePath("/x")])
    #expect(
      String(decoding: list, as: UTF8.self)
        == "file:///a%20b/%C3%BC%25\r\nfile:///x\r\n")
  }
}

@Suite("The folder that another program shows")
struct FolderResolverTests {
  @Test("A folder is known by its title and by the rows that it holds")
  func byRows() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    try scratch.file("docs/a.txt")
    let guess = FolderResolver(known: [scratch.path])
    #expect(guess.folder(of: DisplayedFolder(title: "docs", rows: ["a.txt"])) == folder)
    #expect(guess.folder(of: DisplayedFolder(title: "docs", rows: ["b.txt"])) == nil)
    #expect(guess.folder(of: DisplayedFolder(title: "docs")) == nil, "a name alone proves nothing")
    #expect(guess.folder(of: DisplayedFolder(title: "../docs", rows: ["a.txt"])) == nil)
  }

  @Test("Each row that is looked for is a sign of life, so that a slow disk is waited for")
  func alive() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    let rows = (1...12).map { "\($0).txt" }
    for row in rows { try scratch.file("docs/" + row) }
    let signs = Mutex(0)
    let guess = FolderResolver(known: [scratch.path], alive: { signs.withLock { $0 += 1 } })
    #expect(guess.folder(of: DisplayedFolder(title: "docs", rows: rows)) == folder)
    #expect(signs.withLock { $0 } > rows.count)
  }

  @Test("A path in the window leads to a folder that holds all its rows, whatever the title is")
  func byAddress() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    try scratch.file("docs/a.txt")
    var shown = DisplayedFolder(title: "Viewer", rows: ["..", "a.txt"])
    shown.isGuessed = true
    #expect(FolderResolver().folder(of: shown) == nil)
    shown.addresses = [scratch.path.string, folder.string + "/"]
    #expect(FolderResolver().folder(of: shown) == folder)
    shown.row = ".."
    #expect(FolderResolver().folder(of: shown)?.lexicallyNormalized() == scratch.path)
    shown.row = nil
    shown.rows = [".."]
    #expect(FolderResolver().folder(of: shown) == nil, "each folder has that one")
    shown.rows = ["a.txt", "b.txt"]
    #expect(FolderResolver().folder(of: shown) == nil)
  }

  @Test("The folders in it are told as programs show them: no hidden ones, none told like another")
  func folders() throws {
    let scratch = try Scratch()
    let docs = try scratch.folder("docs")
    for name in ["a", ".hidden", "two words ", "twin", "twin "] {
      _ = try scratch.folder("docs/" + name)
    }
    try scratch.file("docs/b.txt")
    _ = try scratch.link("docs/linked", to: "a")
    _ = try scratch.link("docs/to a file", to: "b.txt")
    _ = try scratch.link("docs/to nothing", to: "gone")
    _ = try scratch.link("docs/to itself", to: "to itself")
    #expect(FolderResolver.folders(in: docs) == ["a", "linked", "two words"])
    #expect(FolderResolver.folders(in: docs.appending("a")) == [])
    #expect(FolderResolver.folders(in: docs.appending("b.txt")) == nil)
    #expect(FolderResolver.folders(in: docs.appending("gone")) == nil)
    for number in 0...1_000 { _ = try scratch.folder("docs/many \(number)") }
    #expect(FolderResolver.folders(in: docs) == nil, "more than any person would walk")
  }

  @Test("A path bar leads to the folder")
  func byTrail() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    try scratch.file("docs/a.txt")
    let trail = folder.components.map(\.string)
    let shown = DisplayedFolder(title: "docs", trail: ["", "/"] + trail, rows: ["a.txt"])
    #expect(FolderResolver().folder(of: shown) == folder)
  }

  @Test("A row that is a folder is the target itself, and a file's row is not")
  func row() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    let inner = try scratch.folder("docs/inner")
    try scratch.file("docs/a.txt")
    let guess = FolderResolver(known: [scratch.path])
    var shown = DisplayedFolder(title: "docs", rows: ["a.txt", "inner"], row: "inner")
    #expect(guess.folder(of: shown) == inner)
    shown.row = "a.txt"
    #expect(guess.folder(of: shown) == folder)
    try scratch.file("docs/run.sh")
    chmod(folder.appending("run.sh").string, 0o755)
    try scratch.file("docs/Editor.desktop")
    for taker in ["run.sh", "Editor.desktop"] {
      shown.row = taker
      #expect(guess.folder(of: shown) == nil, "\(taker) takes what is dropped on it")
    }
    shown.row = "Trash"
    #expect(guess.folder(of: shown) == nil, "a row of a side pane leads who knows where")
  }

  @Test("A file is found by the name that a window may show of it, when only one is shown so")
  func toldNames() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    for name in ["a\u{1B}b", " blanks ", "one\u{1}", "one\u{2}", "plain"] {
      try scratch.file("docs/" + name)
    }
    let names = DisplayedNames(folder)
    #expect(names.file("plain") == folder.appending("plain"))
    #expect(names.file("a\u{FFFD}b") == folder.appending("a\u{1B}b"))
    #expect(names.file("blanks") == folder.appending(" blanks "))
    #expect(names.file("one\u{FFFD}") == nil, "it may be either")
    for name in ["", "nothing", "../docs"] { #expect(names.file(name) == nil) }
    let shown = DisplayedFolder(title: "docs", rows: ["a\u{FFFD}b", "blanks"])
    #expect(FolderResolver(known: [scratch.path]).folder(of: shown) == folder)
  }

  @Test("A program that watches other folders does not show this one")
  func watched() throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("docs")
    try scratch.folder("other")
    try scratch.file("docs/a.txt")
    let descriptor = inotify_init1(O_CLOEXEC)
    defer { close(descriptor) }
    let other = scratch.path.appending("other")
    _ = other.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(IN_CREATE)) }
    var shown = DisplayedFolder(title: "docs", rows: ["a.txt"], processID: getpid())
    let guess = FolderResolver(known: [scratch.path])
    #expect(guess.folder(of: shown) == nil)
    _ = folder.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(IN_CREATE)) }
    shown.rows = []
    #expect(guess.folder(of: shown) == folder)
  }

  @Test(
    "T13 A folder is reached by its path where its program watches it, and no other of its name")
  func byPath() throws {
    let scratch = try Scratch()
    let (here, there) = (try scratch.folder("here"), try scratch.folder("there"))
    for folder in [here, there] {
      try scratch.folder("\(folder.lastComponent!.string)/docs")
      try scratch.folder("\(folder.lastComponent!.string)/docs/inner")
      try scratch.file("\(folder.lastComponent!.string)/docs/a.txt")
    }
    let descriptor = inotify_init1(O_CLOEXEC)
    defer { close(descriptor) }
    func watch(_ folder: FilePath) {
      _ = folder.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(IN_CREATE)) }
    }
    var shown = DisplayedFolder(title: "docs", rows: ["a.txt", "inner"], processID: getpid())
    shown.row = "inner"
    let guess = FolderResolver(known: [here, there])
    #expect(guess.folder(ofRow: shown) == nil, "nobody watches it")
    watch(here.appending("docs"))
    #expect(guess.folder(ofRow: shown) == here.appending("docs").appending("inner"))
    for row in ["a.txt", "gone", ".."] {
      shown.row = row
      #expect(guess.folder(ofRow: shown) == nil, "\(row)")
    }
    shown.row = "inner"
    var silent = shown
    silent.processID = nil
    #expect(FolderResolver(known: [here]).folder(of: silent) != nil, "its rows speak for it")
    #expect(FolderResolver(known: [here]).folder(ofRow: silent) == nil, "and that is not enough")
    watch(there.appending("docs"))
    #expect(guess.folder(ofRow: shown) == nil, "it may be either")
  }
}

private func check(_ result: CInt) throws {
  if result != 0 { throw Errno(rawValue: errno) }
}
