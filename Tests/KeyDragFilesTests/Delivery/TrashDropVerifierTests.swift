import Dispatch
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("What another program puts into the trash")
struct TrashDropVerifierTests {
  let bench: Bench
  init() throws { bench = try Bench() }

  private func landing(_ sources: [FilePath]) -> TrashDropVerifier {
    TrashDropVerifier(
      sources: sources.map { ($0.lastComponent?.string ?? "", $0) }, trash: bench.trash,
      place: "Trash", journal: bench.journal, queue: DispatchQueue(label: "landing"), alive: {})
  }

  private func report(_ landing: TrashDropVerifier) async -> DeliveryResult {
    await landing.check(isAsking: { false }, alive: {})
  }

  /// Does what a file manager does; `name` is what the thing is called in the trash.
  private func trash(_ path: FilePath, as name: String) throws {
    let note = "[Trash Info]\nPath=\(path.string)\nDeletionDate=2024-01-01T00:00:00\n"
    for folder in ["", "files", "info"] { _ = mkdir((bench.home / folder).string, 0o700) }
    try (bench.home / "info" / (name + ".trashinfo")).write(note)
    try #require(rename(path.string, (bench.home / "files" / name).string) == 0)
  }

  @Test("H06, H08: what a program has put there is found under any name, and comes back")
  func found() async throws {
    for name in ["x", "y"] { try (bench.a / name).write("text of " + name) }
    let landing = landing([bench.a / "x", bench.a / "y"])
    async let found = report(landing)
    try trash(bench.a / "x", as: "x.2")
    try trash(bench.a / "y", as: "y")
    let report = await found
    #expect(report.delivered == 2 && report.verified && report.failures.isEmpty)
    let entry = try #require(report.entry)
    #expect(await bench.undo(entry).isDone)
    #expect((bench.a / "x").text == "text of x" && (bench.a / "y").text == "text of y")
    #expect((bench.home / "files").names.isEmpty && (bench.home / "info").names.isEmpty)
  }

  @Test("H08: a folder comes back with all that is in it")
  func folder() async throws {
    try (bench.a / "inner").makeFolder()
    try (bench.a / "inner" / "x").write("text")
    let landing = landing([bench.a / "inner"])
    try trash(bench.a / "inner", as: "inner")
    let entry = try #require(await report(landing).entry)
    #expect(await bench.undo(entry).isDone)
    #expect((bench.a / "inner" / "x").text == "text")
  }

  @Test("H14: what stays, and what is deleted for good, is not said to be in the trash")
  func missing() async throws {
    for name in ["x", "y"] { try (bench.a / name).write("text of " + name) }
    let landing = landing([bench.a / "x", bench.a / "y"])
    try #require(unlink((bench.a / "y").string) == 0)
    // Another file of that name is there.
    try (bench.a / "z").write("text of y")
    try trash(bench.a / "z", as: "y")
    let report = await report(landing)
    #expect(report.delivered == 0 && report.entry == nil && !report.verified)
    #expect(report.failures.map(\.name) == ["x", "y"] && report.outcome == .unconfirmed)
  }
}

@Suite("The folders that file managers list")
struct BookmarkTests {
  private let scratch: Scratch
  private let home: FilePath

  init() throws {
    scratch = try Scratch()
    for folder in [
      "anna", "anna/Desktop", "anna/Papers", "office", "office/Docs", "config", "data", "x y",
    ] {
      try scratch.folder(folder)
    }
    try scratch.folder("config/gtk-3.0")
    home = scratch.path.appending("anna")
  }

  private func folder(_ name: String, _ index: Int = 0, of count: Int = 1) -> FilePath? {
    Bookmarks(
      home: home, configuration: scratch.path.appending("config"),
      data: scratch.path.appending("data")
    )
    .folder(called: name, DisplayedFolder.Bookmark(index: index, count: count))
  }

  private func bookmarks(_ lines: String...) throws {
    let text = lines.map { $0.replacing("BASE", with: scratch.path.string) + "\n" }.joined()
    try scratch.path.appending("config/gtk-3.0/bookmarks").write(text)
  }

  @Test("the home folder and the desktop are known by their own names")
  func ownFolders() throws {
    #expect(folder("anna") == home)
    #expect(folder("Desktop") == home.appending("Desktop"))
    #expect(folder("office") == nil && folder("") == nil && folder("..") == nil)
  }

  @Test("the home folder is known by programs' own names for it, unless a bookmark has the name")
  func homeByWord() throws {
    for name in ["Home", "Home Folder", "Persönlicher Ordner", "ホーム", "Домашняя папка"] {
      #expect(folder(name) == home)
    }
    #expect(folder("Home", 0, of: 2) == nil)
    try bookmarks("file://BASE/office Home")
    #expect(folder("Home") == scratch.path.appending("office"))
  }

  @Test("a stick that is mounted is known by its name; a folder that was left behind is none")
  func media() throws {
    try scratch.folder("media")
    for folder in ["STICK", "anna", "anna/MY DISK", "anna/LEFT", "anna/a", "anna/a/DEEP", "Docs"] {
      try scratch.folder("media/" + folder)
    }
    let mounts = scratch.path.appending("mounts")
    let base = scratch.path.appending("media").string
    try mounts.write(
      """
      21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
      30 21 8:1 / \(base)/STICK rw,nosuid shared:5 - vfat /dev/sda1 rw
      31 21 8:2 / \(base)/anna/MY\\040DISK rw - ext4 /dev/sdb1 rw
      32 21 8:3 / \(base)/anna/a/DEEP rw - ext4 /dev/sdc1 rw
      33 21 8:4 / \(base)/Docs rw - ext4 /dev/sdd1 rw
      nonsense

      """)
    try bookmarks("file://BASE/office/Docs")
    func stick(_ name: String, of count: Int = 1) -> FilePath? {
      Bookmarks(
        home: home, configuration: scratch.path.appending("config"), mounts: mounts,
        media: [scratch.path.appending("media")]
      ).folder(called: name, DisplayedFolder.Bookmark(index: 0, count: count))
    }
    #expect(stick("STICK") == scratch.path.appending("media/STICK"))
    #expect(stick("MY DISK") == scratch.path.appending("media/anna/MY DISK"), "for one person")
    for name in ["LEFT", "DEEP", "a", "/"] { #expect(stick(name) == nil, "\(name)") }
    // Nobody knows which of them a program shows above the other.
    #expect(stick("Docs") == nil && stick("Docs", of: 2) == nil)
    #expect(Bookmarks().folder(called: "no such stick") == nil)
  }

  @Test("a bookmark is known by its name, or else by its folder's; others are not guessed at")
  func named() throws {
    try bookmarks(
      "file://BASE/office/Docs", "file://BASE/office  My office ", "file://BASE/x%20y",
      "sftp://host/home Far", "file://BASE/gone", "nonsense")
    #expect(folder("Docs") == scratch.path.appending("office/Docs"))
    #expect(folder("My office") == scratch.path.appending("office"))
    #expect(folder("x y") == scratch.path.appending("x y"))
    for name in ["office", "Far", "gone", "nonsense"] { #expect(folder(name) == nil) }
  }

  @Test("the person's other folders are known by their names, unless a bookmark has the name")
  func userFolders() throws {
    try scratch.path.appending("config/user-dirs.dirs").write(
      "XDG_DOWNLOAD_DIR=\"$HOME/Papers\"\nXDG_MUSIC_DIR=\"\(scratch.path.string)/office/Docs\"\n")
    #expect(folder("Papers") == home.appending("Papers"))
    #expect(folder("Docs") == scratch.path.appending("office/Docs"))
    try bookmarks("file://BASE/office Papers", "sftp://host/docs Docs")
    #expect(folder("Papers") == scratch.path.appending("office"))
    #expect(folder("Docs") == nil, "it may be the one far away")
  }

  @Test("a bookmark of KDE is known by its title, unless another folder has the name")
  func placesOfKDE() throws {
    let base = scratch.path.string
    try scratch.path.appending("data/user-places.xbel").write(
      """
      <?xml version="1.0"?><!DOCTYPE xbel [<!ENTITY far SYSTEM "file:///etc/passwd">]>
      <xbel><bookmark href="file://\(base)/x%20y"><title>R &amp; D&#x21;</title><info/></bookmark>
      <bookmark href='file://\(base)/office'>
       <title>Office</title></bookmark><bookmark href="trash:/"><title>Trash</title></bookmark>
      <bookmark href="file://\(base)/office/Docs"><title>&far;</title></bookmark>
      <bookmark href="file://\(base)/office/Docs"><title>Papers</title></bookmark>
      <bookmark href="file://\(base)/anna"/><bookmark href="file://\(base)/anna"><title>Cut
      """)
    #expect(folder("R & D!") == scratch.path.appending("x y"))
    #expect(folder("Office") == scratch.path.appending("office"))
    for name in ["Trash", "&far;", "Cut", "root"] { #expect(folder(name) == nil) }
    #expect(folder("Papers") == scratch.path.appending("office/Docs"))
    // Nobody knows which of both the program means.
    try scratch.path.appending("config/user-dirs.dirs").write(
      "XDG_DOCUMENTS_DIR=\"$HOME/Papers\"\n")
    #expect(folder("Papers") == nil && folder("Papers", of: 2) == nil)
  }

  @Test("of two folders with one name nobody knows which; one that is listed twice is one")
  func twins() throws {
    try bookmarks("file://BASE/office Docs", "file://BASE/office/Docs", "file://BASE/anna/Desktop")
    #expect(folder("Docs") == nil)
    #expect(folder("Desktop") == home.appending("Desktop"))
  }

  @Test("of two with one name each is known by its order, where as many are shown as are listed")
  func order() throws {
    try bookmarks("file://BASE/office Docs", "file://BASE/office/Docs", "file://BASE/office Docs")
    let (first, second) = (scratch.path.appending("office"), scratch.path.appending("office/Docs"))
    #expect(folder("Docs", 0, of: 2) == first)
    #expect(folder("Docs", 1, of: 2) == second)
    for (index, count) in [(2, 2), (-1, 2), (0, 1), (0, 3), (2, 3)] {
      #expect(folder("Docs", index, of: count) == nil)
    }
    try bookmarks("file://BASE/office Docs", "file://BASE/office/Docs", "sftp://host/home Docs")
    #expect(folder("Docs", 0, of: 2) == nil && folder("Docs", 0, of: 3) == nil)
    #expect(Bookmarks.nameOfFolder(around: second) == "office")
    #expect(Bookmarks.nameOfFolder(around: "/etc") == nil)
  }

  @Test("the desktop is where its settings say, and so are the other folders")
  func desktop() throws {
    try scratch.path.appending("config/user-dirs.dirs").write(
      """
      # Written by xdg-user-dirs-update
      XDG_DESKTOP_DIR="$HOME/Papers"
      XDG_DOWNLOAD_DIR="\(scratch.path.string)/office"

      """)
    #expect(folder("Papers") == home.appending("Papers"))
    #expect(folder("Desktop") == nil)
    #expect(folder("office") == scratch.path.appending("office"))
    try bookmarks("sftp://host/papers Papers")
    #expect(folder("Papers") == nil, "the other computer's may be meant")
  }
}
