import KeyDragCore

/// Conversions between messages and core values.
extension PeerItem {
  /// - Parameter isDropped: includes sizes, which are sent only with a drop.
  init(
    _ item: DragItem, types: [String], suggested: String, path: [UInt8]?, isDropped: Bool
  ) {
    let name = path?.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    self.init(
      // An older program rejects a message with a kind that it does not know.
      name: item.name, kind: (item.kind == .brokenLink ? .link : item.kind).rawValue,
      types: Array(types.filter(PeerCheck.isType).prefix(PeerLimits.types)),
      typeName: item.typeName, size: isDropped ? item.byteCount : nil,
      file: name.map(HexName.text),
      suggested: suggested == item.name ? nil : suggested)
    // The item is private to its program: nothing can be transferred.
    if self.types.isEmpty { self.types = [ItemProvider.objectType] }
  }

  /// The received item, which can only be copied.
  func item(_ source: DragSourceID, container: ContainerID) -> DragItem {
    DragItem(
      source: source, name: name, kind: ItemKind(rawValue: kind) ?? .object, types: types,
      typeName: typeName, container: container, tree: nil, allowed: .copy, byteCount: size)
  }
}

extension PeerStop {
  init(_ stop: DropStop) {
    self.init(point: stop.point.rawValue, position: stop.position.rawValue)
  }

  func stop(of owner: IDOwner) -> DropStop {
    DropStop(DropPointID(point, of: owner), DropPosition(rawValue: position) ?? .on)
  }
}

extension PeerPlaces {
  init(_ listing: Listing) {
    let container = listing.container
    self.init(
      container: container.id.rawValue, name: container.name,
      enclosing: container.enclosing?.rawValue, isOrdered: container.isOrdered,
      points: (listing.dropPoints ?? []).filter { $0.task == nil }.prefix(PeerLimits.points).map {
        PeerPoint(
          id: $0.id.rawValue, name: $0.name, positions: $0.positions.rawValue,
          leadsTo: $0.leadsTo?.rawValue)
      })
  }
}

extension PeerAnswer {
  init(_ answer: Answer) {
    let proposal = answer.proposal
    self.init(
      stop: PeerStop(answer.stop), verdict: .all, reason: nil, refused: [:],
      offers: proposal.offers.rawValue, clashes: [], becomes: [], steps: [], files: [],
      irreversible: proposal.irreversible)
    switch proposal.acceptance {
    case .all: break
    case .some(let refused):
      verdict = .some
      self.refused = refused
    case .none(let reason):
      verdict = .none
      self.reason = reason
    case .forbidden(let reason):
      verdict = .forbidden
      self.reason = reason
    case .maybe: verdict = .maybe
    case .cancels: verdict = .cancels
    }
    for prediction in proposal.predictions { add(prediction) }
  }

  private mutating func add(_ prediction: Prediction) {
    switch prediction {
    case .nameClash(let names): clashes += names.prefix(PeerLimits.names - clashes.count)
    case .becomes(let words): if becomes.count < PeerLimits.names { becomes.append(words) }
    case .stepsDown(let types): steps += types.prefix(PeerLimits.names - steps.count)
    case .becomesFiles(let counts):
      files += counts.prefix(PeerLimits.types - files.count).map {
        FileCount(ending: $0.ending, count: min(max($0.count, 0), PeerLimits.items))
      }
    // Another KeyDrag program accepts files themselves, and reports skipped entries at the end.
    case .becomesPaths, .leavesOut, .leadsNowhere: break
    // Only whether the program can undo it matters here, not how it handles the drop.
    case .inProgram(isPasted: _, let undo): if undo == .impossible { isLasting = true }
    }
  }

  private var predictions: [Prediction] {
    var predictions: [Prediction] = clashes.isEmpty ? [] : [.nameClash(clashes)]
    predictions += becomes.map { .becomes($0) }
    if !steps.isEmpty { predictions.append(.stepsDown(to: steps)) }
    if !files.isEmpty {
      predictions.append(.becomesFiles(files))
    }
    if isLasting == true { predictions.append(.inProgram(isPasted: false, undo: .impossible)) }
    return predictions
  }

  /// Without most names, so that it surely fits into a message.
  var brief: PeerAnswer {
    var answer = self
    answer.clashes = Array(clashes.prefix(2))
    answer.becomes = Array(becomes.prefix(1))
    answer.steps = Array(steps.prefix(2))
    answer.files = Array(files.prefix(2))
    answer.refused = refused.filter { $0.key < 100 }
    if verdict == .some, answer.refused.isEmpty {
      answer.refused = [refused.keys.min() ?? 0: .unknown]
    }
    return answer
  }

  /// As a proposal for this many items. Other programs only copy, and can't end a session.
  func proposal(items: Int) -> DropProposal {
    let reason = reason ?? .unknown
    let offers = DragOperations(rawValue: offers).intersection(.copy)
    var acceptance = Acceptance.all
    switch verdict {
    case .all: break
    case .none: return .refused(reason)
    case .forbidden: return DropProposal(.forbidden(reason), offers: [])
    case .cancels: return .refused(.operationNotOffered)
    case .maybe: acceptance = .maybe
    case .some:
      let known = refused.filter { (0..<items).contains($0.key) }
      if known.count == items { return .refused(known[0] ?? .unknown) }
      if !known.isEmpty { acceptance = .some(refused: known) }
    }
    return DropProposal(
      acceptance, offers: offers, predictions: predictions,
      irreversible: irreversible)
  }
}

extension PeerProgress {
  init(_ delivery: UInt32, _ progress: DeliveryProgress) {
    self.init(
      delivery: delivery, items: min(max(progress.itemsDone, 0), PeerLimits.items),
      bytes: max(progress.bytesDone, 0), total: progress.bytesTotal.map { max($0, 0) },
      share: progress.thousandths.map { min(max($0, 0), 1000) })
  }

  /// Bounded by the actual totals.
  func progress(items most: Int) -> DeliveryProgress {
    DeliveryProgress(
      itemsDone: min(items, most), bytesDone: total.map { min(bytes, $0) } ?? bytes,
      bytesTotal: total, thousandths: share)
  }
}

extension PeerResult {
  init(_ delivery: UInt32, _ result: DeliveryResult) {
    self.init(
      delivery: delivery, outcome: result.outcome.rawValue,
      delivered: min(max(result.delivered, 0), PeerLimits.items),
      failures: Array(result.failures.prefix(PeerLimits.names)), bytes: max(result.bytes, 0),
      total: max(result.totalBytes, 0),
      verified: result.verified,
      landed: result.landings.prefix(PeerLimits.names).map(\.name),
      renamed: Array(result.renamed.prefix(PeerLimits.names)),
      lost: Array(result.lostAttributes.prefix(PeerLimits.names)))
  }

  /// Without most names, so that it surely fits into a message.
  var brief: PeerResult {
    var result = self
    result.failures = Array(failures.prefix(20))
    result.landed = Array(landed.prefix(20))
    result.renamed = Array(renamed.prefix(20))
    result.lost = Array(lost.prefix(20))
    return result
  }

  /// As a result for this many items. If it contradicts itself, the worse claim counts.
  func result(items: Int) -> DeliveryResult {
    let delivered = min(delivered, items)
    var outcome = DeliveryOutcome(rawValue: outcome) ?? .unconfirmed
    if outcome == .delivered, delivered < items || !failures.isEmpty {
      outcome = delivered > 0 ? .partly : .failed
    }
    return DeliveryResult(
      outcome: outcome, route: .peer, delivered: delivered,
      failures: Array(failures.prefix(items)), bytes: bytes, totalBytes: max(total, bytes),
      verified: verified && outcome != .failed,
      renamed: Array(renamed.prefix(items)), lostAttributes: lost)
  }
}
