/// What a drop does.
public enum DragOperation: String, Hashable, Sendable, CaseIterable {
  case copy
  case move
  case link
  /// Opens the items with a program.
  case open
  /// Moves the items to the trash.
  case remove
}

/// A set of operations, as a source allows or a drop point offers them.
public struct DragOperations: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let copy = DragOperations(rawValue: 1)
  public static let move = DragOperations(rawValue: 2)
  public static let link = DragOperations(rawValue: 4)
  public static let open = DragOperations(rawValue: 8)
  public static let remove = DragOperations(rawValue: 16)
  /// What a folder offers: copy, move and link.
  public static let transfer: DragOperations = [.copy, .move, .link]
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

  public func contains(_ operation: DragOperation) -> Bool {
    contains(DragOperations(operation))
  }
}
