import Glibc
import KeyDragCore
import KeyDragThreads

/// Questions about our places, and drops on them.
///
/// A visitor's numbers are its own; here each becomes a number that no other visitor has. Who
/// breaks the rules gets a mistake, and with too many the connection is ended.
extension PeerService {
  /// Takes items of a drag, which come in several messages, in their order.
  func take(_ items: PeerItems, from visitor: Visitor) {
    // The first of them begins the drag anew.
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

  /// The items of a drag as our world knows them.
  private func items(of drag: Visitor.Drag, _ visitor: Visitor) -> [DragItem] {
    drag.items.enumerated().map { index, item in
      item.item(
        DragSourceID(drag.firstSource + UInt64(index), of: .visitors),
        container: ContainerID(visitor.number, of: .visitors))
    }
  }

  /// Asks our world about places, for a visitor. Too many questions at once are not taken.
  func ask(_ question: PeerQuestion, for visitor: Visitor) {
    guard visitor.questions < PeerLimits.questions else {
      visitor.channel.send(.sorry(PeerSorry(why: .tooMany)))
      visitor.mistakes += 1
      return
    }
    guard let drag = visitor.drag(question.drag), !drag.items.isEmpty, !question.stops.isEmpty
    else {
      visitor.mistakes += 1
      return
    }
    visitor.questions += 1
    let inquiry = Inquiry(
      items: items(of: drag, visitor), wish: question.wish.flatMap(DragOperation.init(rawValue:)),
      stops: question.stops.map { $0.stop(of: owner) }, isFinal: question.isFinal)
    let number = visitor.number
    let items = VisitorItems(self, visitor.number, visitor.program, drag, delivery: nil)
    Task.immediate { [places, weak self] in
      let answers = await places.answers(to: inquiry, from: items)
      // On any thread.
      self?.post { $0.answer(question, answers, to: number) }
    }
  }

  /// Sends answers in parts. One that is too long is sent in brief, without its details.
  private func answer(_ question: PeerQuestion, _ answers: [Answer], to number: UInt32) {
    // The visitor may have left meanwhile.
    guard let visitor = visitor(number) else { return }
    visitor.questions -= 1
    var rest = answers[...]
    // In several messages, each within its bound.
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

  /// Takes a drop. What can't be taken is refused with a reason; a number that is in use is a
  /// mistake.
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
    // From another program things are copied and nothing else.
    guard order.operation == DragOperation.copy.rawValue else {
      refuse(order, drag.items, .operationNotOffered, visitor)
      return
    }
    visitor.visits[order.delivery] = Visitor.Visit(id: DeliveryID(nextNumber()))
    visitor.nextBeat = MonotonicClock.now + patience.beat
    // At once, since our world may take its time.
    visitor.channel.send(.alive(PeerDelivery(delivery: order.delivery)))
    var clash = ClashPolicy(rawValue: order.clash) ?? .keepBoth
    // That anything is replaced is for the person to say who has it.
    if clash == .replace || clash == .mergeReplacing { clash = .fail }
    let drop = DeliveryOrder(
      items: items(of: drag, visitor), stop: order.stop.stop(of: owner), operation: .copy,
      clash: clash)
    let number = visitor.number
    let inquiry = Inquiry(items: drop.items, wish: .copy, stops: [drop.stop], isFinal: true)
    // Now contents may be loaded.
    let items = VisitorItems(
      self, visitor.number, visitor.program, drag, delivery: order.delivery)
    // The place is asked anew, whatever it has answered before: its word now counts.
    Task.immediate { [places, weak self] in
      let proposal = await places.answers(to: inquiry, from: items).first?.proposal
      let refusal = proposal == nil ? .gone : proposal?.refusal
      self?.post { $0.begin(drop, order.delivery, of: number, items, refusal: refusal) }
    }
  }

  /// Gives our world a drop of which its place has been asked.
  private func begin(
    _ drop: DeliveryOrder, _ delivery: UInt32, of number: UInt32, _ items: VisitorItems,
    refusal: Reason?
  ) {
    // It may have been cancelled, or its visitor have gone.
    guard let id = visitor(number)?.visits[delivery]?.id else { return }
    if let refusal {
      let result = DeliveryResult.lost(drop.items.map(\.name), refusal, .refused)
      return tell(.finished(result), of: delivery, to: number)
    }
    visitor(number)?.visits[delivery]?.hasBegun = true
    places.deliver(id, drop, from: items) { [weak self] event in
      self?.post { $0.tell(event, of: delivery, to: number) }
    }
  }

  /// Stops a drop; one that has not begun never does.
  func cancel(_ delivery: UInt32, of visitor: Visitor) {
    guard let visit = visitor.visits[delivery] else { return }
    if visit.hasBegun { return cancel(visit.id) }
    let nothing = DeliveryResult(outcome: .cancelled, route: .peer, delivered: 0)
    tell(.finished(nothing), of: delivery, to: visitor.number)
  }

  /// Ends an order that was never begun.
  private func refuse(
    _ order: PeerOrder, _ items: [PeerItem], _ reason: Reason, _ visitor: Visitor
  ) {
    let result = DeliveryResult.lost(items.map(\.name), reason, .refused)
    visitor.channel.send(.finished(PeerResult(order.delivery, result).brief))
  }

  /// Sends on what is told of a delivery.
  private func tell(_ event: DeliveryEvent, of delivery: UInt32, to number: UInt32) {
    guard let visitor = visitor(number), visitor.visits[delivery] != nil else { return }
    switch event {
    case .started(let progress):
      visitor.channel.send(.started(PeerProgress(delivery, progress)))
    case .progressed(let progress):
      // The newest is what counts: one that reads slowly misses some.
      guard visitor.channel.pending == 0 else { return }
      visitor.channel.send(.progressed(PeerProgress(delivery, progress)))
    // A drop that lands here asks nothing: no program stands between.
    case .asks, .goesOn: break
    case .finished(let result):
      visitor.visits[delivery] = nil
      // Nobody reads them any more.
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

  /// Asks the visitor to open the contents of an item; returns when it has.
  ///
  /// - Throws: ``Reason/gone`` without the visitor or the delivery, ``Reason/tooMany``,
  ///   ``Reason/wrongType``, or why it could not be opened.
  func open(
    _ number: UInt32, _ delivery: UInt32, item: Int, as contentType: String,
    progress: LoadProgress
  ) async throws -> (load: UInt32, byteCount: Int64?) {
    guard PeerCheck.isType(contentType) else { throw Reason.wrongType }
    let (load, answer) = try await load(number, delivery, item, contentType, progress)
    guard case .opened(let size) = answer else { throw Reason.unknown }
    return (load, size)
  }

  /// Asks the visitor to open the file that an item is; returns when it has handed it over.
  ///
  /// - Returns: a descriptor for reading, of a plain file or a folder, for the caller to close.
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

  /// The next piece of contents; none at the end.
  ///
  /// - Parameter most: how many bytes, at most; the visitor is asked for no more than a piece.
  func next(_ number: UInt32, _ load: UInt32, most: Int) async throws -> [UInt8] {
    // With a program that is gone what it was giving is cancelled: that is how, and not why, it
    // ended.
    guard let visitor = visitor(number) else { throw Reason.gone }
    // Whoever cancels between two pieces ends the load: it is cancelled then, not gone.
    try Task.checkCancellation()
    guard let state = visitor.loads[load] else { throw Reason.gone }
    // Two readers of one load would get half of it each.
    guard state.waiting == nil, most > 0 else { throw Reason.unknown }
    let most = min(most, PeerLimits.piece)
    let message = PeerMessage.more(PeerMore(load: load, most: most))
    guard case .piece(let bytes) = try await exchange(message, load, most: most, of: visitor)
    else { throw Reason.unknown }
    return bytes
  }

  /// Sends a question about a load and waits for its answer, for a bounded time. Whoever cancels
  /// ends the load.
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
        // It may have been cancelled before there was anybody to tell.
        if Task.isCancelled { end(load, of: visitor, throwing: CancellationError()) }
      }
    } onCancel: {
      post { service in
        guard let visitor = service.visitor(number) else { return }
        service.end(load, of: visitor, throwing: CancellationError())
      }
    }
  }

  /// Contents are open; says how many bytes there are, where that is known.
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

  /// A sign of life while contents are being made.
  func made(_ making: PeerMaking, from visitor: Visitor) {
    guard let load = visitor.loads[making.load], load.waiting != nil else { return }
    visitor.loads[making.load]?.deadline = MonotonicClock.now + patience.silence
    load.progress(Double(making.done) / 1000)
  }

  /// A piece of contents has come; an empty one is the end.
  func took(_ bytes: [UInt8], _ number: UInt32, from visitor: Visitor) {
    guard var load = visitor.loads[number], load.isOpen, let waiting = load.waiting else {
      // Either it was on its way when the load was ended, or nobody ever asked for it.
      if number > lastLoad { visitor.mistakes += 1 }
      return
    }
    load.received += Int64(bytes.count)
    let isWhole = load.byteCount.map { $0 == load.received } ?? true
    let isTooMuch = load.byteCount.map { $0 < load.received } ?? false
    guard bytes.count <= load.most, !isTooMuch, !bytes.isEmpty || isWhole else {
      // More or less than was said: what is there is not the thing that was carried.
      end(number, of: visitor, throwing: Reason.changed)
      return
    }
    load.waiting = nil
    visitor.loads[number] = bytes.isEmpty ? nil : load
    waiting.resume(returning: .piece(bytes))
  }

  /// Ends a load, and whoever waits for it learns why.
  ///
  /// The visitor is told as well, so that it lets go of them.
  func end(_ load: UInt32, of visitor: Visitor, throwing error: any Error) {
    guard let state = visitor.loads.removeValue(forKey: load) else { return }
    visitor.channel.send(.endLoad(PeerLoadEnd(load: load)))
    state.waiting?.resume(throwing: error)
  }
}

extension DropProposal {
  /// Why not all of it is taken; `nil` where it is, or may be.
  fileprivate var refusal: Reason? {
    switch acceptance {
    case .all, .maybe: offers.contains(.copy) ? nil : .operationNotOffered
    case .some(let refused): refused.min { $0.key < $1.key }?.value ?? .unknown
    case .none(let reason), .forbidden(let reason): reason
    case .cancels: .operationNotOffered
    }
  }
}
