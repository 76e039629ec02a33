/// The part of a program that gives out numbers, and so knows what each of its own stands for. Numbers
/// of different owners are never compared, so each may begin at 1.
package enum IDOwner: UInt8, Sendable {
  /// An app on the library, whose registry numbers what it registers.
  case app
  /// Folders and what is in them.
  case files
  /// Windows of other programs and the places in them.
  case windows
  /// Things that were copied out of a window when they were picked up.
  case clippings
  /// Things of an app while a window is given them.
  case held
  /// Other KeyDrag programs and their places.
  case peers
  /// Things that another KeyDrag program drops here.
  case visitors
  /// Things on their way: a session shows them where they will be, and no world knows them.
  case arriving
}

/// The identity of something that can be picked up, unique in one run.
///
/// Whoever registers a source chooses its number; the core only compares it.
public struct DragSourceID: Hashable, Sendable {
  /// The number given by whoever registered the source.
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
  /// The number given by whoever registered the drop point.
  public let rawValue: UInt64
  package let owner: IDOwner

  /// The identity with this number among an app's own.
  public init(_ rawValue: UInt64) { self.init(rawValue, of: .app) }

  package init(_ rawValue: UInt64, of owner: IDOwner) {
    (self.rawValue, self.owner) = (rawValue, owner)
  }

  /// Any total order, for a search in a sorted list.
  static func precedes(_ lhs: DropPointID, _ rhs: DropPointID) -> Bool {
    (lhs.owner.rawValue, lhs.rawValue) < (rhs.owner.rawValue, rhs.rawValue)
  }
}

/// The identity of a container: a folder, a list, a window.
public struct ContainerID: Hashable, Sendable {
  /// The number given by whoever registered the container.
  public let rawValue: UInt32
  package let owner: IDOwner

  /// The identity with this number among an app's own.
  public init(_ rawValue: UInt32) { self.init(rawValue, of: .app) }

  package init(_ rawValue: UInt32, of owner: IDOwner) {
    (self.rawValue, self.owner) = (rawValue, owner)
  }
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
