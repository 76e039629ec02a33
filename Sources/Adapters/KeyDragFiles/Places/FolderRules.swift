import KeyDragCore

/// Facts about one carried item, collected by ``PlaceProbe``. Outdated at once.
struct CarriedFacts: Sendable {
  var source: DragSourceID
  /// Tree of the root it was picked up in.
  var tree: ContainerID?
  /// `nil` if it can't be reached.
  var identity: FileIdentity?
  /// The parent folder.
  var folder: FileIdentity?
  /// Of the item itself, not of what a link leads to; `nil` if it can't be reached.
  var kind: FileKind?
  /// 0 for a folder, whose size is unknown without reading it.
  var byteCount: Int64
  /// Why it can't be delivered anywhere.
  var refusal: Reason?
  /// Why a FAT can't store it.
  var misfit: Reason?
}

/// Limits implied by the file system type: FAT and exFAT have no symbolic links, ignore case, and
/// reject some characters.
enum DiskLimits: Hashable, Sendable {
  /// FAT also limits files to 4 GiB - 1.
  case fat, exfat

  /// - Parameter type: as in statfs(2).
  init?(type: Int64) {
    switch type {
    case 0x4d44: self = .fat
    case 0x2011_bab0: self = .exfat
    default: return nil
    }
  }

  /// FAT stores sizes in 32 bits.
  static let largest: Int64 = (4 << 30) - 1

  /// Why FAT, or both, can't store something.
  ///
  /// - Parameter bytes: the size of a file.
  static func misfit(_ name: some Collection<UInt8>, isLink: Bool, bytes: Int64) -> Reason? {
    if name.contains(where: { $0 < 0x20 || refused.contains($0) }) { return .nameRefused }
    return isLink ? .noLinks : bytes > largest ? .tooLarge : nil
  }

  private static let refused = Set("\"*/:<>?\\|".utf8)

  func refuses(for misfit: Reason) -> Bool { misfit != .tooLarge || self == .fat }
}

struct TargetFacts: Sendable {
  var identity: FileIdentity
  /// The folder and its ancestors, with links resolved.
  var enclosing: Set<FileIdentity>
  /// The drag source it is listed as; `nil` if it is not.
  var source: DragSourceID?
  /// Tree of its root; `nil` for items without files.
  var tree: ContainerID?
  /// Why nothing can be dropped here; takes precedence over everything else.
  var refusal: Reason?
  /// In bytes, for this user; `nil` if the file system does not report it.
  var freeBytes: Int64?
  /// `nil` if there are none or they are unknown.
  var limits: DiskLimits?
}

/// The rules for dropping items onto a folder, without disk access.
///
/// Items are indexed once, so that each verdict costs only as much as it has exceptions: ten
/// thousand items can be carried past ten thousand folders.
struct FolderRules: Sendable {
  /// Items with the same origin need space at the same targets, since both ends decide whether a
  /// move is a rename.
  private struct Origin: Hashable {
    var tree: ContainerID?
    /// `nil` if it can't be reached.
    var device: UInt64?
  }

  /// Limit on items measured individually if not all of them fit.
  private static let mostMeasured = 1_000

  let items: [CarriedFacts]
  /// The operation that the user asked for; `nil` for the default.
  let wish: DragOperation?
  /// By index.
  let undeliverable: [Int: Reason]
  private var byFolder: [FileIdentity: [Int]] = [:]
  /// Indices of carried folders by inode, since several paths may lead to one.
  private var folders: [FileIdentity: [Int]] = [:]
  private var bySource: [DragSourceID: Int] = [:]
  private var bytes: [Origin: Int64] = [:]
  private var misfits: [Int] = []
  /// Folders and links.
  private(set) var trees: [Int] = []

  init(items: [CarriedFacts], wish: DragOperation?) {
    self.items = items
    self.wish = wish
    var undeliverable: [Int: Reason] = [:]
    for (index, item) in items.enumerated() {
      if let refusal = item.refusal {
        undeliverable[index] = refusal
        continue
      }
      if let folder = item.folder { byFolder[folder, default: []].append(index) }
      if item.kind == .folder, let identity = item.identity {
        folders[identity, default: []].append(index)
      }
      if item.misfit != nil { misfits.append(index) }
      if item.kind == .folder || item.kind == .link { trees.append(index) }
      bySource[item.source] = index
      bytes[Self.origin(item), default: 0] += item.byteCount
    }
    self.undeliverable = undeliverable
  }

  /// Indices of accepted items.
  ///
  /// - Parameter proposal: made by these rules.
  func accepted(by proposal: DropProposal) -> some Sequence<Int> {
    items.indices.lazy.filter(acceptance(by: proposal))
  }

  /// Accepted folders and links.
  func trees(acceptedBy proposal: DropProposal) -> [Int] {
    trees.filter(acceptance(by: proposal))
  }

  private func acceptance(by proposal: DropProposal) -> (Int) -> Bool {
    switch proposal.acceptance {
    case .all, .maybe: { _ in true }
    case .some(let refused): { refused[$0] == nil }
    case .none, .forbidden, .cancels: { _ in false }
    }
  }

  /// The verdict. The first reason that refuses all items decides: the folder's own, the wish, the
  /// items', or the space.
  func proposal(of target: TargetFacts) -> DropProposal {
    if let reason = target.refusal { return .refused(reason) }
    if let wish, !DragOperations.transfer.contains(wish) { return .refused(.operationNotOffered) }
    var refused = refusals(at: target)
    if let limits = target.limits {
      if wish == .link { return .refused(.noLinks) }
      for index in misfits where refused[index] == nil && isWritten(index, at: target) {
        if let reason = items[index].misfit, limits.refuses(for: reason) { refused[index] = reason }
      }
    }
    if refused.count < items.count, let free = target.freeBytes,
      needed(at: target, without: refused) > free
    {
      // Too slow at each of thousands of places.
      guard items.count <= Self.mostMeasured else { return .refused(.noSpace) }
      refuseTooLarge(for: free, at: target, &refused)
    }
    guard refused.count < items.count else {
      // The first item's reason stands for all of them.
      return .refused(refused[0] ?? .nothingThere)
    }
    return DropProposal(
      refused.isEmpty ? .all : .some(refused: refused), offers: offers(at: target, refused))
  }

  /// Undeliverable items and those that do not fit here, by index.
  private func refusals(at target: TargetFacts) -> [Int: Reason] {
    undeliverable.merging(misfits(at: target)) { $1 }
  }

  /// Items that would not change or would contain themselves, by index.
  func misfits(at target: TargetFacts) -> [Int: Reason] {
    var refused: [Int: Reason] = [:]
    // Copying or linking duplicates an item in its own folder; moving changes nothing.
    if wish == nil || wish == .move {
      for index in byFolder[target.identity] ?? [] { refused[index] = .samePlace }
    }
    if !folders.isEmpty {
      for identity in target.enclosing {
        for index in folders[identity] ?? [] { refused[index] = .ownDescendant }
      }
    }
    if let source = target.source, let index = bySource[source] { refused[index] = .ownDescendant }
    return refused
  }

  /// Bytes needed by accepted items, as far as known without reading folders.
  private func needed(at target: TargetFacts, without refused: [Int: Reason]) -> Int64 {
    var needed: Int64 = 0
    for (origin, sum) in bytes where takesSpace(origin, at: target) { needed += sum }
    // Refused items were included in their origin's total.
    for index in refused.keys where undeliverable[index] == nil {
      if takesSpace(Self.origin(items[index]), at: target) { needed -= items[index].byteCount }
    }
    return needed
  }

  /// Refuses items that don't fit after the previous ones; a smaller one later may still fit.
  private func refuseTooLarge(
    for free: Int64, at target: TargetFacts, _ refused: inout [Int: Reason]
  ) {
    var left = free
    for (index, item) in items.enumerated() where refused[index] == nil {
      guard takesSpace(Self.origin(item), at: target) else { continue }
      if item.byteCount > left { refused[index] = .noSpace } else { left -= item.byteCount }
    }
  }

  func isWritten(_ index: Int, at target: TargetFacts) -> Bool {
    takesSpace(Self.origin(items[index]), at: target)
  }

  /// Whether bytes are written at the target: not for a link or a move on one device.
  private func takesSpace(_ origin: Origin, at target: TargetFacts) -> Bool {
    switch operation(of: origin, at: target) {
    case .copy: return true
    case .move: return origin.device != target.identity.device
    case .link, .open, .remove: return false
    }
  }

  func isMoved(_ index: Int, to target: TargetFacts) -> Bool {
    operation(of: Self.origin(items[index]), at: target) == .move
  }

  private func operation(of origin: Origin, at target: TargetFacts) -> DragOperation {
    wish ?? (target.tree != nil && origin.tree == target.tree ? .move : .copy)
  }

  /// Without a move if an accepted item is already in that folder.
  private func offers(at target: TargetFacts, _ refused: [Int: Reason]) -> DragOperations {
    let stays = (byFolder[target.identity] ?? []).contains { refused[$0] == nil }
    return stays ? [.copy, .link] : .transfer
  }

  private static func origin(_ item: CarriedFacts) -> Origin {
    Origin(tree: item.tree, device: item.identity?.device)
  }
}
