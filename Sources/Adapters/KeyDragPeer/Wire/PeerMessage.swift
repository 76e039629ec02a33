/// Everything that two programs say to each other, beside the contents of items.
///
/// The one that connects has a person who carries something; the one that is connected to has places.
enum PeerMessage: Hashable, Sendable {
  // From either.
  case hello(PeerHello)
  /// The answer to a message that is not understood or not wanted; never answered itself.
  case sorry(PeerSorry)
  /// The program goes away.
  case leave

  // From the one that carries.
  /// Show your places, from now on.
  case list
  /// Some of the items carried; a drag of many takes several.
  case items(PeerItems)
  case ask(PeerQuestion)
  case deliver(PeerOrder)
  case cancel(PeerDelivery)
  /// Contents that were asked for are there to be fetched; a file comes open with this message.
  case loading(PeerLoading)
  case making(PeerMaking)
  case loadFailed(PeerLoadFailure)

  // From the one with places.
  /// A container with its places: a new one, or what it holds now.
  case places(PeerPlaces)
  /// All places that there were when they were asked for have been told.
  case told
  case gone(PeerContainer)
  case answers(PeerAnswers)
  case started(PeerProgress)
  case progressed(PeerProgress)
  /// Still at work, with nothing to tell.
  case alive(PeerDelivery)
  case finished(PeerResult)
  /// Open the contents of an item that is being delivered, or hand over its file.
  case load(PeerLoad)
  /// Send the next piece.
  case more(PeerMore)
  case endLoad(PeerLoadEnd)
}

struct PeerHello: Codable, Hashable, Sendable {
  /// The newest version of what is said here; a program of another one is not talked to.
  static let version = 2
  var version: Int
  /// The program's name, to be spoken.
  var program: String
}

struct PeerSorry: Codable, Hashable, Sendable {
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
  /// Told with a drop alone.
  var size: Int64?
  /// Of a file or folder, which can be handed over: its name in its own bytes, in hexadecimal digits.
  var file: String?
  /// The name for the file that arrives, where it differs from `name`.
  var suggested: String?
}

struct PeerItems: Codable, Hashable, Sendable {
  /// Tells one set of items from another.
  var drag: UInt32
  /// The index of the first of these among all; 0 begins the drag.
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

/// How far contents are that are still being made, in thousandths.
struct PeerMaking: Codable, Hashable, Sendable {
  var load: UInt32
  var done: Int
}

struct PeerLoadFailure: Codable, Hashable, Sendable {
  var load: UInt32
  var reason: String
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

/// How many files of one kind items become.
struct PeerFileCount: Codable, Hashable, Sendable {
  var ending: String
  var count: Int
}

struct PeerAnswer: Codable, Hashable, Sendable {
  enum Verdict: String, Codable, Hashable, Sendable {
    case all, some, none, forbidden, maybe, cancels
  }
  var stop: PeerStop
  var verdict: Verdict
  var reason: String?
  /// By the item's index.
  var refused: [Int: String]
  var offers: UInt8
  var clashes: [String]
  var becomes: [String]
  var steps: [String]
  var files: [PeerFileCount]
  var irreversible: String?
  /// Whether the program has no way back from a drop there.
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
  /// How far it is where bytes are not counted, 0 to 1000.
  var share: Int?
}

struct PeerFailure: Codable, Hashable, Sendable {
  var name: String
  var reason: String
}

struct PeerResult: Codable, Hashable, Sendable {
  var delivery: UInt32
  var outcome: String
  var delivered: Int
  var failures: [PeerFailure]
  var bytes: Int64
  var total: Int64
  var verified: Bool
  /// The names under which the items landed, in order.
  var landed: [String]
  var renamed: [String]
  var lost: [String]
}

struct PeerLoad: Codable, Hashable, Sendable {
  var load: UInt32
  var delivery: UInt32
  var item: Int
  /// `nil` for the file itself, which is then handed over open.
  var type: String?
}

struct PeerMore: Codable, Hashable, Sendable {
  var load: UInt32
  var most: Int
}

struct PeerLoadEnd: Codable, Hashable, Sendable {
  var load: UInt32
}
