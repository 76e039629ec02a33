import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: names, numbers and roots")
struct PlacesNamesTests {
  @Test(
    "K19: a root is called by its folder's name, and by where it lies when two are equal",
    arguments: [
      (["/home/ada/Inbox"], ["Inbox"]),
      (["/"], ["/"]),
      (["/office/docs", "/attic/docs", "/x"], ["docs (office)", "docs (attic)", "x"]),
      (["/a/office/docs", "/b/office/docs"], ["docs (a)", "docs (b)"]),
      (["/docs", "/home/docs"], ["docs (/)", "docs (home)"]),
      (["/bad\u{1B}[2J"], ["bad\u{FFFD}[2J"]),
    ])
  func rootNames(paths: [FilePath], names: [String]) {
    #expect(RootPaths.names(of: paths) == names)
  }

  @Test(
    "A folder is found however it was written",
    arguments: [
      (".", "/tmp"), ("./", "/tmp"), ("./x/./y/", "/tmp/x/y"), ("..", "/"), ("/usr/../etc", "/etc"),
      ("nowhere/../there", "/tmp/there"),
    ])
  func absolute(given: String, path: String) {
    #expect(RootPaths.absolute(FilePath(given), in: "/tmp") == FilePath(path))
  }

  @Test("H02, H06: nested roots are one tree, the same folder twice is one root")
  func trees() throws {
    let scratch = try Scratch()
    let inner = try scratch.folder("inner")
    let link = try scratch.link("link", to: "inner")
    let other = try Scratch()
    let roots = RootPaths.roots([inner, other.path, link, scratch.path, other.path.appending(".")])
    #expect(roots.map(\.path) == [inner, other.path, scratch.path])
    #expect(roots.map(\.tree) == [2, 1, 2])
  }

  @Test("H02: a nested root shares the tree of the root around it, and is left into it")
  func nestedRoots() async throws {
    let scratch = try Scratch()
    let inner = try scratch.folder("inner")
    let stage = PlacesStage([inner, scratch.path])
    #expect(
      stage.world.roots.map(\.tree) == [ContainerID(1, of: .files), ContainerID(1, of: .files)])
    #expect(stage.world.roots[0].enclosing == ContainerID(1, of: .files))
    let outer = try await stage.listing(
      .list(.around(ContainerID(0, of: .files)), includingHidden: false))
    #expect(outer.container.id == ContainerID(1, of: .files))
    let entered = try await stage.listing(
      .list(.inside(outer.source("inner").id), includingHidden: false))
    #expect(entered.container.id == ContainerID(0, of: .files))
  }

  @Test("H03: a file named on a command line is the one its listing shows, with the same number")
  func namedByPath() async throws {
    let scratch = try Scratch()
    try scratch.folder("box")
    try scratch.file("box/a.txt")
    let elsewhere = try Scratch()
    try elsewhere.folder("target")
    let stage = PlacesStage([scratch.path])
    let file = scratch.path.appending("box").appending(".").appending("a.txt")
    let source = try #require(stage.world.source(at: file))
    let box = try await stage.listing(
      .list(.inside(try await stage.list().source("box").id), includingHidden: false))
    #expect(box.sources?.map(\.id) == [source])
    let target = try #require(stage.world.dropPoint(at: elsewhere.path.appending("target")))
    let folder = try #require(stage.world.source(at: scratch.path.appending("box")))
    guard case .prepared(_, let preparation) = await stage.answer(.prepare([source, folder])) else {
      Issue.record("nothing was prepared")
      return
    }
    #expect(preparation.items.map(\.name) == ["box"])
    #expect(preparation.refused == [DeliveryFailure(name: "a.txt", reason: .heldWithFolder)])
    let inquiry = ProposalRequest(items: preparation.items, wish: nil, stops: [DropStop(target)])
    #expect(
      await stage.answer(.ask(inquiry))
        == .answered(RequestID(1), [Answer(DropStop(target), DropProposal(.all))]))
    #expect(stage.world.source(at: "/") == nil)
  }

  @Test("The folders around a folder are told from the home or the root on, and safe to show")
  func around() {
    let home = StandardFolders.home
    func around(_ path: FilePath) -> [String] {
      FolderRecord(path: path, name: "", parent: nil, tree: 0).around
    }
    #expect(around(home.appending("Work").appending("Inbox")) == ["~", "Work"])
    #expect(around(home.appending("Work")) == ["~"])
    #expect(around("/srv/a\u{1B}b/Inbox") == ["/", "srv", SpokenName.clean("a\u{1B}b")])
    #expect(around("/srv") == ["/"])
    #expect(around("/").isEmpty)
  }

  @Test("Numbers say again what they were made of")
  func numbers() {
    let points: [PointID] = [
      .folder(0), .folder(.max - 1), .entry(EntryID(folder: 7, ordinal: 0)),
      .entry(EntryID(folder: 0, ordinal: .max - 2)), .newFolder(3), .trash, .print, .program(0),
      .program(9),
    ]
    for point in points { #expect(PointID(point.point) == point) }
    #expect(Set(points.map(\.point)).count == points.count)
    let id = EntryID(folder: 3, ordinal: 5)
    #expect(id.source.rawValue == 3 << 32 | 5)
    #expect(EntryID(id.source) == id)
  }

  @Test("A name gets one number, whatever else comes in between")
  func nameTable() {
    var table = NameTable()
    let names = (0..<5_000).map { "name-\($0 % 2_500)" }
    let ordinals = names.map { name in
      Array(name.utf8).withUnsafeBufferPointer { table.intern($0) }
    }
    #expect(table.count == 2_500)
    #expect(Array(ordinals.prefix(2_500)) == Array(ordinals.suffix(2_500)))
    #expect(ordinals.prefix(2_500).allSatisfy { table.name($0) == Array(names[Int($0)].utf8) })
    let missing = Array("name-2500".utf8).withUnsafeBufferPointer { table.ordinal(of: $0) }
    #expect(missing == nil)
  }

  @Test("The place of one name more, found by halving, is its place in a whole sort")
  func insertion() {
    var generator = SystemRandomNumberGenerator()
    var record = FolderRecord(path: "/", name: "", parent: nil, tree: 0)
    var all = FolderSnapshot()
    let names = (0..<400).map {
      "\($0 % 3 == 0 ? "Ä" : "a")\(Int.random(in: 0..<50, using: &generator))-\($0)"
    }
    for (number, name) in names.enumerated() {
      let kind: ItemKind = number.isMultiple(of: 5) ? .folder : .file
      Array(name.utf8).withUnsafeBufferPointer { bytes in
        all.append(bytes, kind: kind)
        let ordinal = record.intern(bytes)
        let position = record.insert(ordinal, kind: kind)
        #expect(record.order[position] == ordinal)
      }
    }
    #expect(record.order == NameOrder.sorted(all))
    for ordinal in [0, 17, 399] as [UInt32] {
      #expect(record.remove(ordinal) != nil)
      #expect(record.remove(ordinal) == nil)
      #expect(!record.order.contains(ordinal))
    }
    #expect(record.order.count == 397)
  }

  @Test(
    "Numbers in names count, however long they are, and zeros before them tell names apart",
    arguments: [
      ["n1", "n2", "n10", "n20"], ["2 a", "10 a"], ["a", "a1", "a1b", "a01c", "a2", "ab"],
      ["track 9.ogg", "track 10.ogg"], ["x01", "x1"], ["0", "00", "1"], ["-1", "0", ":"],
      ["v1.9.2", "v1.10.0"],
      ["n" + String(repeating: "9", count: 90), "n1" + String(repeating: "0", count: 90)],
    ])
  func natural(names: [String]) {
    var snapshot = FolderSnapshot()
    for name in names.reversed() {
      Array(name.utf8).withUnsafeBufferPointer { snapshot.append($0, kind: .file) }
    }
    let sorted = NameOrder.sorted(snapshot).map { index in
      snapshot.withName(Int(index)) { String(decoding: $0, as: UTF8.self) }
    }
    #expect(sorted == names)
    for (one, other) in zip(names, names.dropFirst()) {
      #expect(precedes(one, other))
      #expect(!precedes(other, one))
    }
  }

  private func precedes(_ one: String, _ other: String) -> Bool {
    Array(one.utf8).withUnsafeBufferPointer { one in
      Array(other.utf8).withUnsafeBufferPointer { NameOrder.precedes(one, $0) }
    }
  }

  @Test("Only a locale that has an order of its own gives one")
  func collations() {
    #expect(Collation("C.UTF-8") == nil)
    #expect(Collation("POSIX") == nil)
    #expect(Collation("no such locale") == nil)
  }

  @Test(
    "A language's own order of letters holds: é beside e, ä behind z in Swedish",
    .enabled("needs a locale of that language") { Collation("sv_SE.UTF-8") != nil })
  func letters() throws {
    let swedish = try #require(Collation("sv_SE.UTF-8"))
    func key(_ name: String) -> [UInt8] {
      var bytes: [UInt8] = []
      Array(name.utf8).withUnsafeBufferPointer {
        NameOrder.appendSortKey($0, to: &bytes, in: swedish)
      }
      return bytes
    }
    let names = ["Eka 2", "eka 10", "éka 3", "Fot", "zon", "Åsa", "ärt", "Öl"]
    for (one, other) in zip(names, names.dropFirst()) {
      #expect(key(one).lexicographicallyPrecedes(key(other)), "\(one) \(other)")
    }
  }

  @Test("Events are read from the kernel's buffer, and a cut-off one is left out")
  func events() {
    func event(_ watch: Int32, _ mask: UInt32, _ name: String) -> [UInt8] {
      let padded = Array(name.utf8) + [0, 0, 0]
      let numbers = [UInt32(bitPattern: watch), mask, 0, UInt32(name.isEmpty ? 0 : padded.count)]
      let header = numbers.flatMap { number in withUnsafeBytes(of: number) { Array($0) } }
      return header + (name.isEmpty ? [] : padded)
    }
    var events = WatchEvents()
    let bytes =
      event(1, 0x100, "made") + event(1, 0x200, "made") + event(2, 0x80, ".keydrag-1.part")
      + event(3, 0x400, "") + event(3, 0x8000, "") + event(-1, 0x4000, "")
      + event(1, 0x100, "cut off").dropLast(4)
    bytes.withUnsafeBytes { events.add($0) }
    #expect(events.names == [1: [Array("made".utf8)]])
    #expect(events.gone == [3])
    #expect(events.ended == [3])
    #expect(events.overflowed)
  }
}
