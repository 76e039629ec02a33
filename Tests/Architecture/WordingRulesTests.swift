import Testing

@Suite struct WordingRulesTests {
  @Test("every sentence that a person can meet comes from the phrasebook")
  func sentences() throws {
    let files = try ProjectTree.files()
    let found = files.filter { $0.path.hasPrefix("Sources/keydrag/") }
      .flatMap { StringLiterals.all(in: $0) }.filter { $0.call == "phrase" }
    #expect(found.count > 100, "no sentences were found: the tree was not read")
    #expect(Rules.untranslated(files) == [])
    #expect(Rules.needlessExceptions(files) == [])
  }

  @Test(
    "a sentence that bypasses the phrasebook is found, what only looks like one is not",
    arguments: [
      (#"report("There is no file.")"#, true), (#"let a = "Trash""#, true),
      (#"let a = "the folder""#, true), (#"let hint = " Did you mean \(name)?""#, true),
      (#"phrases.phrase("%1$@ is gone.", "The file")"#, true),
      ("a(\n  \"\"\"\n  Two words\n  \"\"\")", true), (#"let a = "\(b ? "is not" : "")""#, true),
      (#"phrases.phrase("There is no file.")"#, false), (#"term(in: "a value", "a list")"#, false),
      (#"phrases.phrase(// when it is heard"# + "\n" + #""There is " + "no file.")"#, false),
      (#"plural("%1$@ more file", "%1$@ more files", count)"#, false),
      (#"precondition(a, "It is open.")"#, false), (#"// say "There is no file.""#, false),
      (#"let a = "read-only""#, false),
      (#"let a = "apt install cups-client""#, false), (#"let a = "XDG_DATA_HOME""#, false),
      (#"let a = #/There is (.*)/#"#, false), (#"let a = "\(b)  \(c)""#, false),
    ])
  func rule(_ text: String, _ isFound: Bool) {
    let file = ProjectFile("Sources/keydrag/B.swift", "import A\n" + text)
    #expect(Rules.untranslated([file]).count == (isFound ? 1 : 0), "\(text)")
  }

  @Test("a string is told with its line, its call and its argument")
  func literals() {
    let text = "a(1, [2, 3],\n  b: \"x \\(c(\"y\")) z\")"
    let found = StringLiterals.all(in: ProjectFile("Sources/keydrag/B.swift", text))
    #expect(
      found == [
        StringLiteral(line: 2, text: "y", call: "c", argument: 0),
        StringLiteral(line: 2, text: "x \u{FFFC} z", call: "a", argument: 2),
      ])
  }
}
