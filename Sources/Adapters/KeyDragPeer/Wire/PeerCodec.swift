import FoundationEssentials

/// Messages as JSON: `{"kind":"ask","body":{…}}`. Decoding accepts any bytes and returns either a
/// valid message, with speakable names and bounded lists, or an error.
enum PeerCodec {
  enum Mistake: Error, Hashable, Sendable {
    /// Possibly from a newer program.
    case unknownKind
    case malformed
  }

  /// `nil` for a message that is too long.
  static func bytes(_ message: PeerMessage) -> [UInt8]? {
    let data: Data? =
      switch message {
      case .hello(let body): write("hello", body)
      case .sorry(let body): write("sorry", body)
      case .leave: write("leave", Nothing())
      case .list: write("list", Nothing())
      case .items(let body): write("items", body)
      case .ask(let body): write("ask", body)
      case .deliver(let body): write("deliver", body)
      case .cancel(let body): write("cancel", body)
      case .loading(let body): write("loading", body)
      case .making(let body): write("making", body)
      case .loadFailed(let body): write("load-failed", body)
      case .places(let body): write("places", body)
      case .told: write("told", Nothing())
      case .gone(let body): write("gone", body)
      case .answers(let body): write("answers", body)
      case .started(let body): write("started", body)
      case .progressed(let body): write("progressed", body)
      case .alive(let body): write("alive", body)
      case .finished(let body): write("finished", body)
      case .load(let body): write("load", body)
      case .more(let body): write("more", body)
      case .endLoad(let body): write("end-load", body)
      }
    guard let data, data.count <= PeerLimits.message else { return nil }
    return Array(data)
  }

  static func message(_ bytes: [UInt8]) throws(Mistake) -> PeerMessage {
    // The decoder validates only the strings that it reads.
    guard bytes.count <= PeerLimits.message, String(validating: bytes, as: UTF8.self) != nil
    else { throw .malformed }
    let data = Data(bytes)
    guard let message = try read(data), let checked = message.checked else { throw .malformed }
    return checked
  }

  private struct Nothing: Codable {}

  private struct Kind: Codable {
    var kind: String
  }

  private struct Envelope<Body: Codable>: Codable {
    var kind: String
    var body: Body
  }

  private static func write(_ kind: String, _ body: some Codable) -> Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return try? encoder.encode(Envelope(kind: kind, body: body))
  }

  private static func read(_ data: Data) throws(Mistake) -> PeerMessage? {
    guard let kind = try? JSONDecoder().decode(Kind.self, from: data).kind else {
      throw .malformed
    }
    switch kind {
    case "hello": return body(data).map(PeerMessage.hello)
    case "sorry": return body(data).map(PeerMessage.sorry)
    case "leave": return .leave
    case "list": return .list
    case "items": return body(data).map(PeerMessage.items)
    case "ask": return body(data).map(PeerMessage.ask)
    case "deliver": return body(data).map(PeerMessage.deliver)
    case "cancel": return body(data).map(PeerMessage.cancel)
    case "loading": return body(data).map(PeerMessage.loading)
    case "making": return body(data).map(PeerMessage.making)
    case "load-failed": return body(data).map(PeerMessage.loadFailed)
    case "places": return body(data).map(PeerMessage.places)
    case "told": return .told
    case "gone": return body(data).map(PeerMessage.gone)
    case "answers": return body(data).map(PeerMessage.answers)
    case "started": return body(data).map(PeerMessage.started)
    case "progressed": return body(data).map(PeerMessage.progressed)
    case "alive": return body(data).map(PeerMessage.alive)
    case "finished": return body(data).map(PeerMessage.finished)
    case "load": return body(data).map(PeerMessage.load)
    case "more": return body(data).map(PeerMessage.more)
    case "end-load": return body(data).map(PeerMessage.endLoad)
    default: throw .unknownKind
    }
  }

  private static func body<Body: Codable>(_ data: Data) -> Body? {
    try? JSONDecoder().decode(Envelope<Body>.self, from: data).body
  }
}
