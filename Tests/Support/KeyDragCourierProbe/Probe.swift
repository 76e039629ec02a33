import Glibc
import KeyDragCore
import KeyDragFiles
import Synchronization
import SystemPackage

/// Carries out one order and ends: `KeyDragCourierProbe OPERATION STATE TRASH TARGET SOURCE…`.
///
/// STATE is the journal's folder. The exit status is 0 when everything was delivered.
@main
enum Probe {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    guard words.count > 4, let first = words.first, let operation = DragOperation(rawValue: first)
    else { exit(64) }
    let paths = words.dropFirst().map { FilePath($0) }
    let courier = FileCourier(
      journal: Journal(folder: paths[0]), trash: TrashCan(home: paths[1]))
    let order = FileOrder(
      operation: operation, sources: Array(paths.dropFirst(3)), target: paths[2],
      placeName: "target")
    let isDelivered = Atomic(false)
    courier.deliver(order, id: DeliveryID(1)) { event in
      guard case .finished(let result) = event else { return }
      isDelivered.store(result.outcome == .delivered, ordering: .relaxed)
    }
    courier.close()
    exit(isDelivered.load(ordering: .relaxed) ? 0 : 1)
  }
}
