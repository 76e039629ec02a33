import KeyDragCore
import SystemPackage

/// A drop of files to be delivered, journaled as one entry.
package struct FileOrder: Sendable {
  /// `.copy`, `.move`, `.link` or `.remove`; `.open` is rejected.
  package var operation: DragOperation
  /// In pick-up order.
  package var sources: [FilePath]
  /// The target folder; unused for `.remove`.
  package var target: FilePath
  /// Applies to all clashes of the order.
  package var clash: ClashPolicy
  /// The target's name as the history speaks it; stored as text.
  package var placeName: String
  /// New name for a single source; `nil` keeps its own.
  var newName: FileName?
  /// Whether the single source is a folder to create in the target, named by its last component.
  var makesFolder = false
  /// Sources that another program passes as descriptors, by index; their paths are invalid.
  var handed: [Int: PassedFile] = [:]
  /// Program that the drop comes from, safe to speak; `nil` for this one.
  var visitor: String?
  /// State at pick-up, if known; other files under those names are rejected.
  var held: [FilePath: PlaceRegistry.PickedUp] = [:]
  /// A folder to create in the target for the sources; `nil` for the target itself.
  var newFolder: FileName?
  /// Whether the user asked for removal without a trash.
  package var permanently: Bool

  package init(
    operation: DragOperation, sources: [FilePath], target: FilePath, clash: ClashPolicy = .keepBoth,
    placeName: String, permanently: Bool = false
  ) {
    self.operation = operation
    self.sources = sources
    self.target = target
    self.clash = clash
    self.placeName = placeName
    self.permanently = permanently
  }
}

/// Receives the events of a delivery of files, in order, on its thread; `finished` comes last and
/// once. `landed` has the final paths, in pick-up order, when it has finished; the result has no
/// landings.
package typealias FileDeliveryReceiver =
  @Sendable (_ event: DeliveryEvent, _ landed: [FilePath]) -> Void

extension DeliveryFailure {
  /// An item that was not delivered, or a part of a folder, by its own path.
  init(_ path: FilePath, _ reason: Reason) { self.init(name: path.spokenName, reason: reason) }
}

extension FilePath {
  /// The last component, safe to display and speak.
  package var spokenName: String {
    guard let name else { return SpokenName.file(string) }
    return SpokenName.file(name.bytes)
  }
}
