import KeyDragCore
import SystemPackage

/// A drop of files to be carried out: what, where to, and what a clash of names means.
package struct FileOrder: Sendable {
  /// `.copy`, `.move`, `.link` or `.remove`; `.open` is refused.
  package var operation: DragOperation
  /// In the order they were picked up.
  package var sources: [FilePath]
  /// The folder that takes them; unused for `.remove`.
  package var target: FilePath
  package var clash: ClashPolicy
  /// The target's name, safe to speak, as the history will say it.
  package var placeName: String
  /// The name that the one source gets at the target; `nil` for its own.
  var newName: FileName?
  /// Whether the one source is a folder that is to be made in the target.
  var makesFolder = false
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

  /// Whether it got a name that differs from the wished one.
  package var isRenamed: Bool { source.name != path.name }
}

/// How an order ended, in full.
package struct FileDeliveryResult: Hashable, Sendable {
  package var outcome: DeliveryOutcome
  package var failures: [FileFailure] = []
  /// The parts of folders that arrived which stayed where they are.
  package var leftOut: [FileFailure] = []
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
  package var bytes: Int64 = 0
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
package enum FileDeliveryEvent: Hashable, Sendable {
  /// Measured and begun; bytes are of file contents that have to be copied.
  case started(items: Int, bytes: Int64)
  case progressed(DeliveryProgress)
  case finished(FileDeliveryResult)
}

extension FilePath {
  /// The last component, safe to show and to speak.
  package var spokenName: String {
    guard let name else { return SpokenName.clean(string) }
    return SpokenName.clean(name.bytes)
  }
}
