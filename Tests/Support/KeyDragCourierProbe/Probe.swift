import Glibc
import KeyDragCore
import KeyDragFiles
import Synchronization
import SystemPackage

/// Carries out one order and ends: `KeyDragCourierProbe OPERATION STATE TRASH TARGET SOURCE…`.
///
/// STATE is the journal's folder. `--clash POLICY` may follow. The exit status is 0 when everything was delivered.
@main
enum Probe {
  static func main() {
    var words = CommandLine.arguments.dropFirst()
    var clash = ClashPolicy.keepBoth
    if let option = words.firstIndex(of: "--clash"), option + 1 < words.endIndex {
      clash = ClashPolicy(rawValue: words[option + 1]) ?? clash
      words = words[..<option]
    }
    guard words.count > 4, let first = words.first, let operation = DragOperation(rawValue: first)
    else { exit(64) }
    let paths = words.dropFirst().map { FilePath($0) }
    let courier = JournaledCourier(folder: paths[0], trash: TrashCan(home: paths[1]))
    let order = FileOrder(
      operation: operation, sources: Array(paths.dropFirst(3)), target: paths[2],
      clash: clash, placeName: "target")
    let isDelivered = Atomic(false)
    courier.deliver(order, id: DeliveryID(1)) { event, _ in
      guard case .finished(let result) = event else { return }
      isDelivered.store(result.outcome == .delivered, ordering: .relaxed)
    }
    courier.finish()
    exit(isDelivered.load(ordering: .relaxed) ? 0 : 1)
  }
}
