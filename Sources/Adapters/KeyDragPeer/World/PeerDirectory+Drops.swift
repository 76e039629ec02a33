import Glibc
import KeyDragCore
import KeyDragThreads

/// Questions and deliveries to other programs. Never blocks: each has a timeout, after which it is
/// answered here.
extension PeerDirectory {
  /// Asks each program about its own places, and answers when all have replied.
  func ask(
    _ inquiry: ProposalRequest, from loading: any ItemLoading,
    reply: @escaping @Sendable ([Answer]) -> Void
  ) {
    let deadline = MonotonicClock.now + patience.answer
    let run = PeerQuestionRun(inquiry, deadline: deadline, reply: reply)
    guard inquiry.items.count <= PeerLimits.items else {
      run.settle(rest: .tooMany, of: inquiry.stops)
      return
    }
    var parts: [UInt32: (peer: Peer, stops: [PeerStop])] = [:]
    for stop in inquiry.stops {
      guard let (peer, number) = peer(of: stop.point) else {
        run.set(.refused(.gone), at: stop)
        continue
      }
      // No further questions while a reply is overdue or it does not read.
      guard !peer.isSilent, peer.channel.pending < PeerLimits.message else {
        run.set(.refused(.notResponding), at: stop)
        continue
      }
      let there = PeerStop(point: number, position: stop.position.rawValue)
      parts[peer.number, default: (peer, [])].stops.append(there)
    }
    for (peer, stops) in parts.values {
      let drag = show(inquiry.items, from: loading, to: peer, isDropped: inquiry.isFinal)
      var rest = stops[...]
      // Several messages, each within the size limit.
      while !rest.isEmpty {
        let number = peer.nextNumber()
        peer.questions[number] = run
        peer.channel.send(
          .ask(
            PeerQuestion(
              question: number, drag: drag, stops: Array(rest.prefix(PeerLimits.stops)),
              wish: DragOperation.copy.rawValue, isFinal: inquiry.isFinal)))
        rest = rest.dropFirst(PeerLimits.stops)
      }
    }
    // Nothing had to be asked.
    run.settle()
  }

  /// Sends the carried items unless the program has them: names and types, and sizes with a drop.
  /// Leaves out private forms. Returns the drag number.
  private func show(
    _ items: [DragItem], from loading: any ItemLoading, to peer: Peer, isDropped: Bool
  ) -> UInt32 {
    if let drag = peer.drag, drag.items == items, drag.isDropped || !isDropped {
      return drag.number
    }
    let number = peer.nextNumber()
    var first = 0
    while first < items.count {
      let some = items[first...].prefix(PeerLimits.itemsAtOnce).map {
        PeerItem(
          $0, types: loading.typesForEveryone(of: $0), suggested: loading.suggestedName(of: $0),
          path: loading.filePath(of: $0.source), isDropped: isDropped)
      }
      peer.channel.send(.items(PeerItems(drag: number, first: first, items: some)))
      first += some.count
    }
    peer.drag = (number, items, isDropped)
    return number
  }

  // MARK: Deliveries

  /// Delivers items to a program, or refuses at once if that is impossible.
  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    told: @escaping @Sendable (DeliveryEvent) -> Void
  ) {
    // Nothing was started, so nothing can have arrived.
    func refuse(_ reason: Reason) {
      told(.finished(.failed(order.items.map(\.name), reason, .refused, by: .peer)))
    }
    guard let (peer, point) = peer(of: order.stop.point) else { return refuse(.gone) }
    guard order.operation == .copy else { return refuse(.operationNotOffered) }
    guard !order.items.isEmpty, order.items.count <= PeerLimits.items else {
      return refuse(.tooMany)
    }
    guard !peer.isSilent else { return refuse(.notResponding) }
    let drag = show(order.items, from: loading, to: peer, isDropped: true)
    let number = peer.nextNumber()
    peer.deliveries[number] = PeerDropRun(
      id, order, from: loading, deadline: MonotonicClock.now + patience.silence, told: told)
    note(id, number, of: peer)
    peer.channel.send(
      .deliver(
        PeerOrder(
          delivery: number, drag: drag,
          stop: PeerStop(point: point, position: order.stop.position.rawValue),
          operation: order.operation.rawValue, clash: order.clash.rawValue)))
  }

  /// Asks a program to cancel. The delivery ends with its report or its silence.
  func cancel(_ id: DeliveryID) {
    guard let (peer, number) = peer(of: id) else { return }
    peer.deliveries[number]?.cancel(until: MonotonicClock.now + patience.silence)
    peer.channel.send(.cancel(PeerDelivery(delivery: number)))
  }

  /// Extends a delivery's deadline and forwards its event.
  ///
  /// - Parameter event: receives the item count; returns `nil` for a mere heartbeat.
  func heard(
    _ delivery: UInt32, _ peer: Peer, _ now: Int64, _ event: (_ items: Int) -> DeliveryEvent?
  ) {
    guard let run = peer.deliveries[delivery] else { return }
    run.heard(until: now + patience.silence)
    if let event = event(run.items.count) { run.tell(event, at: now) }
  }

  /// Ends a delivery with its loads, and reports the result.
  func finish(
    _ run: PeerDropRun, _ number: UInt32, of peer: Peer, _ result: DeliveryResult
  ) {
    peer.deliveries[number] = nil
    forget(run.id)
    for (load, state) in peer.loads where state.delivery == number {
      state.task?.cancel()
      peer.loads[load] = nil
    }
    run.told(.finished(result))
  }

  // MARK: Contents

  /// Opens contents for a program: only in a delivery, and only in an offered form.
  func open(_ load: PeerLoad, for peer: Peer) {
    guard let run = peer.deliveries[load.delivery], peer.loads[load.load] == nil else {
      refuse(load.load, .gone, peer)
      return
    }
    guard run.items.indices.contains(load.item),
      load.type.map(run.items[load.item].types.contains) != false
    else {
      refuse(load.load, .wrongType, peer)
      return
    }
    guard peer.loads.count < PeerLimits.loads else {
      refuse(load.load, .tooMany, peer)
      return
    }
    run.heard(until: MonotonicClock.now + patience.silence)
    let source = run.items[load.item].source
    let number = peer.number
    let progress = LoadProgress { [weak self] fraction in
      let making = PeerLoadProgress(load: load.load, done: Int(fraction * 1000))
      self?.post { $0.tell(making, of: load.delivery, to: number) }
    }
    var state = Peer.Load(delivery: load.delivery)
    // A task, because opening may take long.
    state.task = Task { [loading = run.loading] in
      do {
        guard let type = load.type else {
          handed(load.load, try await loading.openFile(source), for: peer)
          return
        }
        let stream = try await loading.open(source, as: type, progress: progress)
        opened(load.load, stream, for: peer)
      } catch {
        failed(load.load, error, for: peer)
      }
    }
    peer.loads[load.load] = state
  }

  /// Reports production progress, unless the program does not read.
  private func tell(_ making: PeerLoadProgress, of delivery: UInt32, to number: UInt32) {
    guard let peer = peer(numbered: number), let run = peer.deliveries[delivery],
      peer.loads[making.load] != nil, peer.channel.pending == 0
    else { return }
    run.heard(until: MonotonicClock.now + patience.silence)
    peer.channel.send(.making(making))
  }

  /// Sends an open file, which completes its load.
  private func handed(_ load: UInt32, _ file: Int32, for peer: Peer) {
    guard peer.loads.removeValue(forKey: load) != nil, isHere(peer) else {
      close(file)
      return
    }
    peer.channel.send(.loading(PeerLoading(load: load, size: nil)), file: file)
  }

  private func opened(_ load: UInt32, _ stream: ItemStream, for peer: Peer) {
    guard peer.loads[load] != nil, isHere(peer) else { return }
    peer.loads[load]?.stream = stream
    peer.loads[load]?.task = nil
    peer.channel.send(.loading(PeerLoading(load: load, size: stream.byteCount.map { max($0, 0) })))
  }

  /// Reads the next chunk for a program. Rejects concurrent reads of one load.
  func read(_ more: PeerMore, for peer: Peer) {
    guard let state = peer.loads[more.load], let stream = state.stream, !state.isBusy else {
      refuse(more.load, .gone, peer)
      return
    }
    peer.deliveries[state.delivery]?.heard(until: MonotonicClock.now + patience.silence)
    peer.loads[more.load]?.task = Task {
      do {
        let bytes = try await stream.next(more.most)
        // Our own loader returned more than requested.
        guard bytes.count <= more.most else { throw Reason.unknown }
        send(bytes, of: more.load, to: peer)
      } catch {
        failed(more.load, error, for: peer)
      }
    }
  }

  /// Sends a chunk; an empty one ends the load.
  private func send(_ bytes: [UInt8], of load: UInt32, to peer: Peer) {
    guard peer.loads[load] != nil, isHere(peer) else { return }
    peer.loads[load]?.task = nil
    if bytes.isEmpty { peer.loads[load] = nil }
    peer.channel.send(piece: bytes, load: load)
  }

  private func failed(_ load: UInt32, _ error: any Error, for peer: Peer) {
    guard peer.loads.removeValue(forKey: load) != nil, isHere(peer) else { return }
    let reason = error is CancellationError ? Reason.interrupted : error as? Reason ?? .unknown
    refuse(load, reason, peer)
  }

  private func refuse(_ load: UInt32, _ reason: Reason, _ peer: Peer) {
    peer.channel.send(.loadFailed(PeerLoadFailure(load: load, reason: reason)))
  }
}
