import Glibc
import KeyDragCore
import KeyDragThreads

/// Questions about our places, and drops on them. Maps visitors' numbers to unique ones. Protocol
/// violations are counted, and too many end the connection.
extension PeerService {
  /// Receives items of a drag, sent in order in several messages.
  func take(_ items: PeerItems, from visitor: Visitor) {
    // The first item restarts the drag.
    if items.first == 0 {
      visitor.drags.removeAll { $0.number == items.drag }
      visitor.drags.append(
        Visitor.Drag(number: items.drag, firstSource: nextSources(PeerLimits.items)))
      if visitor.drags.count > PeerLimits.drags { visitor.drags.removeFirst() }
    }
    let index = visitor.drags.firstIndex { $0.number == items.drag }
    guard let index, visitor.drags[index].items.count == items.first,
      items.first + items.items.count <= PeerLimits.items
    else {
      visitor.mistakes += 1
      return
    }
    visitor.drags[index].items += items.items
  }

  private func items(of drag: Visitor.Drag, _ visitor: Visitor) -> [DragItem] {
    drag.items.enumerated().map { index, item in
      item.item(
        DragSourceID(drag.firstSource + UInt64(index), of: .visitors),
        container: ContainerID(visitor.number, of: .visitors))
    }
  }

  /// Queries our world for a visitor, up to a limit of concurrent questions.
  func ask(_ question: PeerQuestion, for visitor: Visitor) {
    guard visitor.questions < PeerLimits.questions else {
      visitor.channel.send(.sorry(PeerRejection(why: .tooMany)))
      visitor.mistakes += 1
      return
    }
    guard let drag = visitor.drag(question.drag), !drag.items.isEmpty, !question.stops.isEmpty
    else {
      visitor.mistakes += 1
      return
    }
    visitor.questions += 1
    let inquiry = ProposalRequest(
      items: items(of: drag, visitor), wish: question.wish.flatMap(DragOperation.init(rawValue:)),
      stops: question.stops.map { $0.stop(of: owner) }, isFinal: question.isFinal)
    let number = visitor.number
    let items = VisitorItems(self, visitor.number, visitor.program, drag, delivery: nil)
    Task.immediate { [places, weak self] in
      let answers = await places.answers(to: inquiry, from: items)
      // The reply may arrive on any thread.
      self?.post { $0.answer(question, answers, to: number) }
    }
  }

  /// Sends answers in batches. An oversized message is sent in brief form, without details.
  private func answer(_ question: PeerQuestion, _ answers: [Answer], to number: UInt32) {
    // The visitor may have left meanwhile.
    guard let visitor = visitor(number) else { return }
    visitor.questions -= 1
    var rest = answers[...]
    // Several messages, each within the size limit.
    while !rest.isEmpty {
      let some = rest.prefix(PeerLimits.answersAtOnce).map { PeerAnswer($0) }
      rest = rest.dropFirst(PeerLimits.answersAtOnce)
      let message = PeerAnswers(question: question.question, answers: some)
      if !visitor.channel.send(.answers(message)) {
        let brief = PeerAnswers(question: question.question, answers: some.map(\.brief))
        visitor.channel.send(.answers(brief))
      }
    }
  }

  // MARK: Deliveries

  /// Accepts a drop, or refuses it with a reason; a number in use counts as a violation.
  func deliver(_ order: PeerOrder, from visitor: Visitor) {
    guard visitor.visits[order.delivery] == nil else {
      visitor.mistakes += 1
      return
    }
    guard let drag = visitor.drag(order.drag), !drag.items.isEmpty else {
      refuse(order, [], .unknown, visitor)
      return
    }
    guard visitor.visits.count < PeerLimits.deliveries else {
      refuse(order, drag.items, .tooMany, visitor)
      return
    }
    // Drops from other programs are copies only.
    guard order.operation == DragOperation.copy.rawValue else {
      refuse(order, drag.items, .operationNotOffered, visitor)
      return
    }
    visitor.visits[order.delivery] = Visitor.Visit(id: DeliveryID(nextNumber()))
    visitor.nextBeat = MonotonicClock.now + patience.beat
    // At once, since our world may take a while.
    visitor.channel.send(.alive(PeerDelivery(delivery: order.delivery)))
    var clash = ClashPolicy(rawValue: order.clash) ?? .keepBoth
    // Only the user of this program may decide to replace anything.
    if clash == .replace || clash == .mergeReplacing { clash = .fail }
    let drop = DeliveryOrder(
      items: items(of: drag, visitor), stop: order.stop.stop(of: owner), operation: .copy,
      clash: clash)
    let number = visitor.number
    let inquiry = ProposalRequest(items: drop.items, wish: .copy, stops: [drop.stop], isFinal: true)
    // Allows loading contents.
    let items = VisitorItems(
      self, visitor.number, visitor.program, drag, delivery: order.delivery)
    // Queried again: only this answer counts.
    Task.immediate { [places, weak self] in
      let proposal = await places.answers(to: inquiry, from: items).first?.proposal
      let refusal = proposal == nil ? .gone : proposal?.refusal
      self?.post { $0.begin(drop, order.delivery, of: number, items, refusal: refusal) }
    }
  }

  private func begin(
    _ drop: DeliveryOrder, _ delivery: UInt32, of number: UInt32, _ items: VisitorItems,
    refusal: Reason?
  ) {
    // The drop may have been cancelled, or the visitor may have left.
    guard let id = visitor(number)?.visits[delivery]?.id else { return }
    if let refusal {
      let result = DeliveryResult.failed(
        drop.items.map(\.name), refusal, .refused, by: .peer)
      return tell(.finished(result), of: delivery, to: number)
    }
    visitor(number)?.visits[delivery]?.hasBegun = true
    places.deliver(id, drop, from: items) { [weak self] event in
      self?.post { $0.tell(event, of: delivery, to: number) }
    }
  }

  /// Cancels a drop; one that has not started never does.
  func cancel(_ delivery: UInt32, of visitor: Visitor) {
    guard let visit = visitor.visits[delivery] else { return }
    if visit.hasBegun { return cancel(visit.id) }
    let nothing = DeliveryResult(outcome: .cancelled, route: .peer, delivered: 0)
    tell(.finished(nothing), of: delivery, to: visitor.number)
  }

  private func refuse(
    _ order: PeerOrder, _ items: [PeerItem], _ reason: Reason, _ visitor: Visitor
  ) {
    let result = DeliveryResult.failed(items.map(\.name), reason, .refused, by: .peer)
    visitor.channel.send(.finished(PeerResult(order.delivery, result).brief))
  }

  private func tell(_ event: DeliveryEvent, of delivery: UInt32, to number: UInt32) {
    guard let visitor = visitor(number), visitor.visits[delivery] != nil else { return }
    switch event {
    case .started(let progress):
      visitor.channel.send(.started(PeerProgress(delivery, progress)))
    case .progressed(let progress):
      // Only the latest matters: slow readers skip some.
      guard visitor.channel.pending == 0 else { return }
      visitor.channel.send(.progressed(PeerProgress(delivery, progress)))
    // No program in between, so these do not occur here.
    case .asks, .goesOn: break
    case .finished(let result):
      visitor.visits[delivery] = nil
      // Their reader is gone.
      for (load, state) in visitor.loads where state.delivery == delivery {
        end(load, of: visitor, throwing: Reason.interrupted)
      }
      let message = PeerResult(delivery, result)
      if !visitor.channel.send(.finished(message)) {
        visitor.channel.send(.finished(message.brief))
      }
    }
  }

  // MARK: Contents

  /// Asks the visitor to open an item's contents.
  ///
  /// - Throws: ``Reason/gone`` without the visitor or the delivery, ``Reason/tooMany``,
  ///   ``Reason/wrongType``, or why the contents could not be opened.
  func open(
    _ number: UInt32, _ delivery: UInt32, item: Int, as contentType: String,
    progress: LoadProgress
  ) async throws -> (load: UInt32, byteCount: Int64?) {
    guard PeerCheck.isType(contentType) else { throw Reason.wrongType }
    let (load, answer) = try await load(number, delivery, item, contentType, progress)
    guard case .opened(let size) = answer else { throw Reason.unknown }
    return (load, size)
  }

  /// Asks the visitor for an item's file as a descriptor.
  ///
  /// - Returns: a readable descriptor of a regular file or a folder, which the caller must close.
  func openFile(_ number: UInt32, _ delivery: UInt32, item: Int) async throws -> Int32 {
    let (_, answer) = try await load(number, delivery, item, nil, LoadProgress())
    guard case .file(let file) = answer else { throw Reason.unknown }
    return file
  }

  private func load(
    _ number: UInt32, _ delivery: UInt32, _ item: Int, _ type: String?, _ progress: LoadProgress
  ) async throws -> (UInt32, Visitor.Load.Answer) {
    guard let visitor = visitor(number), visitor.visits[delivery] != nil else { throw Reason.gone }
    guard visitor.loads.count < PeerLimits.loads else { throw Reason.tooMany }
    let load = nextLoad()
    visitor.loads[load] = Visitor.Load(delivery: delivery, progress: progress)
    visitor.loads[load]?.isFile = type == nil
    let message = PeerMessage.load(
      PeerLoad(load: load, delivery: delivery, item: item, type: type))
    return (load, try await exchange(message, load, most: 0, of: visitor))
  }

  /// The next chunk of contents; empty at the end.
  ///
  /// - Parameter most: byte limit, also bounded by the chunk size.
  func next(_ number: UInt32, _ load: UInt32, most: Int) async throws -> [UInt8] {
    // If the program is gone, its delivery is cancelled, which is reported as such.
    guard let visitor = visitor(number) else { throw Reason.gone }
    // A cancellation between two chunks ends the load: reported as cancelled, not gone.
    try Task.checkCancellation()
    guard let state = visitor.loads[load] else { throw Reason.gone }
    // Concurrent readers would each get only a part.
    guard state.waiting == nil, most > 0 else { throw Reason.unknown }
    let most = min(most, PeerLimits.piece)
    let message = PeerMessage.more(PeerMore(load: load, most: most))
    guard case .piece(let bytes) = try await exchange(message, load, most: most, of: visitor)
    else { throw Reason.unknown }
    return bytes
  }

  /// Sends a request for a load and waits for the reply, with a timeout. Cancelling the task ends
  /// the load.
  private func exchange(
    _ message: PeerMessage, _ load: UInt32, most: Int, of visitor: Visitor
  ) async throws -> Visitor.Load.Answer {
    let number = visitor.number
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        visitor.loads[load]?.waiting = continuation
        visitor.loads[load]?.most = most
        visitor.loads[load]?.deadline = MonotonicClock.now + patience.silence
        visitor.channel.send(message)
        // Cancelled before the continuation was registered.
        if Task.isCancelled { end(load, of: visitor, throwing: CancellationError()) }
      }
    } onCancel: {
      post { service in
        guard let visitor = service.visitor(number) else { return }
        service.end(load, of: visitor, throwing: CancellationError())
      }
    }
  }

  /// Contents are open; completes the waiting reader.
  func opened(_ loading: PeerLoading, from visitor: Visitor) {
    guard var load = visitor.loads[loading.load], !load.isOpen, let waiting = load.waiting else {
      return
    }
    if load.isFile {
      guard let file = visitor.channel.takeFile() else {
        return end(loading.load, of: visitor, throwing: Reason.notPermitted)
      }
      if let reason = PeerSocket.refusal(of: file) {
        Glibc.close(file)
        return end(loading.load, of: visitor, throwing: reason)
      }
      visitor.loads[loading.load] = nil
      return waiting.resume(returning: .file(file))
    }
    load.waiting = nil
    load.isOpen = true
    load.byteCount = loading.size
    visitor.loads[loading.load] = load
    waiting.resume(returning: .opened(loading.size))
  }

  /// Extends the deadline while contents are being produced.
  func made(_ making: PeerLoadProgress, from visitor: Visitor) {
    guard let load = visitor.loads[making.load], load.waiting != nil else { return }
    visitor.loads[making.load]?.deadline = MonotonicClock.now + patience.silence
    load.progress(Double(making.done) / 1000)
  }

  /// Receives a chunk; an empty one is the end.
  func took(_ bytes: [UInt8], _ number: UInt32, from visitor: Visitor) {
    guard var load = visitor.loads[number], load.isOpen, let waiting = load.waiting else {
      // The load has ended meanwhile, or was never requested.
      if number > lastLoad { visitor.mistakes += 1 }
      return
    }
    load.received += Int64(bytes.count)
    let isWhole = load.byteCount.map { $0 == load.received } ?? true
    let isTooMuch = load.byteCount.map { $0 < load.received } ?? false
    guard bytes.count <= load.most, !isTooMuch, !bytes.isEmpty || isWhole else {
      // The size differs from the announced one: not the item that was carried.
      end(number, of: visitor, throwing: Reason.changed)
      return
    }
    load.waiting = nil
    visitor.loads[number] = bytes.isEmpty ? nil : load
    waiting.resume(returning: .piece(bytes))
  }

  /// Ends a load, resumes its reader with the error, and tells the visitor to release the contents.
  func end(_ load: UInt32, of visitor: Visitor, throwing error: any Error) {
    guard let state = visitor.loads.removeValue(forKey: load) else { return }
    visitor.channel.send(.endLoad(PeerLoadEnd(load: load)))
    state.waiting?.resume(throwing: error)
  }
}

extension DropProposal {
  /// Why not all items are accepted; `nil` if they are or may be.
  fileprivate var refusal: Reason? {
    switch acceptance {
    case .all, .maybe: offers.contains(.copy) ? nil : .operationNotOffered
    case .some(let refused): refused.min { $0.key < $1.key }?.value ?? .unknown
    case .none(let reason), .forbidden(let reason): reason
    case .cancels: .operationNotOffered
    }
  }
}
