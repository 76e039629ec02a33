import Testing

@Suite struct ArchitectureTests {
  @Test("imports follow the arrows")
  func imports() throws {
    let files = try ProjectTree.files()
    #expect(files.flatMap(\.imports).count > 10, "no imports were found: the tree was not read")
    #expect(Rules.wrongImports(files) == [])
  }

  @Test("the picture in the article on architecture has each arrow that is used, and no other")
  func picture() throws {
    let files = try ProjectTree.files()
    let article = try #require(files.first { $0.path.hasSuffix("KeyDrag.docc/Architecture.md") })
    let drawn = Rules.drawnArrows(article)
    #expect(drawn.count > 30, "no picture was read")
    #expect(drawn == Rules.usedArrows(files))
  }

  @Test("each row of behaviour is named by a test, and no test names a row that is none")
  func behaviour() throws {
    let files = try ProjectTree.files()
    let table = try #require(files.first { $0.path == "Tests/Behaviour.md" })
    let rows = Rules.rows(table)
    #expect(rows.count > 80, "no rows were read")
    let named = Rules.rowsOfTests(files)
    #expect(rows.subtracting(named) == [])
    #expect(named.subtracting(rows) == [])
  }

  @Test("each test that the article on trust names is there")
  func trust() throws {
    let files = try ProjectTree.files()
    let article = try #require(files.first { $0.path.hasSuffix("/What-KeyDrag-trusts.md") })
    let named = article.lines.joined(separator: " ").split(separator: "`")
      .filter { $0.hasSuffix("Tests") }
    #expect(named.count > 10, "no names were read")
    let declared = Set(
      files.filter { $0.path.hasPrefix("Tests/") }.flatMap(\.lines)
        .compactMap { line in
          line.split(separator: "struct ").last?.prefix { $0.isLetter || $0.isNumber }
        })
    #expect(named.filter { !declared.contains($0) } == [])
  }

  @Test("no more than four files name each other's types in a circle")
  func circles() throws {
    let groups = Circles.groups(try ProjectTree.files())
    #expect(!groups.isEmpty, "no circle was found: the code was not read")
    #expect(groups.filter { $0.count > 4 } == [])
  }

  @Test("only the executable prints")
  func printing() throws {
    #expect(Rules.printing(try ProjectTree.files()) == [])
  }

  @Test(
    "the loop, the library and the desktop wait, and read the time, by the clock they are given")
  func time() throws {
    let files = try ProjectTree.files()
    #expect(files.contains { $0.module == "KeyDragDesktop" }, "no file of it was read")
    #expect(Rules.ownTime(files) == [])
  }

  @Test("the top level holds what it should")
  func topLevel() throws {
    let names = try ProjectTree.topLevel()
    #expect(names.contains("Package.swift"))
    #expect(Rules.strangers(atTop: names) == [])
  }

  @Test("no type has a name that was given up for a clearer one")
  func names() throws {
    #expect(Rules.unclearNames(try ProjectTree.files()) == [])
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
