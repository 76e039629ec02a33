/// An operation that a drop carries out.
public enum DragOperation: String, Hashable, Sendable, CaseIterable {
  /// Leaves the original and makes another one at the destination.
  case copy
  /// Puts the original at the destination and removes it from the source.
  case move
  /// Puts a reference to the original at the destination.
  case link
  /// Opens the items with a program.
  case open
  /// Moves the items to the trash.
  case remove
}

/// A set of operations, as a source allows or a drop point offers them.
public struct DragOperations: OptionSet, Hashable, Sendable {
  /// One bit for each operation; not for storage.
  public let rawValue: UInt8

  /// A set from its bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// ``DragOperation/copy`` alone.
  public static let copy = DragOperations(rawValue: 1)
  /// ``DragOperation/move`` alone.
  public static let move = DragOperations(rawValue: 2)
  /// ``DragOperation/link`` alone.
  public static let link = DragOperations(rawValue: 4)
  /// ``DragOperation/open`` alone.
  public static let open = DragOperations(rawValue: 8)
  /// ``DragOperation/remove`` alone.
  public static let remove = DragOperations(rawValue: 16)
  /// The operations that a folder offers: copy, move and link.
  public static let transfer: DragOperations = [.copy, .move, .link]
  /// Every operation.
  public static let all: DragOperations = [.copy, .move, .link, .open, .remove]

  /// The set that holds one operation.
  public init(_ operation: DragOperation) {
    switch operation {
    case .copy: self = .copy
    case .move: self = .move
    case .link: self = .link
    case .open: self = .open
    case .remove: self = .remove
    }
  }

  /// Whether the operation is in the set.
  public func contains(_ operation: DragOperation) -> Bool {
    contains(DragOperations(operation))
  }
}
