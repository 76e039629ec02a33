import Glibc
import KeyDragCore
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

/// What a session would know of one folder after the reports it got, in their order.
private struct Follower {
  var names: [String] = []
  var places: [String] = []
  private var byID: [DragSourceID: String] = [:]
  private var placeByID: [DropPointID: String] = [:]

  mutating func take(_ report: WorldReport) {
    switch report {
    case .listed(_, let listing): replace(listing)
    case .changed(let changes): for change in changes { take(change) }
    default: break
    }
  }

  private mutating func replace(_ listing: Listing) {
    names = listing.names
    places = listing.dropPoints?.map(\.name) ?? []
    byID = [:]
    placeByID = [:]
    for source in listing.sources ?? [] { byID[source.id] = source.name }
    for point in listing.dropPoints ?? [] { placeByID[point.id] = point.name }
  }

  private mutating func take(_ change: RegistryChange) {
    switch change {
    case .sourceAppeared(let source, let index):
      names.insert(source.name, at: index)
      byID[source.id] = source.name
    case .sourceVanished(let id, _):
      names.removeAll { $0 == byID[id] }
    case .dropPointAppeared(let point, let index):
      places.insert(point.name, at: index)
      placeByID[point.id] = point.name
    case .dropPointVanished(let id, _):
      places.removeAll { $0 == placeByID[id] }
    case .containerAppeared, .containerVanished: Issue.record("the folder is still there")
    case .replaced(let listing): replace(listing)
    }
  }
}

@Suite("Places: following changes", .timeLimit(.minutes(2)))
struct PlacesFollowingTests {
  @Test("K04: whoever follows the reports knows the folder, however listings and changes mix")
  func mixed() async throws {
    let scratch = try Scratch()
    for number in 0..<200 { try scratch.file("file-\(number * 7 % 200)") }
    let stage = PlacesStage([scratch.path])
    let root = stage.world.roots[0].id
    let busy = Task.detached {
      for number in 0..<600 {
        let name = "\(number % 3 == 0 ? "Folder" : "file")-\(number * 13 % 300)"
        let path = scratch.path.appending(name).string
        if unlink(path) != 0, rmdir(path) != 0 {
          if name.hasPrefix("F") { mkdir(path, 0o755) } else { close(creat(path, 0o644)) }
        }
      }
    }
    for number in 0..<40 {
      let reports = stage.reports
      stage.world.perform(
        .list(.container(root), includingHidden: false), id: RequestID(number + 1)
      ) {
        reports.add($0)
      }
      await Task.yield()
    }
    await busy.value
    try scratch.file("~last")
    var follower = Follower()
    var listings = 0
    while listings < 40 || !follower.names.contains("~last") {
      let report = await stage.reports.next()
      if case .listed = report { listings += 1 }
      follower.take(report)
    }
    let truth = try await stage.list()
    #expect(follower.names == truth.names)
    #expect(follower.places == truth.dropPoints?.map(\.name))
    #expect(truth.names.count == followedCount(scratch))
  }

  private func followedCount(_ scratch: Scratch) -> Int? {
    try? FolderReader.read(scratch.path, includingHidden: false).get().count
  }

  @Test("K04: what changes between the reading of a folder and its listing is reported after it")
  func duringListing() async throws {
    let scratch = try Scratch()
    try scratch.file("a")
    let old = try scratch.file("old")
    let registry = PlaceRegistry(roots: RootPaths.roots([scratch.path]))
    let reporter = ChangeReporter(registry: registry)
    let reports = Reports()
    reporter.observe { reports.add($0) }
    _ = registry.show(0, .browsed)
    registry.beginListing(0, includingHidden: false)
    let snapshot = try FolderReader.read(scratch.path, includingHidden: false).get()
    try scratch.file("b")
    try scratch.check(unlink(old.string))
    reporter.report([0: [Array("b".utf8), Array("old".utf8)]], gone: [], overflowed: false)
    // A change that was looked at before the listing began must wait as well.
    #expect(registry.apply([Array("b".utf8): .file], to: 0).isEmpty)
    let listing = registry.replace(0, by: snapshot, sorted: NameOrder.sorted(snapshot))
    #expect(listing.names == ["a", "old"])
    reporter.catchUp(0)
    guard case .changed(let changes) = await reports.next() else {
      Issue.record("no change was reported")
      return
    }
    #expect(
      Set(changes).contains(
        .sourceVanished(try listing.source("old").id, container: ContainerID(0, of: .files))))
    #expect(changes.count == 2)
    try scratch.file("c")
    reporter.report([0: [Array("c".utf8)]], gone: [], overflowed: false)
    #expect(await reports.nextAppearance()?.name == "c")
  }

  /// How many events the kernel queues before it drops the rest.
  private static let queueLength: Int = {
    let descriptor = open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = max(0, read(descriptor, &buffer, buffer.count))
    return Int(String(decoding: buffer.prefix(count), as: UTF8.self).filter(\.isNumber)) ?? .max
  }()

  @Test(
    "K04: changes the kernel could not queue are made up for by a whole listing",
    .enabled(if: queueLength <= 1 << 16, "the kernel's queue is too long to fill"))
  func overflow() async throws {
    let scratch = try Scratch()
    let stage = PlacesStage([scratch.path])
    let gate = Gate()
    let isFirst = Mutex(true)
    stage.world.observe { [reports = stage.reports] report in
      // Whoever listens is busy with the first report while the kernel's queue runs over.
      if isFirst.withLock({ first in
        defer { first = false }
        return first
      }) {
        gate.wait()
      }
      reports.add(report)
    }
    _ = try await stage.list()
    try scratch.file("first")
    // Each name makes two events, and few enough names to be reported one by one.
    for number in 0..<Self.queueLength * 5 / 8 {
      let again = try scratch.file("again-\(number % 40)")
      try scratch.check(again.withPlatformString { unlink($0) })
    }
    try scratch.file("~last")
    gate.open()
    var follower = Follower()
    var isReplaced = false
    while !isReplaced || !follower.names.contains("~last") {
      let report = await stage.reports.next()
      if case .changed(let changes) = report {
        for case .replaced in changes { isReplaced = true }
      }
      follower.take(report)
    }
    #expect(follower.names == ["first", "~last"])
  }

  @Test(
    "A folder the kernel can't watch is listed all the same, and that is said",
    .enabled(if: geteuid() == 0, "only root can become a person whose queues nobody else frees"))
  func noWatches() async {
    await #expect(processExitsWith: .success) {
      try #require(setuid(64_077) == 0)
      let scratch = try Scratch()
      try scratch.file("seen")
      // The kernel gives a person so many queues and no more.
      var taken = 0
      while taken < 100_000, inotify_init1(Int32(O_CLOEXEC)) >= 0 { taken += 1 }
      try #require(taken < 100_000)
      var limit = rlimit(rlim_cur: 4_096, rlim_max: 4_096)
      _ = getrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
      try #require(taken < Int(limit.rlim_cur) - 50, "descriptors ran out first")
      let stage = PlacesStage([scratch.path])
      #expect(try await stage.list().names == ["seen"])
      let name = stage.world.roots[0].name
      #expect(await stage.reports.next() == .problem(.notWatching(container: name)))
    }
  }

  @Test("Nothing runs any more once the world is closed, and closing twice is fine")
  func closing() async throws {
    let scratch = try Scratch()
    let stage = PlacesStage([scratch.path])
    _ = try await stage.list()
    stage.world.close()
    stage.world.close()
    let reports = stage.reports
    try scratch.file("unseen")
    // A new world sees it; the closed one has no thread left that could.
    let other = PlacesStage([scratch.path])
    #expect(try await other.list().names == ["unseen"])
    reports.add(.problem(.outputClosed))
    #expect(await reports.next() == .problem(.outputClosed))
  }
}
