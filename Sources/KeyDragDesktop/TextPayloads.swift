import KeyDragCore
import Synchronization

/// Items picked up from programs that are not files. Their forms are read at the pick-up, because a
/// program may change or end before the drop.
///
/// Safe from any thread. The oldest are evicted.
final class TextPayloads: Sendable {
  struct Clipping: Sendable {
    var item: DragItem
    var forms: [DragForm]
    /// In bytes, all forms together.
    var byteCount: Int
  }

  private struct Storage {
    var clippings: [DragSourceID: Clipping] = [:]
    /// Oldest first.
    var order: [DragSourceID] = []
    var byteCount = 0
    var last: UInt64 = 0
  }

  private let state = Mutex(Storage())

  /// The most clippings kept: one that was picked up long ago is carried no more.
  static let most = 256
  /// In bytes: 128 MiB. The newest clipping is kept, however big.
  private static let mostBytes = 128 << 20
  /// The longest name made of a text, in characters.
  private static let nameLength = 40

  /// `nil` for an evicted one.
  subscript(source: DragSourceID) -> Clipping? { state.withLock { $0.clippings[source] } }

  /// By its owner alone.
  static func isOne(_ source: DragSourceID) -> Bool { source.owner == .clippings }

  /// Whether an item is no more than the address of something in a file manager.
  static func isElsewhere(_ item: DragItem) -> Bool {
    isOne(item.source) && item.types == [list] && item.allowed.contains(.move)
  }

  /// A list of addresses (RFC 2483 section 5).
  static let list = "text/uri-list"

  /// Adds a text that was selected in a window.
  ///
  /// - Parameter name: empty for the first words of the text.
  func add(
    text: String, name: String = "", typeName: String, from container: ContainerID,
    allowed: DragOperations = .copy
  ) -> DragSourceDescriptor {
    let bytes = Array(text.utf8)
    return add(
      forms: ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"].map { ($0, bytes) },
      name: Self.name(of: name.isEmpty ? text : name), typeName: typeName, from: container,
      types: ["text/plain"],
      allowed: allowed)
  }

  /// Adds an item in the forms in which a program supplied it.
  ///
  /// - Parameter types: the content types among the forms; `nil` where each is one.
  func add(
    forms: [SelectedForm], name: String, typeName: String, from container: ContainerID,
    types: [String]? = nil, allowed: DragOperations = .copy
  ) -> DragSourceDescriptor {
    state.withLock { state in
      state.last += 1
      let id = DragSourceID(state.last, of: .clippings)
      let item = DragItem(
        source: id, name: name, kind: .object, types: types ?? forms.map(\.contentType),
        typeName: typeName, container: container, tree: nil, allowed: allowed,
        // The length of an address says nothing of its target.
        byteCount: types == nil && forms.first?.contentType == Self.list
          ? nil : forms.first.map { Int64($0.bytes.count) })
      state.clippings[id] = Clipping(
        item: item, forms: forms.map { DragForm($0.contentType, bytes: $0.bytes) },
        byteCount: forms.reduce(0) { $0 + $1.bytes.count })
      state.order.append(id)
      state.byteCount += state.clippings[id]?.byteCount ?? 0
      while state.order.count > Self.most
        || state.byteCount > Self.mostBytes && state.order.count > 1
      {
        let oldest = state.clippings.removeValue(forKey: state.order.removeFirst())
        state.byteCount -= oldest?.byteCount ?? 0
      }
      return DragSourceDescriptor(id: id, name: item.name, container: container, kind: .object)
    }
  }

  /// The first words on one line, without a final full stop, since names stand in sentences.
  static func name(of text: String) -> String {
    var line = SpokenName.clean(
      text.prefix(200).split(whereSeparator: \.isWhitespace).joined(separator: " "))
    if line.count > nameLength { return line.prefix(nameLength) + "…" }
    if line.count > 1, line.hasSuffix("."), !line.hasSuffix("..") { line.removeLast() }
    return line
  }

  func prepare(_ sources: [DragSourceID]) -> PreparedItems {
    state.withLock { state in
      var preparation = PreparedItems(items: [])
      for source in sources {
        if let clipping = state.clippings[source] {
          preparation.items.append(clipping.item)
        } else {
          preparation.refused.append(DeliveryFailure(name: "", reason: .gone))
        }
      }
      return preparation
    }
  }

  /// The forms that all items share; texts are joined by line breaks.
  ///
  /// - Throws: ``Reason/gone`` for an evicted item, ``Reason/wrongType`` if they can't be joined.
  func forms(of items: [DragItem]) throws(Reason) -> [DragForm] {
    let all = state.withLock { state in
      items.compactMap { state.clippings[$0.source]?.forms }
    }
    guard all.count == items.count, let first = all.first else { throw .gone }
    if all.count == 1 { return first }
    let joined = first.filter(\.canBeJoined).compactMap { form -> DragForm? in
      let same = all.compactMap { $0.first { $0.contentType == form.contentType } }
      return same.count == all.count ? DragForm(lines: same) : nil
    }
    guard !joined.isEmpty else { throw .wrongType }
    return joined
  }
}

extension DragForm {
  /// Whether it is a list of addresses, each of which ends its line (RFC 2483 section 5).
  private var isList: Bool { contentType == TextPayloads.list }

  /// Whether forms of its type can be joined line by line.
  fileprivate var canBeJoined: Bool {
    isList || contentType == "UTF8_STRING" || contentType.hasPrefix("text/plain")
  }

  fileprivate init(lines forms: [DragForm]) {
    let separator: [UInt8] = forms.first?.isList == true ? [] : [10]
    self.init(forms.first?.contentType ?? "text/plain") {
      var lines: [[UInt8]] = []
      for form in forms {
        // Some of it would pass for all of it.
        guard let bytes = await form.load() else { return nil }
        lines.append(bytes)
      }
      return Array(lines.joined(separator: separator))
    }
  }
}
