import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

/// A drag, and what it tells, one after the other.
private final class Drag {
  let source: XdndSource
  private var events: AsyncStream<XdndSource.Event>.Iterator
  private var asked = (place: XdndSource.Target.screen, point: (x: 0, y: 0), DragOperation.copy)

  init(
    on desktop: PrivateDesktop, forms: [DragForm] = [Drag.link],
    timing: XdndHandshake.Timing = .init()
  ) throws {
    let (stream, tell) = AsyncStream.makeStream(of: XdndSource.Event.self)
    source = try XdndSource(
      display: desktop.environment["DISPLAY"], forms: forms, timing: timing
    ) { tell.yield($0) }
    events = stream.makeAsyncIterator()
  }

  static let link = DragForm("text/uri-list", bytes: Array("file:///tmp/a.txt\r\n".utf8))

  func hover(
    _ at: (x: Int, y: Int) = DropTarget.taking, _ place: XdndSource.Target = .screen,
    _ operation: DragOperation = .copy
  ) async -> XdndSource.Event? {
    asked = (place, at, operation)
    source.hover(place, at: RootPoint(x: at.x, y: at.y), operation: operation)
    return await next()
  }

  /// Drops where it was asked last; gives what is told of it, and how many bytes were taken by then each time.
  func drop(_ taken: (Int) -> Void = { _ in }) async -> XdndSource.Event? {
    source.drop(
      asked.place, at: RootPoint(x: asked.point.x, y: asked.point.y), operation: asked.2,
      isThere: { true })
    while let event = await next() {
      guard case .taken(let bytes, _) = event else { return event }
      taken(bytes)
    }
    return nil
  }

  func next() async -> XdndSource.Event? { await events.next() }
}

@Suite(
  "A drag into a real window, without a pointer", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct LiveDragTests {
  @Test("What a place says is told, and what is dropped there arrives")
  func wholeDrag() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let drag = try Drag(on: desktop)
    #expect(await drag.hover(DropTarget.refusing) == .verdict(.refuses))
    #expect(await drag.hover((700, 700)) == .verdict(.noTarget))
    #expect(await drag.hover() == .verdict(.accepts(.copy)))
    #expect(await drag.drop() == .ended(.delivered(.copy)))
    #expect(try target.received() == "text/uri-list 19 copy 100 40")
    drag.source.end()
  }

  @Test(
    "The operation that is asked for is the only one offered",
    arguments: [
      DragOperation.copy, .move,
    ])
  func operations(operation: DragOperation) async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let drag = try Drag(on: desktop)
    #expect(await drag.hover(DropTarget.taking, .screen, .link) == .verdict(.refuses))
    #expect(
      await drag.hover(DropTarget.taking, .screen, operation) == .verdict(.accepts(operation)))
    _ = await drag.drop()
    #expect(try target.received().contains(" \(operation.rawValue) "))
  }

  @Test("Three megabytes arrive whole, in portions")
  func large() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let picture = [UInt8](repeating: 65, count: 3_000_000)
    let drag = try Drag(on: desktop, forms: [.init("image/png", bytes: picture)])
    _ = await drag.hover()
    var taken: [Int] = []
    #expect(await drag.drop { taken.append($0) } == .ended(.delivered(.copy)))
    #expect(try target.received().hasPrefix("image/png 3000000 copy"))
    #expect(taken.first == 0 && taken.last == 3_000_000 && taken == taken.sorted(), "\(taken)")
  }

  @Test("A hundred thousand links to files arrive whole in one drop")
  func manyLinks() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let links = (0..<100_000).map { "file:///home/person/Documents/file%20\($0).txt\r\n" }
    let bytes = Array(links.joined().utf8)
    let drag = try Drag(on: desktop, forms: [.init("text/uri-list", bytes: bytes)])
    _ = await drag.hover()
    #expect(await drag.drop() == .ended(.delivered(.copy)))
    #expect(try target.received().hasPrefix("text/uri-list \(bytes.count) copy"))
  }

  @Test("A form that can't be loaded fails the drop, and nothing hangs")
  func failingLoad() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let drag = try Drag(on: desktop, forms: [.init("image/png") { nil }])
    _ = await drag.hover()
    // GTK hands its program an empty selection and says that the drop failed.
    #expect(await drag.drop() == .ended(.failed))
    _ = target
  }

  @Test("Dropping where a place refuses sends nothing")
  func refused() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let drag = try Drag(on: desktop)
    _ = await drag.hover(DropTarget.refusing)
    #expect(await drag.drop() == .ended(.refused(.notTaken)))
    #expect(await drag.drop() == .ended(.refused(.notTaken)))
    _ = await drag.hover()
    #expect(await drag.drop() == .ended(.delivered(.copy)))
    #expect(try target.received().hasPrefix("text/uri-list"))
  }

  @Test("A window that another one covers takes a drop all the same, by its number")
  func covered() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let cover = try DropTarget(on: desktop)
    let windows = try DesktopWindows(display: desktop.environment["DISPLAY"]).all()
    let mine = try #require(windows.first { $0.processID == target.process.id })
    #expect(mine.title == "Target" && mine.rectangle.width == 300)
    let drag = try Drag(on: desktop)
    #expect(
      await drag.hover(DropTarget.taking, .window(XWindow(rawValue: mine.id.rawValue)))
        == .verdict(.accepts(.copy)))
    _ = await drag.drop()
    #expect(try target.received().hasPrefix("text/uri-list"))
    _ = cover
  }

  @Test("A stopped program is told of as silent, and answers when it wakes")
  func stopped() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let drag = try Drag(on: desktop)
    target.process.signal(SIGSTOP)
    #expect(await drag.hover() == .verdict(.silent))
    target.process.signal(SIGCONT)
    #expect(await drag.next() == .verdict(.accepts(.copy)))
  }

  @Test("A drop that a stopped program does not answer is unknown, and told when it lands")
  func lateLanding() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    var timing = XdndHandshake.Timing()
    timing.patience = 400
    // It stops when it has asked for the data, which is after the drop.
    let process = target.process.id
    let link = DragForm("text/uri-list") {
      kill(process, SIGSTOP)
      return Array("file:///tmp/a.txt\r\n".utf8)
    }
    let drag = try Drag(on: desktop, forms: [link], timing: timing)
    #expect(await drag.hover() == .verdict(.accepts(.copy)))
    #expect(await drag.drop() == .ended(.unknown))
    drag.source.end()
    target.process.signal(SIGCONT)
    #expect(await drag.next() == .ended(.delivered(.copy)))
    #expect(try target.received().hasPrefix("text/uri-list"))
    #expect(await drag.next() == .closed)
  }

  @Test("A program that ends while it is asked is gone")
  func gone() async throws {
    let desktop = try PrivateDesktop()
    let target = try DropTarget(on: desktop)
    let drag = try Drag(on: desktop)
    _ = await drag.hover()
    target.process.end()
    #expect(await drag.next() == .verdict(.gone))
  }

  @Test("A second drag on the display ends the first one")
  func superseded() async throws {
    let desktop = try PrivateDesktop()
    let first = try Drag(on: desktop)
    let second = try Drag(on: desktop)
    #expect(await first.next() == .superseded)
    #expect(await second.hover((5, 5)) == .verdict(.noTarget))
  }

  @Test("A drag that another one has ended is lost: nothing more can be asked by it")
  func supersededIsLost() async throws {
    let desktop = try PrivateDesktop()
    let maker = XDragFactory(display: desktop.environment["DISPLAY"])
    let first = try maker.begin([])
    #expect(!first.isLost)
    let second = try maker.begin([])
    // The news is on its way.
    while await first.ask(WindowID(0x7FFF_FFFF), at: ScreenPoint(x: 5, y: 5)) != .over {}
    #expect(first.isLost)
    #expect(!second.isLost)
  }

  @Test("Without a display there is an error that names it")
  func noDisplay() {
    #expect(throws: XError.unreachable(display: ":4711")) {
      _ = try XdndSource(display: ":4711", forms: [], handler: { _ in })
    }
  }
}
