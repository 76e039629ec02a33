import Glibc
import KeyDragCore
import KeyDragTypes
import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("What is left of files that programs were given", .timeLimit(.minutes(2)))
struct OutgoingFolderTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  /// A folder with a card in it, as it was written.
  private func given() throws -> (folder: OutgoingFolder, card: FilePath) {
    let folder = try OutgoingFolder(in: bench.a)
    let card = try folder.makeFolder(1) / "Ada.vcf"
    try card.write("card")
    try folder.note(FileName("Ada.vcf"), FileCalls.status(card), in: FileName("1"))
    return (folder, card)
  }

  /// The same when nobody holds it any more, as after the end of its process.
  private func left() throws -> FilePath { try given().card }

  @Test("What is left goes, and so does a file that never became whole; what is in use stays")
  func sweep() throws {
    let left = try left()
    try (left.removingLastComponent() / ".keydrag-0123456789abcdef.part").write("ca")
    let living = try given()
    #expect(bench.a.names.count == 2)
    ItemPayload.sweep(bench.a)
    #expect(bench.a.names.count == 1)
    #expect(living.card.contents == Array("card".utf8))
    withExtendedLifetime(living.folder) {}
  }

  @Test("What a program was given stays for a day while nobody knows what became of it")
  func unknown() throws {
    let day: Int64 = 24 * 60 * 60 * 1_000_000_000
    let now = timespec.now.nanoseconds
    func left(_ write: (OutgoingFolder) throws -> Void) throws -> FilePath {
      let (folder, card) = try given()
      try write(folder)
      return card
    }
    let one = FileName("1")
    let open = try left { try $0.give(one) }
    let settled = try left { _ in }
    let old = try left { try $0.give(one, at: now - day) }
    let ahead = try left { try $0.give(one, at: now + 2 * day) }
    ItemPayload.sweep(bench.a)
    #expect(open.contents == Array("card".utf8))
    for gone in [settled, old, ahead] { #expect((try? FileCalls.status(gone)) == nil) }
    #expect(bench.a.names.count == 1)
  }

  @Test("At the end of one what is left of others goes too")
  func end() throws {
    _ = try left()
    let held = ItemPayload(types: SystemContentTypes(), courier: bench.courier, folder: bench.a)
    held.removeFiles()
    #expect(bench.a.names.isEmpty)
  }

  @Test("What someone has made of a file stays, beside what goes")
  func work() throws {
    let (edited, plain) = (try left(), try left())
    try edited.write("a longer card")
    ItemPayload.sweep(bench.a)
    #expect(edited.contents == Array("a longer card".utf8))
    #expect((try? FileCalls.status(plain)) == nil)
    #expect(bench.a.names.count == 1)
  }

  @Test("No symbolic link is followed, and a folder that others could reach is nobody's")
  func strangers() throws {
    let other = bench.b / "1"
    _ = try FileCalls.checked { other.withPlatformString { mkdir($0, 0o700) } }
    try (other / ".keydrag-0123456789abcdef.part").write("theirs")
    let link = bench.a / "keydrag-00000000000000aa"
    _ = try FileCalls.checked {
      link.withPlatformString { new in bench.b.withPlatformString { symlink($0, new) } }
    }
    let left = try left()
    let inner = left.removingLastComponent().removingLastComponent() / "2"
    _ = try FileCalls.checked {
      inner.withPlatformString { new in other.withPlatformString { symlink($0, new) } }
    }
    let open = bench.a / "keydrag-00000000000000bb"
    _ = try FileCalls.checked { open.withPlatformString { mkdir($0, 0o700) } }
    _ = try FileCalls.checked { open.withPlatformString { chmod($0, 0o755) } }
    ItemPayload.sweep(bench.a)
    #expect((other / ".keydrag-0123456789abcdef.part").contents == Array("theirs".utf8))
    #expect((try? FileCalls.status(left)) == nil)
    #expect((try? FileCalls.status(open)) != nil && (try? FileCalls.status(link)) != nil)
    #expect((try? FileCalls.status(inner)) != nil)
  }

  @Test("A record that is a file of others by another name is neither written nor believed")
  func recordOfOthers() throws {
    let (folder, card) = try given()
    let record = folder.path / "record"
    let theirs = bench.b / "theirs"
    try theirs.write(record.contents ?? [])
    try FileCalls.checked {
      record.withPlatformString { own in
        theirs.withPlatformString { unlink(own) + link($0, own) }
      }
    }
    let before = theirs.contents
    #expect(throws: OwnFolder.NotOwn.self) { try folder.give(FileName("1")) }
    folder.clean()
    #expect(theirs.contents == before && card.contents == Array("card".utf8))
  }

  @Test(
    "What another person was given is not removed, even by one who could",
    .enabled("needs root, who alone can give a folder to somebody else") { getuid() == 0 })
  func otherPerson() throws {
    let card = try left()
    let inner = card.removingLastComponent()
    let folder = inner.removingLastComponent()
    func give(to person: uid_t) throws {
      for path in [card, inner, folder / "record", folder] {
        _ = try FileCalls.checked { path.withPlatformString { lchown($0, person, person) } }
      }
    }
    try give(to: 65534)
    ItemPayload.sweep(bench.a)
    #expect(card.contents == Array("card".utf8))
    try give(to: getuid())
    ItemPayload.sweep(bench.a)
    #expect(bench.a.names.isEmpty)
  }
}
