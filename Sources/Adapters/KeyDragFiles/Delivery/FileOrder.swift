import KeyDragCore
import SystemPackage

/// A drop of files to be carried out: what, where to, and what a clash of names means.
///
/// Given to ``FileCourier/deliver(_:id:events:)``, which makes one entry of the journal of it.
package struct FileOrder: Sendable {
  /// `.copy`, `.move`, `.link` or `.remove`; `.open` is refused.
  package var operation: DragOperation
  /// In the order they were picked up.
  package var sources: [FilePath]
  /// The folder that takes them; unused for `.remove`.
  package var target: FilePath
  /// The person's answer for names that exist at the target; it holds for the whole order.
  package var clash: ClashPolicy
  /// The target's name, safe to speak, as the history will say it. Kept in the journal as text.
  package var placeName: String
  /// The name that the one source gets at the target; `nil` for its own.
  var newName: FileName?
  /// Whether the one source is a folder that is to be made in the target.
  ///
  /// Its name is the source's last component.
  var makesFolder = false
  /// Those of the sources, by index, that another program hands over; their paths lead nowhere.
  var handed: [Int: HandedFile] = [:]
  /// The program that drops them here, safe to speak; `nil` for this one.
  var visitor: String?
  /// The things picked up under the sources, as far as they are known.
  var held: [FilePath: PlaceRegistry.PickedUp] = [:]
  /// The folder that is made in the target and takes the sources; `nil` for the target itself.
  var newFolder: FileName?
  /// Set when the person asked for removal without a trash.
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

/// One item of an order that was not delivered.
///
/// Also used for parts of folders, and then the source is the part's path.
package struct FileFailure: Hashable, Sendable {
  package var source: FilePath
  package var reason: Reason

  package init(source: FilePath, reason: Reason) {
    self.source = source
    self.reason = reason
  }

  /// The same with the item's name, safe to speak, instead of its path.
  package var spoken: DeliveryFailure {
    DeliveryFailure(name: source.spokenName, reason: reason)
  }
}

/// The present path of one item of an order.
package struct FileLanding: Hashable, Sendable {
  package var source: FilePath
  package var path: FilePath

  package init(source: FilePath, path: FilePath) {
    self.source = source
    self.path = path
  }

  /// Whether it got a name that differs from the wished one. By comparing names: a wished new name
  /// of the order counts as a rename too.
  package var isRenamed: Bool { !source.hasName(of: path) }
}

/// How an order ended, in full.
package struct FileDeliveryResult: Hashable, Sendable {
  /// Refused means that nothing was tried, failed that nothing arrived.
  package var outcome: DeliveryOutcome
  /// By the order's sequence; whole items only.
  package var failures: [FileFailure] = []
  /// The parts of folders that arrived which stayed where they are.
  package var leftOut: [FileFailure] = []
  /// How many files and links in folders, and beside them, have gone where others were left out.
  package var others = 0
  /// In the order they were picked up; empty for what was deleted for good.
  package var landed: [FileLanding] = []
  /// Paths of things that got other names inside folders that became one with others.
  package var renamedInside: [FilePath] = []
  /// The items that came in the place of something that went to the trash.
  package var replacing: [FilePath] = []
  /// How many items arrived whole.
  package var delivered = 0
  /// The same, with what is inside folders that became one with others counted by itself.
  package var pieces = 0
  /// Bytes of contents that arrived, those of renamed files included, which were not copied.
  package var bytes: Int64 = 0
  /// Bytes found by measuring before the first step; what could not be read is missing from it.
  package var totalBytes: Int64 = 0
  /// Whether everything that landed was looked at again at the target: length always, contents
  /// where the source was removed after a copy.
  package var verified = false
  /// Names of attributes that the target could not keep, each once, safe to speak.
  package var lostAttributes: [String] = []
  /// The journal's number for it; `nil` when it could not be written down.
  package var entry: Int64?

  package init(outcome: DeliveryOutcome) { self.outcome = outcome }

  /// New names given to keep both, safe to speak.
  package var renamed: [String] {
    landed.filter(\.isRenamed).map(\.path.spokenName) + renamedInside.map(\.spokenName)
  }
}

/// A report of a running order.
///
/// Comes on the thread of the delivery.
package enum FileDeliveryEvent: Hashable, Sendable {
  /// Measured and begun; bytes are of file contents that have to be copied.
  case started(items: Int, bytes: Int64)
  /// At most ten times a second.
  case progressed(DeliveryProgress)
  /// Last, and once.
  case finished(FileDeliveryResult)
}

extension FilePath {
  /// The last component, safe to show and to speak.
  package var spokenName: String {
    guard let name else { return SpokenName.file(string) }
    return SpokenName.file(name.bytes)
  }
}
