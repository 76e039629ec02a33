import Testing

@Suite struct ArchitectureTests {
  @Test("imports follow the arrows")
  func imports() throws {
    let files = try ProjectTree.files()
    #expect(files.flatMap(\.imports).count > 10, "no imports were found: the tree was not read")
    #expect(Rules.wrongImports(files) == [])
  }

  @Test("only the executable prints")
  func printing() throws {
    #expect(Rules.printing(try ProjectTree.files()) == [])
  }

  @Test("the top level holds what it should")
  func topLevel() throws {
    let names = try ProjectTree.topLevel()
    #expect(names.contains("Package.swift"))
    #expect(Rules.strangers(atTop: names) == [])
  }

  @Test("no file is too long")
  func length() throws {
    #expect(Rules.tooLong(try ProjectTree.files()) == [])
  }

  @Test("no path of one computer is written down")
  func paths() throws {
    #expect(Rules.absolutePaths(try ProjectTree.files(), here: ProjectTree.here) == [])
  }
}
