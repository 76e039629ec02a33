import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("Places: watching", .timeLimit(.minutes(5)))
struct PlacesWatchingTests {
  private func isPointAppearing(_ change: RegistryChange) -> Bool {
    if case .dropPointAppeared = change { return true }
    return false
  }

  @Test("K04: a file that appears is reported where it stands in the order")
  func appears() async throws {
    let scratch = try Scratch()
    for name in ["a", "c"] { try scratch.file(name) }
    try scratch.folder("m")
    let stage = PlacesStage([scratch.path])
    _ = try await stage.list()
    try scratch.file("b")
    guard case .changed(let changes) = await stage.reports.next() else {
      Issue.record("no change was reported")
      return
    }
    guard case .sourceAppeared(let source, index: 2)? = changes.first, changes.count == 1 else {
      Issue.record("reported \(changes)")
      return
    }
    #expect(source.name == "b")
    #expect(source.kind == .file)
    #expect(try await stage.list().names == ["m", "a", "b", "c"])
  }

  @Test("K04: a folder that appears is a drop point at once, and no more when it vanishes")
  func folderComesAndGoes() async throws {
    let scratch = try Scratch()
    try scratch.folder("a")
    try scratch.folder("c")
    let stage = PlacesStage([scratch.path])
    let container = try await stage.list().container.id
    let made = try scratch.folder("b")
    let appeared = await stage.reports.changes(until: isPointAppearing)
    guard case .dropPointAppeared(let point, index: 2)? = appeared.last else {
      Issue.record("reported \(appeared)")
      return
    }
    #expect(point.name == "b")
    try scratch.check(made.withPlatformString { rmdir($0) })
    let vanished = await stage.reports.changes { change in
      if case .dropPointVanished = change { return true }
      return false
    }
    #expect(vanished.last == .dropPointVanished(point.id, container: container))
  }

  @Test("A rename inside a folder is one that vanishes and one that appears")
  func rename() async throws {
    let scratch = try Scratch()
    let old = try scratch.file("old")
    let stage = PlacesStage([scratch.path])
    let listing = try await stage.list()
    let new = scratch.path.appending("new")
    try scratch.check(Glibc.rename(old.string, new.string))
    var names: [String] = []
    var gone: [DragSourceID] = []
    while names.isEmpty || gone.isEmpty {
      guard case .changed(let changes) = await stage.reports.next() else { continue }
      for change in changes {
        if case .sourceAppeared(let source, _) = change { names.append(source.name) }
        if case .sourceVanished(let id, _) = change { gone.append(id) }
      }
    }
    #expect(names == ["new"])
    #expect(gone == [try listing.source("old").id])
  }

  @Test("Our own half-delivered names and hidden ones are not reported")
  func quietNames() async throws {
    let scratch = try Scratch()
    let stage = PlacesStage([scratch.path])
    _ = try await stage.list()
    try scratch.file(".keydrag-77.part")
    try scratch.file(".hidden")
    try scratch.file("seen")
    let appearance = await stage.reports.nextAppearance()
    #expect(appearance?.name == "seen")
  }

  @Test("A name that becomes a folder is reported as gone and as new")
  func changesKind() async throws {
    let scratch = try Scratch()
    let file = try scratch.file("thing")
    let stage = PlacesStage([scratch.path])
    let id = try await stage.list().source("thing").id
    try scratch.check(file.withPlatformString { unlink($0) })
    try scratch.folder("thing")
    let changes = await stage.reports.changes(until: isPointAppearing)
    #expect(changes.first == .sourceVanished(id, container: stage.world.roots[0].id))
    #expect(try await stage.list().source("thing").kind == .folder)
  }

  @Test(
    "K06: a folder that is deleted or moved away is reported as a whole", arguments: [true, false])
  func containerVanishes(isDeleted: Bool) async throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("inner")
    let stage = PlacesStage([folder])
    let container = try await stage.list().container.id
    if isDeleted {
      try scratch.check(folder.withPlatformString { rmdir($0) })
    } else {
      let away = scratch.path.appending("away")
      try scratch.check(Glibc.rename(folder.string, away.string))
    }
    #expect(await stage.reports.next() == .changed([.containerVanished(container)]))
  }

  @Test(
    "K04: a folder given that comes back is listed and followed again",
    arguments: ["deleted", "moved", "with the folder around it"])
  func comesBack(way: String) async throws {
    let scratch = try Scratch()
    try scratch.folder("outer")
    let folder = try scratch.folder("outer/inner")
    let stage = PlacesStage([folder])
    let container = try await stage.list().container.id
    let (old, away) =
      way == "moved"
      ? (folder, scratch.path.appending("away"))
      : (folder.removingLastComponent(), scratch.path.appending("away"))
    if way == "moved" {
      try scratch.check(Glibc.rename(old.string, away.string))
    } else {
      try scratch.check(folder.withPlatformString { rmdir($0) })
      if way != "deleted" { try scratch.check(old.withPlatformString { rmdir($0) }) }
    }
    #expect(await stage.reports.next() == .changed([.containerVanished(container)]))
    if way == "moved" {
      try scratch.check(Glibc.rename(away.string, old.string))
    } else {
      if way != "deleted" { try scratch.folder("outer") }
      try scratch.folder("outer/inner")
    }
    guard case .changed(let changes) = await stage.reports.next(),
      case .containerAppeared(let listing)? = changes.first
    else {
      Issue.record("the return was not reported")
      return
    }
    #expect(listing.container.id == container)
    #expect(listing.dropPoints?.count == 1)
    try scratch.file("outer/inner/new")
    #expect(await stage.reports.nextAppearance()?.name == "new")
    stage.world.close()
  }

  @Test("K04: a folder that comes back with the one around it is seen, however soon it comes")
  func comesBackSoon() async throws {
    let scratch = try Scratch()
    let outer = try scratch.folder("outer")
    let folder = try scratch.folder("outer/inner")
    let stage = PlacesStage([folder])
    let container = try await stage.list().container.id
    for _ in 0..<1_000 {
      for gone in [folder, outer] { try scratch.check(gone.withPlatformString { rmdir($0) }) }
      #expect(await stage.reports.next() == .changed([.containerVanished(container)]))
      for name in ["outer", "outer/inner"] { try scratch.folder(name) }
      guard case .changed(let changes) = await stage.reports.next() else {
        Issue.record("the return was not reported")
        return
      }
      #expect(changes.count == 1)
    }
    stage.world.close()
  }

  @Test(
    "K04: a stick that is pulled leaves an empty folder, which is not it; put in again, it is back",
    .enabled(if: Bench.canMount))
  func mounted() async throws {
    let scratch = try Scratch()
    let folder = try scratch.folder("stick")
    func insert() throws {
      try scratch.check(
        folder.withPlatformString { mount("none", $0, "tmpfs", 0, "size=1m") })
      try scratch.folder("stick/photos")
    }
    try insert()
    let stage = PlacesStage([folder])
    let container = try await stage.list().container.id
    try scratch.check(folder.withPlatformString { umount2($0, Int32(MNT_DETACH)) })
    #expect(await stage.reports.next() == .changed([.containerVanished(container)]))
    try insert()
    defer { folder.withPlatformString { _ = umount2($0, Int32(MNT_DETACH)) } }
    guard case .changed(let changes) = await stage.reports.next(),
      case .containerAppeared(let listing)? = changes.first
    else {
      Issue.record("the return was not reported")
      return
    }
    #expect(listing.container.id == container)
    stage.world.close()
  }

  @Test("Many changes at once are reported as a whole listing, and none is lost")
  func flood() async throws {
    let scratch = try Scratch()
    let stage = PlacesStage([scratch.path])
    _ = try await stage.list()
    for number in 0..<2_000 { try scratch.file("file-\(number)") }
    var known: Set<DragSourceID> = []
    while known.count < 2_000 {
      guard case .changed(let changes) = await stage.reports.next() else { continue }
      for change in changes {
        switch change {
        case .sourceAppeared(let source, _): known.insert(source.id)
        case .replaced(let listing): known = Set(listing.sources?.map(\.id) ?? [])
        default: Issue.record("reported \(change)")
        }
      }
    }
    #expect(try await stage.list().sources?.count == 2_000)
  }

  @Test("Nothing is reported of a folder that is no longer shown")
  func closed() async throws {
    let scratch = try Scratch()
    let shut = try scratch.folder("shut")
    let open = try scratch.folder("open")
    let stage = PlacesStage([shut, open])
    _ = try await stage.list(0)
    _ = try await stage.list(1)
    stage.world.hide(stage.world.roots[0].id)
    try scratch.file("shut/unseen")
    try scratch.file("open/seen")
    let appearance = await stage.reports.nextAppearance()
    #expect(appearance?.name == "seen")
  }
}
