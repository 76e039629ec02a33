import KeyDragCore
import Testing

@testable import KeyDragFiles

/// The rules alone: no file system.
@Suite("Places: rules of a verdict")
struct PlacesVerdictTests {
  private static let tree = ContainerID(0)

  private static func identity(_ inode: UInt64, on device: UInt64 = 1) -> FileIdentity {
    FileIdentity(device: device, inode: inode)
  }

  private static func item(
    _ number: UInt64, in folder: UInt64 = 100, isFolder: Bool = false, bytes: Int64 = 10,
    device: UInt64 = 1, refusal: Reason? = nil
  ) -> CarriedFacts {
    CarriedFacts(
      source: DragSourceID(number), tree: tree, identity: identity(number, on: device),
      folder: identity(folder, on: device), kind: isFolder ? .folder : .file, byteCount: bytes,
      refusal: refusal, misfit: DiskLimits.misfit("name".utf8, isLink: false, bytes: bytes))
  }

  private static func target(
    _ inode: UInt64, inside: [UInt64] = [], source: UInt64? = nil, tree: ContainerID? = tree,
    refusal: Reason? = nil, free: Int64? = 1_000
  ) -> TargetFacts {
    TargetFacts(
      identity: identity(inode), enclosing: Set((inside + [inode]).map { identity($0) }),
      source: source.map { DragSourceID($0) }, tree: tree, refusal: refusal,
      freeBytes: free)
  }

  private func answer(
    _ items: [CarriedFacts], _ target: TargetFacts, wish: DragOperation? = nil
  ) -> DropProposal {
    FolderRules(items: items, wish: wish).proposal(of: target)
  }

  @Test("K10: the folder it lies in changes nothing, unless a second one is wished for")
  func samePlace() {
    let target = Self.target(100)
    #expect(answer([Self.item(1)], target) == .refused(.samePlace))
    #expect(answer([Self.item(1)], target, wish: .move) == .refused(.samePlace))
    #expect(
      answer([Self.item(1)], target, wish: .copy) == DropProposal(.all, offers: [.copy, .link]))
    #expect(
      answer([Self.item(1)], target, wish: .link) == DropProposal(.all, offers: [.copy, .link]))
  }

  @Test("K10: a folder takes neither itself nor what it lies in, whatever is wished")
  func ownDescendant() {
    let folder = Self.item(5, isFolder: true)
    for wish in [nil, .copy, .move, .link] as [DragOperation?] {
      #expect(answer([folder], Self.target(5), wish: wish) == .refused(.ownDescendant))
      #expect(
        answer([folder], Self.target(9, inside: [5, 100]), wish: wish) == .refused(.ownDescendant))
    }
    #expect(answer([folder], Self.target(9, inside: [100])).acceptance == .all)
    // A link to a folder is shown as a place too, but carries nothing of the folder with it.
    #expect(answer([Self.item(6)], Self.target(9, source: 6)) == .refused(.ownDescendant))
    #expect(answer([Self.item(6)], Self.target(9, inside: [6])).acceptance == .all)
  }

  @Test("H27: a place that takes only some says which it refuses, and why")
  func partial() {
    let items = [Self.item(1), Self.item(5, in: 200), Self.item(7, refusal: .gone)]
    #expect(
      answer(items, Self.target(100)).acceptance == .some(refused: [0: .samePlace, 2: .gone]))
    let verdict = FolderRules(items: items, wish: nil)
    #expect(Array(verdict.accepted(by: verdict.proposal(of: Self.target(100)))) == [1])
  }

  @Test(
    "H13: what the folder itself forbids is the answer",
    arguments: [Reason.readOnly, .notPermitted, .gone])
  func targetRefuses(reason: Reason) {
    #expect(answer([Self.item(1)], Self.target(7, refusal: reason)) == .refused(reason))
  }

  @Test("H06: a file of five GiB is refused by a disk whose files end at four, and the rest goes")
  func largest() {
    let big = Self.item(1, bytes: 5 << 30, device: 2)
    var fat = Self.target(7, free: 9 << 40)
    fat.limits = DiskLimits(type: 0x4d44)
    for wish in [nil, .copy, .move] as [DragOperation?] {
      #expect(answer([big], fat, wish: wish) == .refused(.tooLarge))
    }
    #expect(
      answer([Self.item(2, device: 2), big], fat).acceptance == .some(refused: [1: .tooLarge]))
    #expect(answer([Self.item(1, bytes: (4 << 30) - 1, device: 2)], fat).acceptance == .all)
    #expect(answer([big], fat, wish: .link) == .refused(.noLinks))
    // A move on its own disk takes no room there.
    #expect(answer([Self.item(1, bytes: 5 << 30)], fat).acceptance == .all)
    fat.limits = DiskLimits(type: 0x2011_bab0)
    #expect(answer([big], fat).acceptance == .all)
    #expect(DiskLimits(type: 0xef53) == nil)
  }

  @Test("H02, H06: only what is really copied has to fit")
  func space() {
    let big = Self.item(1, bytes: 2_000)
    #expect(answer([big], Self.target(7)).acceptance == .all)
    #expect(answer([big], Self.target(7), wish: .copy) == .refused(.noSpace))
    #expect(answer([big], Self.target(7), wish: .link).acceptance == .all)
    #expect(answer([big], Self.target(7, tree: ContainerID(4))) == .refused(.noSpace))
    #expect(answer([big], Self.target(7, tree: nil)) == .refused(.noSpace))
    #expect(answer([big], Self.target(7, free: nil), wish: .copy).acceptance == .all)
    let elsewhere = Self.item(1, bytes: 2_000, device: 2)
    #expect(answer([elsewhere], Self.target(7)) == .refused(.noSpace))
    #expect(answer([elsewhere], Self.target(7), wish: .move) == .refused(.noSpace))
  }

  @Test("H27: what is refused takes no space")
  func spaceOfAccepted() {
    let items = [Self.item(1, bytes: 900), Self.item(5, in: 200, isFolder: true, bytes: 900)]
    let target = Self.target(9, inside: [5], free: 1_000)
    #expect(answer(items, target, wish: .copy).acceptance == .some(refused: [1: .ownDescendant]))
    #expect(
      answer(items, Self.target(9, free: 1_000), wish: .copy).acceptance
        == .some(refused: [1: .noSpace]))
  }

  @Test(
    "H27: what is too large beside the others is refused by itself, and smaller ones after it fit")
  func spaceByItem() {
    let items = [900, 5_000, 300, 50, 1].enumerated().map { Self.item(UInt64($0 + 1), bytes: $1) }
    #expect(
      answer(items, Self.target(9, free: 1_000), wish: .copy).acceptance
        == .some(refused: [1: .noSpace, 2: .noSpace]))
    #expect(answer([items[1]], Self.target(9, free: 1_000), wish: .copy) == .refused(.noSpace))
  }

  @Test("H07: a thousand items are carried past a thousand places, each with the right answer")
  func many() {
    let items = (0..<1_000).map { Self.item($0, in: 5_000, isFolder: true, bytes: 0) }
    let verdict = FolderRules(items: items, wish: nil)
    for number in 0..<1_000 as Range<UInt64> {
      #expect(
        verdict.proposal(of: Self.target(number, inside: [5_000])).acceptance
          == .some(refused: [Int(number): .ownDescendant]))
    }
    #expect(verdict.proposal(of: Self.target(5_000)) == .refused(.samePlace))
  }

  @Test("K12: opening and removing are no wishes a folder can meet")
  func wishes() {
    #expect(answer([Self.item(1)], Self.target(7), wish: .open) == .refused(.operationNotOffered))
    #expect(answer([], Self.target(7)) == .refused(.nothingThere))
  }
}
