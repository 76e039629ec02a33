/// The part of a program that assigns identifiers and knows what they stand for. Numbers of
/// different owners are never compared, so each may begin at 1.
package enum IDOwner: UInt8, Sendable {
  /// An app on the library, whose registry numbers what it registers.
  case app
  /// Folders and their contents.
  case files
  /// Windows of other programs and the places in them.
  case windows
  /// Things copied out of a window at pick-up.
  case clippings
  /// Things of an app while they are being dropped on a window.
  case held
  /// Other KeyDrag programs and their places.
  case peers
  /// Things that another KeyDrag program drops here.
  case visitors
  /// Things in transit: a session shows them at their destination, and no world knows them.
  case arriving
}

/// The identity of something that can be picked up, unique in one run.
///
/// The registrant chooses the number; the core only compares it.
public struct DragSourceID: Hashable, Sendable {
  /// The number chosen by the registrant.
  public let rawValue: UInt64
  package let owner: IDOwner

  /// The identity with this number among an app's own.
  public init(_ rawValue: UInt64) { self.init(rawValue, of: .app) }

  package init(_ rawValue: UInt64, of owner: IDOwner) {
    (self.rawValue, self.owner) = (rawValue, owner)
  }
}

/// The identity of a drop point, unique in one run.
public struct DropPointID: Hashable, Sendable {
  /// The number chosen by the registrant.
  public let rawValue: UInt64
  package let owner: IDOwner

  /// The identity with this number among an app's own.
  public init(_ rawValue: UInt64) { self.init(rawValue, of: .app) }

  package init(_ rawValue: UInt64, of owner: IDOwner) {
    (self.rawValue, self.owner) = (rawValue, owner)
  }

  /// An arbitrary total order, for binary search.
  static func precedes(_ lhs: DropPointID, _ rhs: DropPointID) -> Bool {
    (lhs.owner.rawValue, lhs.rawValue) < (rhs.owner.rawValue, rhs.rawValue)
  }
}

/// The identity of a container: a folder, a list, a window.
public struct ContainerID: Hashable, Sendable {
  /// The number chosen by the registrant.
  public let rawValue: UInt32
  package let owner: IDOwner

  /// The identity with this number among an app's own.
  public init(_ rawValue: UInt32) { self.init(rawValue, of: .app) }

  package init(_ rawValue: UInt32, of owner: IDOwner) {
    (self.rawValue, self.owner) = (rawValue, owner)
  }
}

/// Counts from 1 in each run.
package struct DeliveryID: Hashable, Sendable, Comparable {
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }

  package static func < (lhs: DeliveryID, rhs: DeliveryID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The identity of a request to the world; a report carries the id of its request, so that a stale
/// one is recognized and dropped.
package struct RequestID: Hashable, Sendable {
  /// A running number, from 1.
  package let rawValue: Int

  package init(_ rawValue: Int) { self.rawValue = rawValue }
}
