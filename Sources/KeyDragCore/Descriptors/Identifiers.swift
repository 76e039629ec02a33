/// The identity of something that can be picked up, unique in one run.
///
/// Whoever registers a source chooses its number; the core only compares it.
public struct DragSourceID: Hashable, Sendable {
  /// The number given by whoever registered the source.
  public let rawValue: UInt64

  /// The identity with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identity of a drop point, unique in one run.
public struct DropPointID: Hashable, Sendable {
  /// The number given by whoever registered the drop point.
  public let rawValue: UInt64

  /// The identity with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The identity of a container: a folder, a list, a window.
public struct ContainerID: Hashable, Sendable {
  /// The number given by whoever registered the container.
  public let rawValue: UInt32

  /// The identity with this number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// The identity of a delivery; counts from 1 in one run.
package struct DeliveryID: Hashable, Sendable, Comparable {
  /// The running number, as the transcript shows it.
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  package static func < (lhs: DeliveryID, rhs: DeliveryID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The identity of a question put to the world; a report carries the id of what it answers, so that
/// a late one is recognised and dropped.
package struct RequestID: Hashable, Sendable {
  /// A running number; 0 is never given.
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
