import KeyDragCore

/// Validation of received messages. Names are made safe to speak here, and nowhere later.
extension PeerMessage {
  /// The message with safe names; `nil` if it exceeds a limit.
  var checked: PeerMessage? {
    switch self {
    case .sorry, .leave, .list, .told, .cancel, .gone, .alive, .endLoad, .loadFailed: self
    case .hello(var hello):
      PeerCheck.name(&hello.program) && hello.version > 0 ? .hello(hello) : nil
    case .items(var items): items.check() ? .items(items) : nil
    case .ask(let question):
      question.stops.count <= PeerLimits.stops && question.stops.allSatisfy(\.isFine)
        ? self : nil
    case .deliver(let order): order.stop.isFine ? self : nil
    case .loading(let loading): (loading.size ?? 0) >= 0 ? self : nil
    case .making(let making): (0...1000).contains(making.done) ? self : nil
    case .places(var places): places.check() ? .places(places) : nil
    case .answers(var answers): answers.check() ? .answers(answers) : nil
    case .started(let progress), .progressed(let progress): progress.isFine ? self : nil
    case .finished(var result): result.check() ? .finished(result) : nil
    case .load(let load):
      (0..<PeerLimits.items).contains(load.item) && load.type.map(PeerCheck.isType) != false
        ? self : nil
    case .more(let more): (1...PeerLimits.piece).contains(more.most) ? self : nil
    }
  }
}

enum PeerCheck {
  /// Makes a name safe; `false` if it is too long.
  static func name(_ name: inout String) -> Bool {
    guard name.utf8.count <= PeerLimits.nameLength else { return false }
    name = SpokenName.clean(name)
    return true
  }

  static func names(_ names: inout [String]) -> Bool {
    guard names.count <= PeerLimits.names else { return false }
    return names.indices.allSatisfy { name(&names[$0]) }
  }

  /// Printable ASCII without spaces, as in MIME types, since it is compared and looked up.
  static func isType(_ type: String) -> Bool {
    let bytes = type.utf8
    return (1...PeerLimits.typeLength).contains(bytes.count)
      && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }
}

extension PeerItem {
  fileprivate mutating func check() -> Bool {
    guard ItemKind(rawValue: kind) != nil, (1...PeerLimits.types).contains(types.count),
      types.allSatisfy(PeerCheck.isType), (size ?? 0) >= 0
    else { return false }
    if let file, HexName.bytes(file) == nil { return false }
    if var name = suggested {
      guard PeerCheck.name(&name) else { return false }
      suggested = name
    }
    return PeerCheck.name(&name) && PeerCheck.name(&typeName)
  }
}

extension PeerItems {
  fileprivate mutating func check() -> Bool {
    guard first >= 0, first < PeerLimits.items, items.count <= PeerLimits.itemsAtOnce else {
      return false
    }
    return items.indices.allSatisfy { items[$0].check() }
  }
}

extension PeerStop {
  fileprivate var isFine: Bool { DropPosition(rawValue: position) != nil }
}

extension PeerPlaces {
  fileprivate mutating func check() -> Bool {
    guard points.count <= PeerLimits.points, PeerCheck.name(&name),
      Set(points.map(\.id)).count == points.count
    else { return false }
    return points.indices.allSatisfy { index in
      let positions = DropPositions(rawValue: points[index].positions)
      return !positions.isEmpty && DropPositions.all.isSuperset(of: positions)
        && PeerCheck.name(&points[index].name)
    }
  }
}

extension PeerAnswers {
  fileprivate mutating func check() -> Bool {
    guard answers.count <= PeerLimits.stops else { return false }
    return answers.indices.allSatisfy { index in
      let answer = answers[index]
      guard answer.stop.isFine, answer.refused.count <= PeerLimits.items else { return false }
      let files = answer.files.indices
      guard files.count <= PeerLimits.types,
        answer.files.allSatisfy({ (0...PeerLimits.items).contains($0.count) }),
        files.allSatisfy({ PeerCheck.name(&answers[index].files[$0].ending) })
      else { return false }
      return PeerCheck.names(&answers[index].clashes) && PeerCheck.names(&answers[index].becomes)
        && PeerCheck.names(&answers[index].steps)
    }
  }
}

extension PeerProgress {
  fileprivate var isFine: Bool {
    (0...PeerLimits.items).contains(items) && bytes >= 0 && (total ?? 0) >= 0
      && (0...1000).contains(share ?? 0)
  }
}

extension PeerResult {
  fileprivate mutating func check() -> Bool {
    guard (0...PeerLimits.items).contains(delivered), bytes >= 0, total >= 0,
      DeliveryOutcome(rawValue: outcome) != nil, failures.count <= PeerLimits.names
    else { return false }
    return failures.indices.allSatisfy { PeerCheck.name(&failures[$0].name) }
      && PeerCheck.names(&landed) && PeerCheck.names(&renamed) && PeerCheck.names(&lost)
  }
}

/// Hexadecimal file names in messages, since they need not be UTF-8.
enum HexName {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ name: [UInt8]) -> String {
    String(decoding: name.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of a valid file name; `nil` for anything else.
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 2), (2...510).contains(text.utf8.count) else { return nil }
    let values = text.utf8.compactMap { digits.firstIndex(of: $0).map { UInt8($0) } }
    guard values.count == text.utf8.count else { return nil }
    let result = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    let isName = !result.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    return isName && result != Array(".".utf8) && result != Array("..".utf8) ? result : nil
  }
}
