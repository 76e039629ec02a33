import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragTypes
import KeyDragX11
import PrivateDesktop
import ToldDesktop

@testable import KeyDragDesktop

/// A private desktop with one program, and the world that reaches it.
final class DesktopStage {
  let desktop: PrivateDesktop
  let display: any Display
  let world: DesktopWorld
  private var lastRequest = 0

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// Why it can't be had here; `nil` when it can.
  static var obstacle: String? {
    if let obstacle = PrivateDesktop.obstacle { return obstacle }
    let isThere = ["x86_64", "aarch64"].contains {
      access("/usr/lib/\($0)-linux-gnu/girepository-1.0/Gtk-3.0.typelib", R_OK) == 0
    }
    return isThere ? nil : "needs GTK for Python: apt-get install python3-gi gir1.2-gtk-3.0"
  }

  /// - Parameters:
  ///   - timing: how long programs are waited for.
  ///   - goods: what is offered to them.
  ///   - other: another display beside the desktop's own.
  init(
    profiles: [ProgramProfile] = [], timing: XdndHandshake.Timing = .init(),
    goods: any DragPayload = LinkGoods(), beside other: PrivateDesktop? = nil
  ) throws {
    desktop = try PrivateDesktop()
    try desktop.startAccessibility()
    display = try XDisplay(desktop.environment["DISPLAY"] ?? "", timing: timing)
    let others = try [other?.environment["DISPLAY"]].compactMap { name in
      try name.map { try XDisplay($0, timing: timing) }
    }
    let reader = ProgramReader(environment: desktop.environment)
    var parts = DesktopAdapters(
      sources: EmptyWorld(), goods: goods, programs: reader,
      displays: [display] + others,
      profiles: profiles, types: SystemContentTypes(), phrases: Phrasebook(),
      ownProcess: getpid(),
      clock: ContinuousClock())
    parts.commands = reader
    world = DesktopWorld(parts)
    world.observe { _ in }
  }

  deinit { world.close() }

  /// Starts a program of Python, and gives its first window as soon as its elements are known.
  func start(
    _ program: String, title: String, on other: PrivateDesktop? = nil
  ) async throws -> Listing {
    let process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", program],
      adding: Self.display(of: other).merging(["GDK_BACKEND": "x11"]) { $1 })
    _ = try process.line()
    programs.append(process)
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      guard let window = try await world.look().first(where: { $0.name == title }),
        case .success(let listing) = await world.places(of: window.id),
        (listing.dropPoints?.count ?? 0) > 1
      else { continue }
      return listing
    }
    throw Missing(description: "no such window: \(title)\n\(desktop.complaints)")
  }

  /// In the order in which they were started.
  private(set) var programs: [KeptProcess] = []

  /// What the program says next.
  func line() throws -> String {
    guard let program = programs.last else { throw Missing(description: "no program") }
    return try program.line()
  }

  /// The program that was started last.
  var program: KeptProcess {
    get throws {
      guard let last = programs.last else { throw Missing(description: "no program") }
      return last
    }
  }

  /// The next line that it writes.
  func said() throws -> String { try program.line() }

  private static func display(of other: PrivateDesktop?) -> [String: String] {
    other.map { ["DISPLAY": $0.environment["DISPLAY"] ?? ""] } ?? [:]
  }

  /// Runs xdotool to its end.
  func type(_ words: String..., on other: PrivateDesktop? = nil) throws {
    let tool = try desktop.start(["/usr/bin/xdotool"] + words, adding: Self.display(of: other))
    while (try? tool.line()) != nil {}
  }

  /// Gives a window the keyboard and picks up what is in focus there.
  func pickUp(_ title: String, on other: PrivateDesktop? = nil) async throws -> DragItem {
    try type("search", "--sync", "--name", "^\(title)$", "windowfocus", "--sync", on: other)
    let deadline = ContinuousClock.now + .seconds(60)
    var last = ""
    while ContinuousClock.now < deadline {
      let report = await request(.focus)
      last = "\(report)"
      guard case .focused(_, let focus) = report,
        case .prepared(_, let prepared) = await request(
          .prepare((focus.listing.sources ?? []).map(\.id))),
        let item = prepared.items.first
      else { continue }
      return item
    }
    throw Missing(description: "\(last)\n\(desktop.complaints)")
  }

  func point(_ name: String, in listing: Listing) throws -> DropPointDescriptor {
    let points = listing.dropPoints ?? []
    guard let point = points.first(where: { $0.name.hasPrefix(name) }) else {
      throw Missing(description: "no \(name) among \(points.map(\.name))")
    }
    return point
  }

  static let item = DragItem(
    source: DragSourceID(7), name: "a.txt", kind: .file, types: ["text/plain"],
    typeName: "text", container: ContainerID(1), tree: nil, byteCount: 1)

  func verdict(at point: DropPointDescriptor) async -> DropProposal {
    let stop = DropStop(point.id)
    return await world.verdict(
      at: stop, for: ProposalRequest(items: [Self.item], wish: .copy, stops: [stop]))
  }

  func verdict(
    at stop: DropStop, of item: DragItem, wish: DragOperation?
  ) async -> DropProposal {
    await world.verdict(at: stop, for: ProposalRequest(items: [item], wish: wish, stops: [stop]))
  }

  /// The one answer to a request.
  func request(_ request: WorldRequest) async -> WorldReport {
    lastRequest += 1
    let id = RequestID(lastRequest)
    return await answer { world.perform(request, id: id, reply: $0) }
  }

  func deliver(to point: DropPointDescriptor) async throws -> DeliveryResult {
    try await deliver(Self.item, to: DropStop(point.id), .copy)
  }

  func deliver(
    _ item: DragItem, to stop: DropStop, _ operation: DragOperation
  ) async throws -> DeliveryResult {
    for await result in results(of: DeliveryOrder(items: [item], stop: stop, operation: operation))
    {
      return result
    }
    throw Missing(description: "it never finished")
  }

  /// Drops there; gives each end that is told of it.
  func results(at point: DropPointDescriptor) -> AsyncStream<DeliveryResult> {
    results(of: DeliveryOrder(items: [Self.item], stop: DropStop(point.id), operation: .copy))
  }

  private func results(of order: DeliveryOrder) -> AsyncStream<DeliveryResult> {
    let (results, tell) = AsyncStream.makeStream(of: DeliveryResult.self)
    deliver(order) { if case .finished(let result) = $0 { tell.yield(result) } }
    return results
  }

  /// Drops there; gives all that is told of it.
  func events(
    at point: DropPointDescriptor, of id: DeliveryID = DeliveryID(1)
  ) -> AsyncStream<DeliveryEvent> {
    let (events, tell) = AsyncStream.makeStream(of: DeliveryEvent.self)
    deliver(
      DeliveryOrder(items: [Self.item], stop: DropStop(point.id), operation: .copy), id
    ) { tell.yield($0) }
    return events
  }

  private func deliver(
    _ order: DeliveryOrder, _ id: DeliveryID = DeliveryID(1),
    _ tell: @escaping DeliveryReceiver
  ) {
    world.deliver(id, order, from: nil, told: tell)
  }
}

/// A link to a file that no folder on a disk tells anything of.
final class LinkGoods: DragPayload {
  private let onLoad: @Sendable () -> Void

  /// - Parameter onLoad: called before a program gets any of it.
  init(onLoad: @escaping @Sendable () -> Void = {}) { self.onLoad = onLoad }

  func forms(of items: [DragItem]) -> [DragForm] {
    let link = Array("file:///tmp/a.txt".utf8)
    return [
      form("text/uri-list", link + [13, 10]), form("text/plain;charset=utf-8", link),
      form("UTF8_STRING", link),
    ]
  }

  private func form(_ type: String, _ bytes: [UInt8]) -> DragForm {
    DragForm(type) { [onLoad] in
      onLoad()
      return bytes
    }
  }

  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
    alive: @escaping @Sendable () -> Void
  ) async -> (any DropVerifier)? { nil }
}
