import KeyDragCore

/// The facts of one carried item when a place is asked.
///
/// Collected by ``PlaceProbe``; out of date at once.
struct CarriedFacts: Sendable {
  var source: DragSourceID
  /// The root's tree that it was picked up in.
  var tree: ContainerID?
  /// Its own identity; `nil` when it can't be reached.
  var identity: FileIdentity?
  /// The identity of the folder that holds it.
  var folder: FileIdentity?
  /// Whether it is a folder itself, not a link to one.
  var isFolder: Bool
  /// The least that a copy takes. 0 for a folder: how much it holds is not known without reading it.
  var byteCount: Int64
  /// Set when it can't be delivered wherever it is dropped.
  var refusal: Reason?
  /// Why a FAT can't hold it.
  var misfit: Reason?
}

/// The limits of a disk, as far as the type of its file system tells that: FAT and exFAT know neither
/// symbolic links nor a difference of case, and refuse some characters in names.
enum DiskLimits: Hashable, Sendable {
  /// Its files are shorter than 4 GiB, too.
  case fat, exfat

  /// - Parameter type: as statfs(2) numbers it.
  init?(type: Int64) {
    switch type {
    case 0x4d44: self = .fat
    case 0x2011_bab0: self = .exfat
    default: return nil
    }
  }

  /// FAT counts in 32 bits.
  static let largest: Int64 = (4 << 30) - 1

  /// Why neither of them can hold something.
  ///
  /// - Parameter bytes: the length of a file.
  static func misfit(_ name: some Collection<UInt8>, isLink: Bool, bytes: Int64) -> Reason? {
    if name.contains(where: { $0 < 0x20 || refused.contains($0) }) { return .nameRefused }
    return isLink ? .noLinks : bytes > largest ? .tooLarge : nil
  }

  private static let refused = Set("\"*/:<>?\\|".utf8)

  func refuses(for misfit: Reason) -> Bool { misfit != .tooLarge || self == .fat }
}

/// The facts of a folder that is asked.
///
/// Collected by ``PlaceProbe``.
struct TargetFacts: Sendable {
  var identity: FileIdentity
  /// The folder and every folder it lies in, links followed.
  var enclosing: Set<FileIdentity>
  /// The source it is shown as, where it is shown as one.
  var source: DragSourceID?
  /// The root's tree; `nil` where it is asked for items without files.
  var tree: ContainerID?
  /// Why nothing can be put here; `nil` when it can.
  ///
  /// Wins over everything else.
  var refusal: Reason?
  /// `nil` when the file system does not say. In bytes, for this user.
  var freeBytes: Int64?
  /// `nil` where anything that fits will do, or nothing is known.
  var limits: DiskLimits?
}

/// The rules by which a folder takes what is carried, over facts: no file system.
///
/// The items are sorted once by what the rules ask, so that a verdict costs as much as it has
/// exceptions: ten thousand items can be carried past ten thousand folders.
struct FolderRules: Sendable {
  /// Items with the same origin need the same room at a target: whether they are moved by renaming
  /// depends on both.
  private struct Origin: Hashable {
    var tree: ContainerID?
    /// `nil` for what can't be reached.
    var device: UInt64?
  }

  /// How many items are looked at one by one where not all of them fit.
  private static let mostMeasured = 1_000

  let items: [CarriedFacts]
  /// The operation that the person asked for; `nil` for the place's own default.
  let wish: DragOperation?
  /// Items that can't be delivered wherever they are dropped, by index.
  let undeliverable: [Int: Reason]
  /// Indices of items, by the folder that holds them.
  private var byFolder: [FileIdentity: [Int]] = [:]
  /// Indices of carried folders, by their own inode: two paths may lead to one.
  private var folders: [FileIdentity: [Int]] = [:]
  /// Index of the item with this source.
  private var bySource: [DragSourceID: Int] = [:]
  /// Sums of bytes.
  private var bytes: [Origin: Int64] = [:]
  /// Indices of the items that a FAT can't hold.
  private var misfits: [Int] = []

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
      if item.isFolder, let identity = item.identity {
        folders[identity, default: []].append(index)
      }
      if item.misfit != nil { misfits.append(index) }
      bySource[item.source] = index
      bytes[Self.origin(item), default: 0] += item.byteCount
    }
    self.undeliverable = undeliverable
  }

  /// The items the place takes, by index; predictions are added by who can look.
  ///
  /// - Parameter proposal: one that these rules have made.
  func accepted(by proposal: DropProposal) -> some Sequence<Int> {
    let refused: (Int) -> Bool =
      switch proposal.acceptance {
      case .all, .maybe: { _ in false }
      case .some(let refused): { refused[$0] != nil }
      case .none, .forbidden, .cancels: { _ in true }
      }
    return items.indices.lazy.filter { !refused($0) }
  }

  /// The verdict, by the first reason that refuses all: the folder's own, the wish, the items', the
  /// space.
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
      // At each of thousands of places it would take too long.
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

  /// By index: what can't be delivered anywhere, and what does not fit here.
  private func refusals(at target: TargetFacts) -> [Int: Reason] {
    undeliverable.merging(misfits(at: target)) { $1 }
  }

  /// The items that would change nothing in a folder, or be put into themselves, by index.
  func misfits(at target: TargetFacts) -> [Int: Reason] {
    var refused: [Int: Reason] = [:]
    // A wish of copy or link makes a second one in the same folder; nothing else changes anything.
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

  /// Bytes the accepted items take at the target, as far as it is known without reading folders.
  private func needed(at target: TargetFacts, without refused: [Int: Reason]) -> Int64 {
    var needed: Int64 = 0
    for (origin, sum) in bytes where takesSpace(origin, at: target) { needed += sum }
    // Refused items were counted in with their origin.
    for index in refused.keys where undeliverable[index] == nil {
      if takesSpace(Self.origin(items[index]), at: target) { needed -= items[index].byteCount }
    }
    return needed
  }

  /// Refuses what no room is left for beside the items before it; a smaller one after it may fit.
  private func refuseTooLarge(
    for free: Int64, at target: TargetFacts, _ refused: inout [Int: Reason]
  ) {
    var left = free
    for (index, item) in items.enumerated() where refused[index] == nil {
      guard takesSpace(Self.origin(item), at: target) else { continue }
      if item.byteCount > left { refused[index] = .noSpace } else { left -= item.byteCount }
    }
  }

  /// Whether an item will be copied to the target, not renamed.
  func isWritten(_ index: Int, at target: TargetFacts) -> Bool {
    takesSpace(Self.origin(items[index]), at: target)
  }

  /// Whether its bytes will be written at the target: a move on one device and a link need none.
  private func takesSpace(_ origin: Origin, at target: TargetFacts) -> Bool {
    let isSameTree = target.tree != nil && origin.tree == target.tree
    switch wish ?? (isSameTree ? .move : .copy) {
    case .copy: return true
    case .move: return origin.device != target.identity.device
    case .link, .open, .remove: return false
    }
  }

  /// Without a move where an accepted item is in that folder already.
  private func offers(at target: TargetFacts, _ refused: [Int: Reason]) -> DragOperations {
    let stays = (byFolder[target.identity] ?? []).contains { refused[$0] == nil }
    return stays ? [.copy, .link] : .transfer
  }

  private static func origin(_ item: CarriedFacts) -> Origin {
    Origin(tree: item.tree, device: item.identity?.device)
  }
}
