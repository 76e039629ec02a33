import Glibc
import KeyDragAccessibility
import KeyDragConfiguration
import KeyDragCore
import KeyDragDesktop
import KeyDragTypes
import KeyDragX11
import PrivateDesktop
import ToldDesktop

/// A private desktop on which real programs are read and dragged to.
final class DesktopFloor {
  let desktop: PrivateDesktop
  private let manager: KeptProcess

  init() throws {
    let missing = ["openbox", "thunar"].filter { access("/usr/bin/" + $0, X_OK) != 0 }
    if let obstacle = PrivateDesktop.obstacle { throw BenchmarkError(obstacle) }
    guard missing.isEmpty else {
      throw BenchmarkError("needs them: apt-get install \(missing.joined(separator: " "))")
    }
    desktop = try PrivateDesktop()
    // It runs what it is told to once it manages windows.
    manager = try desktop.start(["/usr/bin/openbox", "--startup", "/bin/echo ready"])
    while try manager.line(within: 20) != "ready" {}
  }

  deinit { manager.end() }

  /// Starts a window of Python, and returns when it says that it is there.
  func start(_ source: String, _ arguments: String...) throws -> KeptProcess {
    let process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", source] + arguments,
      adding: ["GDK_BACKEND": "x11", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"])
    while try process.line(within: 60) != "ready" {}
    return process
  }

  /// Starts a program that is told what to do line by line.
  func helper(_ source: String, _ arguments: String...) throws -> Child {
    try Child(
      ["/usr/bin/python3", "-u", "-c", source] + arguments, input: true, output: true,
      environment: desktop.environment)
  }

  func reader() -> ProgramReader { ProgramReader(environment: desktop.environment) }

  /// Programs as an agent that has just begun finds them.
  func world() throws -> DesktopWorld {
    DesktopWorld(
      .init(
        sources: EmptyWorld(), goods: NoteGoods(),
        programs: reader(),
        displays: [try XDisplay(desktop.environment["DISPLAY"] ?? "")],
        profiles: ProfileFile.load(environment: desktop.environment).profiles,
        types: SystemContentTypes(), phrases: Phrasebook(), ownProcess: getpid(),
        clock: ContinuousClock()))
  }

  /// A window by how its name begins, once it is there and has places; with them.
  func window(
    _ name: String, of world: DesktopWorld, having point: String? = nil
  ) async throws -> Listing {
    let deadline = Clock.now + 30
    while Clock.now < deadline {
      guard let window = try await world.look().first(where: { $0.name.hasPrefix(name) }),
        case .success(let listing) = await world.places(of: window.id),
        let points = listing.dropPoints,
        point.map({ wanted in points.contains { $0.name.hasPrefix(wanted) } }) ?? (points.count > 1)
      else { continue }
      return listing
    }
    throw BenchmarkError("no window \(name): \(desktop.complaints)")
  }

  /// What the display server calls a window.
  func windowID(_ title: String) async throws -> UInt32 {
    let display = try XDisplay(desktop.environment["DISPLAY"] ?? "")
    guard let window = await [display as any Display].windows()?.first(where: { $0.title == title })
    else {
      throw BenchmarkError("no window \(title) on the display")
    }
    return window.id.rawValue
  }

  func point(_ name: String, in listing: Listing) throws -> DropPointDescriptor {
    let points = listing.dropPoints ?? []
    guard let point = points.first(where: { $0.name.hasPrefix(name) }) else {
      throw BenchmarkError("no \(name) among \(points.map(\.name))")
    }
    return point
  }

  /// Starts the agent; returns when it is ready.
  func agent() throws -> Child {
    let agent = try Child(
      [try Program.path(), "desktop", "--transcript", "-", "--speech", "off"], output: true,
      environment: desktop.environment)
    try agent.wait(for: #""id":"agent-ready""#)
    return agent
  }
}

/// A text that every program with a field takes.
final class NoteGoods: DragPayload {
  static let item = DragItem(
    source: DragSourceID(7), name: "note", kind: .object, types: ["text/plain"], typeName: "text",
    container: ContainerID(1), tree: nil, byteCount: 4)

  static let forms = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"].map {
    DragForm($0, bytes: Array("note".utf8))
  }

  func forms(of items: [DragItem]) -> [DragForm] { Self.forms }

  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)? { nil }
}
