import KeyDragCore
import Synchronization
import SystemPackage

/// Drops from another program, or from another world of this one. Files of this world are copied in
/// place, another program's files by descriptor; anything else is written as a new file. All are
/// journaled as copies.
///
/// A mixed drop runs in two phases, files first, but is reported as one delivery with one journal
/// entry.
extension FilesWorld {
  func answers(to question: ProposalRequest, ofVisitor loading: any ItemLoading) async -> [Answer] {
    // Resolving another program's paths touches the disk.
    let found = await look(at: loading.visitor, else: nil) { [self] in
      Carried(question.items, own(question.items, from: loading), loading, types)
    }
    guard let carried = found else {
      return question.stops.map { Answer($0, .refused(.notResponding)) }
    }
    var parts: [(indices: [Int], answers: [Answer])] = []
    if !carried.files.isEmpty {
      // Foreign items can only be copied.
      let files = ProposalRequest(
        items: carried.files.map(\.item), wish: .copy, stops: question.stops,
        isFinal: question.isFinal)
      parts.append((carried.files.map(\.index), await inquiry.answers(to: files)))
    }
    if !carried.handed.isEmpty {
      let handed = carried.handed.map { (name: $0.file.name.bytes, item: $0.item) }
      let files = WrittenItems(
        items: handed.map(\.item),
        files: handed.map {
          ItemFile(contentType: $0.item.types.first ?? "", name: $0.item.name, ending: "")
        }, names: handed.prefix(question.isFinal ? .max : 100).map { Array($0.name) })
      let answers = await inquiry.answers(for: files, at: question.stops)
      parts.append((carried.handed.map(\.index), answers))
    }
    if !carried.others.isEmpty {
      let others = WrittenItems(
        items: carried.others.map(\.item), files: carried.others.map { $0.content?.file })
      let answers = await inquiry.answers(for: others, at: question.stops)
      parts.append((carried.others.map(\.index), answers))
    }
    return question.stops.enumerated().map { number, stop in
      Answer(stop, .joining(parts.map { ($0.indices, $0.answers[number].proposal) }))
    }
  }

  /// Accepts a drop from elsewhere: copies onto folders only. Anything else is refused before any
  /// disk access.
  func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    _ told: @escaping DeliveryReceiver
  ) {
    guard order.operation == .copy else { return refuse(order, .operationNotOffered, told) }
    // Only folders are exposed to other programs, whatever id they send.
    guard folder(at: order.stop.point) != nil else { return refuse(order, .gone, told) }
    Disk.begin(in: group) { [self] in
      let carried = Carried(order.items, own(order.items, from: loading), loading, types)
      let files = DeliveryOrder(
        items: carried.files.map(\.item), stop: order.stop, operation: .copy, clash: order.clash)
      let handed = carried.handed.map(\.file)
      let visitor = loading.visitor
      // A drop never mixes this program's files with another program's.
      func first(_ noted: @escaping @Sendable (Int64?) -> Void, _ told: @escaping DeliveryReceiver)
      {
        guard !handed.isEmpty else { return deliver(id, files, noted: noted, told: told) }
        take(handed, of: order, id, visitor, noted, told)
      }
      if carried.others.isEmpty {
        first({ _ in }, told)
      } else if carried.files.isEmpty, handed.isEmpty {
        write(carried.others, of: order, id, visitor, told)
      } else {
        deliver(id, first, then: carried.others, of: order, visitor, told)
      }
    }
  }

  private func take(
    _ handed: [PassedFile], of order: DeliveryOrder, _ id: DeliveryID, _ visitor: String?,
    _ noted: @escaping @Sendable (Int64?) -> Void, _ told: @escaping DeliveryReceiver
  ) {
    guard let number = folder(at: order.stop.point), let path = registry.path(of: number) else {
      return refuse(order, .gone, told)
    }
    var files = FileOrder(
      operation: .copy, sources: handed.map { FilePath("/").appending($0.name) }, target: path,
      clash: order.clash, placeName: registry.name(of: number))
    files.handed = Dictionary(uniqueKeysWithValues: zip(handed.indices, handed))
    files.visitor = visitor
    deliver(id, files, landing: number, noted: noted, told: told)
  }

  /// Delivers the files, then writes the other items unless the delivery was cancelled.
  private func deliver(
    _ id: DeliveryID,
    _ files: (@escaping @Sendable (Int64?) -> Void, @escaping DeliveryReceiver) -> Void,
    then others: [Carried.Other], of order: DeliveryOrder, _ visitor: String?,
    _ told: @escaping DeliveryReceiver
  ) {
    let entry = Mutex<Int64?>(nil)
    @Sendable func note(_ number: Int64?) { entry.withLock { $0 = number } }
    visits.withLock { $0[id] = false }
    @Sendable func end(_ result: DeliveryResult) {
      visits.withLock { $0[id] = nil }
      told(.finished(result))
    }
    files(note) { [self] event in
      guard case .finished(let first) = event else { return told(event) }
      // A cancelled first phase ends the delivery before the second starts.
      guard first.outcome != .cancelled else { return end(first) }
      guard !isCancelled(id) else {
        let nothing = DeliveryResult(outcome: .cancelled, route: .files, delivered: 0)
        return end(first.followed(by: nothing))
      }
      let number = entry.withLock { $0 }
      write(others, of: order, id, visitor, beside: number) { event in
        guard case .finished(let second) = event else { return }
        end(first.followed(by: second))
      }
      // The cancellation may have come before the second phase was registered.
      if isCancelled(id) { delivering.cancel(id) }
    }
  }

  /// `false` for an unknown or finished delivery.
  private func isCancelled(_ id: DeliveryID) -> Bool { visits.withLock { $0[id] == true } }

  /// - Parameter entry: journal entry of the same drop's files, so that one undo reverts both.
  private func write(
    _ others: [Carried.Other], of order: DeliveryOrder, _ id: DeliveryID, _ visitor: String?,
    beside entry: Int64? = nil, _ told: @escaping DeliveryReceiver
  ) {
    let names = others.map(\.item.name)
    guard others.contains(where: { $0.content != nil }) else {
      return told(.finished(.failed(names, .wrongType, .refused, by: .files)))
    }
    guard let number = folder(at: order.stop.point), let path = registry.path(of: number) else {
      return told(.finished(.failed(names, .gone, .refused, by: .files)))
    }
    var drop = ItemDrop(
      items: others.map { ItemDrop.Item(name: $0.item.name, size: $0.size, content: $0.content) },
      target: path, placeName: registry.name(of: number), types: types, entry: entry)
    drop.visitor = visitor
    delivering.write(drop, id: id) { [self] event, landed in
      told(completed(event, landed, in: number))
    }
  }

  /// Maps each item to a file of this world by path; `nil` if it is none. May block.
  private func own(_ items: [DragItem], from loading: any ItemLoading) -> [DragItem?] {
    items.map { item in
      if item.source.owner == .files { return item }
      guard let path = loading.filePath(of: item.source),
        let source = source(at: FilePath(rawBytes: path)),
        let entry = registry.entry(source)
      else { return nil }
      return DragItem(
        source: source, name: entry.spokenName, kind: item.kind, types: item.types,
        typeName: item.typeName, container: ContainerID(entry.id.folder, of: .files), tree: nil,
        allowed: .copy, byteCount: item.byteCount)
    }
  }
}

/// Foreign items by kind, with their indices in the order so that answers can be merged.
private struct Carried {
  /// An item without a file of its own, and the file it becomes; `nil` if it can't be written.
  struct Other: Sendable {
    var index: Int
    var item: DragItem
    var content: (provider: ItemProvider, file: ItemFile)?

    /// In bytes; `nil` unless the file has the best representation, whose size was reported at
    /// pick-up.
    var size: Int64? {
      content?.file.contentType == item.types.first ? item.byteCount : nil
    }
  }

  var files: [(index: Int, item: DragItem)] = []
  var handed: [(index: Int, item: DragItem, file: PassedFile)] = []
  var others: [Other] = []

  init(
    _ items: [DragItem], _ own: [DragItem?], _ loading: any ItemLoading, _ types: any ContentTypes
  ) {
    for (index, item) in items.enumerated() {
      if let file = own[index] {
        files.append((index, file))
        continue
      }
      if let file = PassedFile(item.source, from: loading) {
        handed.append((index, item, file))
        continue
      }
      let provider = ItemProvider(
        carried: item, as: loading.typesForEveryone(of: item), from: loading)
      let content = provider.flatMap { provider in
        ItemFile(for: provider, types).map { (provider, $0) }
      }
      others.append(Other(index: index, item: item, content: content))
    }
  }
}

extension DropProposal {
  /// Merges the answers for all kinds of items, each with its indices. Accepted if any item is.
  /// Offers only the operations that all accepting parts offer.
  fileprivate static func joining(_ parts: [(indices: [Int], proposal: DropProposal)])
    -> DropProposal
  {
    var refused: [Int: Reason] = [:]
    var predictions: [Prediction] = []
    var offers = DragOperations.copy
    var irreversible: Reason?
    for (indices, proposal) in parts {
      switch proposal.acceptance {
      case .all, .maybe: break
      case .some(let some): for (index, reason) in some { refused[indices[index]] = reason }
      case .none(let reason), .forbidden(let reason):
        for index in indices { refused[index] = reason }
        continue
      case .cancels: continue
      }
      offers.formIntersection(proposal.offers)
      predictions += proposal.predictions
      irreversible = irreversible ?? proposal.irreversible
    }
    guard refused.count < parts.reduce(0, { $0 + $1.indices.count }) else {
      return .refused(refused[0] ?? .wrongType)
    }
    return DropProposal(
      refused.isEmpty ? .all : .some(refused: refused), offers: offers, predictions: predictions,
      irreversible: irreversible)
  }
}

extension DeliveryResult {
  /// Merges both phases of a drop. Failures make it partial if anything arrived, otherwise failed.
  fileprivate func followed(by second: DeliveryResult) -> DeliveryResult {
    var result = self
    result.entry = entry ?? second.entry
    result.delivered += second.delivered
    result.failures += second.failures
    result.bytes += second.bytes
    result.totalBytes += second.totalBytes
    result.landings += second.landings
    result.renamed += second.renamed
    result.replaced += second.replaced
    result.verified = verified || second.verified
    if second.outcome == .cancelled {
      result.outcome = .cancelled
    } else if !result.failures.isEmpty {
      result.outcome = result.delivered > 0 ? .partly : .failed
    }
    return result
  }
}
