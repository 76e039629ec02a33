import KeyDragCore
import SystemPackage

/// Things of another program, or of another world of this one: files are copied from where they are,
/// journaled here like any other copy.
extension FilesWorld: ItemTaking {
  package func ask(
    _ question: Inquiry, from loading: any ItemLoading, id: RequestID, reply: @escaping Reply
  ) {
    inBackground { [self] in
      let known = own(question.items, from: loading)
      // Nothing is taken away from another program.
      let answers = inquiry.answers(
        to: Inquiry(
          items: known.compactMap(\.self), wish: .copy, stops: question.stops,
          isFinal: question.isFinal))
      reply(.answered(id, answers.map { $0.renumbered(known) }))
    }
  }

  package func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading, reply: @escaping Reply
  ) {
    guard order.operation == .copy else {
      refuse(id, order, .operationNotOffered, reply)
      return
    }
    inBackground { [self] in
      let known = own(order.items, from: loading)
      let missing = zip(order.items, known).filter { $1 == nil }.map {
        DeliveryFailure(name: $0.0.name, reason: .wrongType)
      }
      let items = known.compactMap(\.self)
      guard !items.isEmpty else {
        refuse(id, order, .wrongType, reply)
        return
      }
      let own = DeliveryOrder(
        items: items, stop: order.stop, operation: .copy, clash: order.clash)
      deliver(id, own) { report in reply(report.adding(missing)) }
    }
  }

  /// The items as files of ours, by their paths; `nil` for one that is no file. May block.
  private func own(_ items: [DragItem], from loading: any ItemLoading) -> [DragItem?] {
    items.map { item in
      if IDSpace.split(item.source.rawValue)?.world == 0 { return item }
      guard let path = loading.filePath(of: item.source),
        let source = source(at: FilePath(bytes: path)),
        let entry = registry.entry(source)
      else { return nil }
      return DragItem(
        source: source, name: entry.spokenName, kind: item.kind, types: item.types,
        typeName: item.typeName, container: ContainerID(entry.id.folder), tree: nil,
        allowed: .copy, byteCount: item.byteCount)
    }
  }
}

extension Answer {
  /// The answer for all items, from one for those that are known.
  fileprivate func renumbered(_ known: [DragItem?]) -> Answer {
    var answer = self
    answer.proposal.offers.formIntersection(.copy)
    let missing = known.indices.filter { known[$0] == nil }
    guard !missing.isEmpty else { return answer }
    let there = known.indices.filter { known[$0] != nil }
    guard !there.isEmpty else { return Answer(stop, .refused(.wrongType)) }
    var refused = Dictionary(uniqueKeysWithValues: missing.map { ($0, Reason.wrongType) })
    switch proposal.acceptance {
    case .all, .maybe: break
    case .some(let some): for (index, reason) in some { refused[there[index]] = reason }
    case .none, .forbidden, .cancels: return answer
    }
    answer.proposal.acceptance = .some(refused: refused)
    return answer
  }
}

extension WorldReport {
  /// The end of a delivery with what it never began with.
  fileprivate func adding(_ missing: [DeliveryFailure]) -> WorldReport {
    guard !missing.isEmpty, case .delivery(let id, .finished(var result)) = self else {
      return self
    }
    result.failures += missing
    if result.outcome == .delivered { result.outcome = .partly }
    return .delivery(id, .finished(result))
  }
}

extension FilePath {
  /// A path in the system's bytes, up to the first zero.
  init(bytes: [UInt8]) {
    self = (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}
