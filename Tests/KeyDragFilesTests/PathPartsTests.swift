import SystemPackage
import Testing

@testable import KeyDragFiles

@Suite("The parts of a path")
struct PathPartsTests {
  @Test(
    "They are those that swift-system finds, byte for byte",
    arguments: [
      "", "/", "a", "/a", "a/b", "/a/b", "/a//b/", ".", "..", "/a/..", "../x", "/ä b/c.d e",
      "/folder/\n", "-", "/-r", "/a/./b", "/a/../b", "/.", "/.../.a", "/..a/b.", "/a./..b",
    ].map { Array($0.utf8) } + [Array("/a/".utf8) + [0xFF, 0xFE], [0xC3]])
  func parts(bytes: [UInt8]) {
    let path = FilePath(rawBytes: bytes)
    #expect(path.name == path.lastComponent.map { FileName($0) })
    #expect(path.folder == path.removingLastComponent())
    #expect(path.name.map { $0.isRegular } == path.lastComponent.map { $0.kind == .regular })
    var (ours, theirs) = (path, path)
    let isAbove = ours.goUp()
    #expect(isAbove == theirs.removeLastComponent() && ours == theirs)
    let isRegular = path.components.allSatisfy { $0.kind == .regular }
    #expect(path.isStraight == (path.isAbsolute && isRegular))
    #expect(path.lies(in: path.removingLastComponent()))
    #expect(!path.lies(in: path.removingLastComponent().appending("other")))
    if let name = path.name {
      #expect(path.hasName(of: FilePath("/elsewhere").appending(name)))
      #expect(!path.hasName(of: path.appending("other")))
    }
  }

  @Test("A name is put after a folder; what is none changes nothing")
  func appending() {
    for folder in ["/", "/a", "b", ""].map({ FilePath($0) }) {
      for name in ["c", ".", "d e", ".hidden"] {
        #expect(folder.appending(FileName(name)) == folder.appending(name))
      }
      for name in ["", "/", "a/b"] { #expect(folder.appending(FileName(name)) == folder) }
    }
  }
}
