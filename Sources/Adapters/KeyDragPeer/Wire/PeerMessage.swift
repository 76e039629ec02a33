import KeyDragCore

/// All messages between two programs, except contents. The connecting program carries items; the
/// other one has places.
enum PeerMessage: Hashable, Sendable {
  // From either side.
  case hello(PeerHello)
  /// Rejects a message that is invalid or not accepted; never answered itself.
  case sorry(PeerRejection)
  /// Disconnects.
  case leave

  // From the carrying side.
  /// Subscribes to places.
  case list
  /// A part of the carried items; large drags need several.
  case items(PeerItems)
  case ask(PeerQuestion)
  case deliver(PeerOrder)
  case cancel(PeerDelivery)
  /// Requested contents are ready; a file is passed along as a descriptor.
  case loading(PeerLoading)
  case making(PeerLoadProgress)
  case loadFailed(PeerLoadFailure)

  // From the side with places.
  /// The current state of a container.
  case places(PeerPlaces)
  /// All initial places have been sent.
  case told
  case gone(PeerContainer)
  case answers(PeerAnswers)
  case started(PeerProgress)
  case progressed(PeerProgress)
  /// A heartbeat.
  case alive(PeerDelivery)
  case finished(PeerResult)
  /// Opens an item's contents, or requests its file.
  case load(PeerLoad)
  /// Requests the next chunk.
  case more(PeerMore)
  case endLoad(PeerLoadEnd)
}

struct PeerHello: Codable, Hashable, Sendable {
  /// Protocol version; other versions are rejected.
  static let version = 2
  var version: Int
  /// For speaking.
  var program: String
}

struct PeerRejection: Codable, Hashable, Sendable {
  enum Why: String, Codable, Hashable, Sendable {
    case unknownKind = "unknown-kind"
    case malformed
    case version
    case tooMany = "too-many"
  }
  var why: Why
}

struct PeerItem: Codable, Hashable, Sendable {
  var name: String
  var kind: UInt8
  var types: [String]
  var typeName: String
  /// Sent only with a drop.
  var size: Int64?
  /// Hexadecimal raw name of a file or folder that can be passed as a descriptor.
  var file: String?
  /// File name at the target, if it differs from `name`.
  var suggested: String?
}

struct PeerItems: Codable, Hashable, Sendable {
  /// Identifies a set of items.
  var drag: UInt32
  /// Index of the first of these items; 0 starts the drag.
  var first: Int
  var items: [PeerItem]
}

struct PeerStop: Codable, Hashable, Sendable {
  var point: UInt64
  var position: UInt8
}

struct PeerQuestion: Codable, Hashable, Sendable {
  var question: UInt32
  var drag: UInt32
  var stops: [PeerStop]
  var wish: String?
  var isFinal: Bool
}

struct PeerOrder: Codable, Hashable, Sendable {
  var delivery: UInt32
  var drag: UInt32
  var stop: PeerStop
  var operation: String
  var clash: String
}

struct PeerDelivery: Codable, Hashable, Sendable {
  var delivery: UInt32
}

struct PeerLoading: Codable, Hashable, Sendable {
  var load: UInt32
  var size: Int64?
}

/// Progress of producing contents, in thousandths.
struct PeerLoadProgress: Codable, Hashable, Sendable {
  var load: UInt32
  var done: Int
}

struct PeerLoadFailure: Codable, Hashable, Sendable {
  var load: UInt32
  var reason: Reason
}

struct PeerContainer: Codable, Hashable, Sendable {
  var container: UInt32
}

struct PeerPoint: Codable, Hashable, Sendable {
  var id: UInt64
  var name: String
  var positions: UInt8
  var leadsTo: UInt32?
}

struct PeerPlaces: Codable, Hashable, Sendable {
  var container: UInt32
  var name: String
  var enclosing: UInt32?
  var isOrdered: Bool
  var points: [PeerPoint]
}

struct PeerAnswer: Codable, Hashable, Sendable {
  enum Verdict: String, Codable, Hashable, Sendable {
    case all, some, none, forbidden, maybe, cancels
  }
  var stop: PeerStop
  var verdict: Verdict
  var reason: Reason?
  /// By item index.
  var refused: [Int: Reason]
  var offers: UInt8
  var clashes: [String]
  var becomes: [String]
  var steps: [String]
  var files: [FileCount]
  var irreversible: Reason?
  /// Whether the program can't undo a drop there.
  var isLasting: Bool?
}

struct PeerAnswers: Codable, Hashable, Sendable {
  var question: UInt32
  var answers: [PeerAnswer]
}

struct PeerProgress: Codable, Hashable, Sendable {
  var delivery: UInt32
  var items: Int
  var bytes: Int64
  var total: Int64?
  /// Progress in thousandths if bytes are unknown.
  var share: Int?
}

struct PeerResult: Codable, Hashable, Sendable {
  var delivery: UInt32
  var outcome: String
  var delivered: Int
  var failures: [DeliveryFailure]
  var bytes: Int64
  var total: Int64
  var verified: Bool
  /// Final names of the items, in order.
  var landed: [String]
  var renamed: [String]
  var lost: [String]
}

struct PeerLoad: Codable, Hashable, Sendable {
  var load: UInt32
  var delivery: UInt32
  var item: Int
  /// `nil` requests the file itself as a descriptor.
  var type: String?
}

struct PeerMore: Codable, Hashable, Sendable {
  var load: UInt32
  var most: Int
}

struct PeerLoadEnd: Codable, Hashable, Sendable {
  var load: UInt32
}
