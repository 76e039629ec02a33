import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragTypes
import RealPrograms
import SystemPackage
import Testing

@testable import KeyDragDesktop

/// A card that is still being made.
private final class SlowApp: ItemLoading {
  let (opened, tell) = AsyncStream.makeStream(of: Void.self)
  let item = DragItem(
    source: DragSourceID(1), name: "Ada", kind: .object, types: ["text/vcard"], typeName: "",
    container: ContainerID(1), tree: nil)

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    tell.finish()
    try await Task.sleep(for: .seconds(86_400))
    throw Reason.gone
  }
}

@Suite(
  "The end of the windows beside an app", .realPrograms(by: .suite), .timeLimit(.minutes(5)),
  .enabled(if: DesktopStage.obstacle == nil))
struct WindowsEndTests {
  @Test("A drop that is on its way is given up, and the files made for it are gone")
  func closes() async throws {
    var template = Array("/tmp/keydrag-end-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { FilePath(platformString: $0) })
    defer { _ = folder.withPlatformString { rmdir($0) } }
    let stage = try DesktopStage()
    let goods = ItemPayload(
      types: SystemContentTypes(), courier: JournaledCourier(), folder: folder,
      clock: ContinuousClock())
    let windows = WindowsWorld { [world = stage.world] in
      WindowsWorld.Parts(desktop: world, goods: goods)
    }
    _ = await windows.windows()
    let app = SlowApp()
    // As a file manager does it: it wants to know where the file will be.
    let items = goods.hold([app.item], from: app)
    let list = try #require(
      goods.forms(of: items).first { $0.contentType == "text/uri-list" })
    #expect(await list.load() != nil)
    let order = DeliveryOrder(
      items: [app.item], stop: DropStop(DropPointID(1)), operation: .copy)
    let (results, tell) = AsyncStream.makeStream(of: DeliveryResult.self)
    windows.deliver(DeliveryID(1), order, from: app) { event in
      if case .finished(let result) = event { tell.yield(result) }
    }
    for await _ in app.opened {}
    windows.close()
    var ends = results.makeAsyncIterator()
    #expect(await ends.next()?.outcome == .cancelled)
    // Fails unless it is empty.
    #expect(folder.withPlatformString { rmdir($0) } == 0)
  }
}
