import KeyDragCore
import SystemPackage

/// A drop of files to be delivered. ``FileCourier/deliver(_:id:events:)`` journals it as one entry.
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
  /// State at pick-up, if known.
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

/// An item that was not delivered, or a part of a folder, by its own path.
package struct FileFailure: Hashable, Sendable {
  package var source: FilePath
  package var reason: Reason

  package init(source: FilePath, reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// With a speakable name instead of the path.
  package var spoken: DeliveryFailure {
    DeliveryFailure(name: source.spokenName, reason: reason)
  }
}

package struct FileLanding: Hashable, Sendable {
  package var source: FilePath
  package var path: FilePath

  package init(source: FilePath, path: FilePath) {
    self.source = source
    self.path = path
  }

  /// Compares names, so that a requested new name counts as a rename too.
  package var isRenamed: Bool { !source.hasName(of: path) }
}

package struct FileDeliveryResult: Hashable, Sendable {
  /// `refused` if nothing was tried, `failed` if nothing arrived.
  package var outcome: DeliveryOutcome
  /// In order; whole items only.
  package var failures: [FileFailure] = []
  /// Entries that were skipped inside delivered folders.
  package var leftOut: [FileFailure] = []
  /// Number of files and links delivered where others were skipped.
  package var others = 0
  /// In pick-up order; empty for permanent removal.
  package var landed: [FileLanding] = []
  /// Paths renamed inside merged folders.
  package var renamedInside: [FilePath] = []
  /// Items that replaced something, which went to the trash.
  package var replacing: [FilePath] = []
  /// Number of items that arrived completely.
  package var delivered = 0
  /// As ``delivered``, but counts the contents of merged folders individually.
  package var pieces = 0
  /// Bytes that arrived, including files that were renamed instead of copied.
  package var bytes: Int64 = 0
  /// Bytes measured before the first step, without unreadable files.
  package var totalBytes: Int64 = 0
  /// Whether everything was checked at the target: always by length, and by contents if the source
  /// was removed after a copy.
  package var verified = false
  /// Links that lead nowhere where they arrived, safe to speak.
  package var leadNowhere: [String] = []
  /// Attributes that the target could not keep, without duplicates, safe to speak.
  package var lostAttributes: [String] = []
  /// The journal entry's number; `nil` if it could not be written.
  package var entry: Int64?

  package init(outcome: DeliveryOutcome) { self.outcome = outcome }

  /// Names given to keep both, safe to speak.
  package var renamed: [String] {
    landed.filter(\.isRenamed).map(\.path.spokenName) + renamedInside.map(\.spokenName)
  }
}

/// Sent on the delivery's thread.
package enum FileDeliveryEvent: Hashable, Sendable {
  /// After measuring; bytes of contents that have to be copied.
  case started(items: Int, bytes: Int64)
  /// At most ten times a second.
  case progressed(DeliveryProgress)
  /// Last, and once.
  case finished(FileDeliveryResult)
}

extension FilePath {
  /// The last component, safe to display and speak.
  package var spokenName: String {
    guard let name else { return SpokenName.file(string) }
    return SpokenName.file(name.bytes)
  }
}
