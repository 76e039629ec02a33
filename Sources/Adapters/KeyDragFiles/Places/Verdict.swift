import KeyDragCore

/// What is known of one carried item when a place is asked.
struct CarriedFacts: Sendable {
  var source: DragSourceID
  var tree: ContainerID?
  /// Its own identity; `nil` when it can't be reached.
  var identity: FolderIdentity?
  /// The identity of the folder that holds it.
  var folder: FolderIdentity?
  /// Whether it is a folder itself, not a link to one.
  var isFolder: Bool
  var byteCount: Int64
  /// Set when it can't be delivered wherever it is dropped.
  var refusal: Reason?
}

/// What is known of a folder that is asked.
struct TargetFacts: Sendable {
  var identity: FolderIdentity
  /// The folder and every folder it lies in, links followed.
  var enclosing: Set<FolderIdentity>
  /// The source it is shown as, where it is shown as one.
  var source: DragSourceID?
  var tree: ContainerID?
  /// Why nothing can be put here; `nil` when it can.
  var refusal: Reason?
  var isReadable: Bool
  /// `nil` when the file system does not say.
  var freeBytes: Int64?
}

/// A folder's verdict on what is carried: rules over facts, no file system.
struct Verdict: Sendable {
  var items: [CarriedFacts]
  var wish: DragOperation?

  /// The items the place takes, by index; predictions are added by who can look.
  func accepted(by proposal: Proposal) -> [Int] {
    switch proposal.acceptance {
    case .all, .maybe: Array(items.indices)
    case .some(let refused): items.indices.filter { refused[$0] == nil }
    case .none, .forbidden, .cancels: []
    }
  }

  func proposal(of target: TargetFacts) -> Proposal {
    if let reason = target.refusal { return .refused(reason) }
    if let wish, !DragOperations.transfer.contains(wish) { return .refused(.operationNotOffered) }
    var refused: [Int: Reason] = [:]
    for index in items.indices {
      if let reason = refusal(of: items[index], at: target) { refused[index] = reason }
    }
    guard refused.count < items.count else {
      return .refused(refused[0] ?? .nothingThere)
    }
    let taken = items.indices.filter { refused[$0] == nil }
    if let free = target.freeBytes, needed(taken, at: target) > free { return .refused(.noSpace) }
    return Proposal(
      refused.isEmpty ? .all : .some(refused: refused), offers: offers(taken, at: target),
      irreversible: target.isReadable ? nil : .writeOnly)
  }

  private func refusal(of item: CarriedFacts, at target: TargetFacts) -> Reason? {
    if let refusal = item.refusal { return refusal }
    if item.source == target.source { return .ownDescendant }
    if item.isFolder, let identity = item.identity, target.enclosing.contains(identity) {
      return .ownDescendant
    }
    // A wish of copy or link makes a second one in the same folder; nothing else changes anything.
    if item.folder == target.identity, wish == nil || wish == .move { return .samePlace }
    return nil
  }

  /// Bytes the accepted items take at the target, as far as it is known without reading folders.
  private func needed(_ taken: [Int], at target: TargetFacts) -> Int64 {
    taken.reduce(into: Int64(0)) { sum, index in
      let item = items[index]
      switch operation(for: item, at: target) {
      case .copy: sum += item.byteCount
      case .move where item.identity?.device != target.identity.device: sum += item.byteCount
      default: break
      }
    }
  }

  private func operation(for item: CarriedFacts, at target: TargetFacts) -> DragOperation {
    if let wish { return wish }
    guard let tree = target.tree, item.tree == tree else { return .copy }
    return .move
  }

  private func offers(_ taken: [Int], at target: TargetFacts) -> DragOperations {
    let stays = taken.contains { items[$0].folder == target.identity }
    return stays ? [.copy, .link] : .transfer
  }
}
