import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragX11

extension TargetStage {
  func target() throws -> (program: DropTarget, window: WindowFacts) {
    let target = try DropTarget(on: desktop)
    return (target, try window(of: target.process))
  }
}

@Suite(
  "A drag into a real window, without a pointer", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil))
struct LiveDragTests {
  @Test("What a place says is told, and what is dropped there arrives")
  func wholeDrag() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.refusing) == .refuses(.notTaken))
    #expect(await drag.ask(window.id, at: window.taking) == .accepts(.copy))
    #expect(await drag.drop() == .accepts(.copy))
    #expect(try target.received() == "text/uri-list 19 copy 150 50")
    drag.end()
  }

  @Test(
    "The operation that is asked for is the only one offered",
    arguments: [
      DragOperation.copy, .move,
    ])
  func operations(operation: DragOperation) async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.taking, operation: .link) == .refuses(.notTaken))
    #expect(
      await drag.ask(window.id, at: window.taking, operation: operation) == .accepts(operation))
    _ = await drag.drop()
    #expect(try target.received().contains(" \(operation.rawValue) "))
  }

  @Test("Three megabytes arrive whole, in portions")
  func large() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let picture = [UInt8](repeating: 65, count: 3_000_000)
    let drag = try stage.drag([.init("image/png", bytes: picture)])
    _ = await drag.ask(window.id, at: window.taking)
    let taken = Mutex<[Int]>([])
    let end = await drag.drop(progress: { bytes, _ in taken.withLock { $0.append(bytes) } })
    #expect(end == .accepts(.copy))
    #expect(try target.received().hasPrefix("image/png 3000000 copy"))
    let parts = taken.withLock(\.self)
    #expect(parts.first == 0 && parts.last == 3_000_000 && parts == parts.sorted(), "\(parts)")
  }

  @Test("A hundred thousand links to files arrive whole in one drop")
  func manyLinks() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let links = (0..<100_000).map { "file:///home/person/Documents/file%20\($0).txt\r\n" }
    let bytes = Array(links.joined().utf8)
    let drag = try stage.drag([.init("text/uri-list", bytes: bytes)])
    _ = await drag.ask(window.id, at: window.taking)
    #expect(await drag.drop() == .accepts(.copy))
    #expect(try target.received().hasPrefix("text/uri-list \(bytes.count) copy"))
  }

  @Test("A form that can't be loaded fails the drop, and nothing hangs")
  func failingLoad() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag([.init("image/png") { nil }])
    _ = await drag.ask(window.id, at: window.taking)
    // GTK hands its program an empty selection and says that the drop failed.
    #expect(await drag.drop() == .failed(.programFailed))
    _ = target
  }

  @Test("Dropping where a place refuses sends nothing")
  func refused() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag()
    _ = await drag.ask(window.id, at: window.refusing)
    #expect(await drag.drop() == .refuses(.notTaken))
    #expect(await drag.drop() == .refuses(.notTaken))
    _ = await drag.ask(window.id, at: window.taking)
    #expect(await drag.drop() == .accepts(.copy))
    #expect(try target.received().hasPrefix("text/uri-list"))
  }

  @Test("A window that another one covers takes a drop all the same, by its number")
  func covered() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let cover = try stage.target()
    #expect(window.title == "Target" && window.rectangle.width == 300)
    let drag = try stage.drag()
    #expect(await drag.ask(window.id, at: window.taking) == .accepts(.copy))
    _ = await drag.drop()
    #expect(try target.received().hasPrefix("text/uri-list"))
    _ = cover
  }

  @Test("A stopped program is told of as silent, and answers when it wakes")
  func stopped() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag(timing: .init())
    target.process.signal(SIGSTOP)
    #expect(await drag.ask(window.id, at: window.taking) == .silent)
    target.process.signal(SIGCONT)
    while await drag.ask(window.id, at: window.taking) != .accepts(.copy) {}
  }

  @Test("A newer question ends the one before; during a drop nothing else is asked or dropped")
  func oneAtATime() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag()
    target.process.signal(SIGSTOP)
    let first = Task.immediate { await drag.ask(window.id, at: window.taking) }
    let second = Task.immediate { await drag.ask(window.id, at: window.taking) }
    #expect(await first.value == .silent)
    let drop = Task.immediate { await drag.drop() }
    #expect(await second.value == .silent)
    #expect(await drag.ask(window.id, at: window.taking) == .silent)
    #expect(await drag.drop() == .failed(.programFailed))
    target.process.signal(SIGCONT)
    #expect(await drop.value == .accepts(.copy))
    #expect(try target.received().hasPrefix("text/uri-list"))
    #expect(await drag.ask(window.id, at: window.taking) == .accepts(.copy))
  }

  @Test("A program that ends while it is asked is gone")
  func gone() async throws {
    let stage = try TargetStage()
    let (target, window) = try stage.target()
    let drag = try stage.drag()
    target.process.signal(SIGSTOP)
    let asked = Task.immediate { await drag.ask(window.id, at: window.taking) }
    // Its question is on its way before that.
    _ = await drag.giveUp()
    target.process.end()
    #expect(await asked.value == .refuses(.gone))
  }

  @Test("A drag that another one has ended is lost: nothing more can be asked by it")
  func supersededIsLost() async throws {
    let stage = try TargetStage()
    let first = try stage.drag()
    #expect(!first.isLost)
    let second = try stage.drag()
    // The news is on its way.
    while await first.ask(WindowID(0x7FFF_FFFF), at: ScreenPoint(x: 5, y: 5))
      != .refuses(.interrupted)
    {}
    #expect(first.isLost)
    #expect(!second.isLost)
  }
}
