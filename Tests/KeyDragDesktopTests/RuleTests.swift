import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("Rules say what elements are")
struct RuleTests {
  private func names(_ tree: String, _ rules: [ElementRule], generic: Bool = false) -> [String] {
    Stage(
      tree, title: "Sheet - App", program: "App",
      profile: ProgramProfile(
        name: "app", programs: [NamePattern("app")], rules: rules, usesGenericRules: generic)
    ).names
  }

  private static let tree = """
    panel 'Pane' 0,0,400,400 showing
      push button 'Docs one' 0,0,50,20 showing
      push button 'Docs two' 0,30,50,20 showing editable {id: two}
      icon 'Docs three' 0,60,50,20 showing
    push button 'Other' 0,500,50,20 showing
    """

  @Test(
    "all conditions of a rule must hold",
    arguments: [
      (ElementRule.Condition(roles: ["push button"]), ["Docs one", "Docs two", "Other"]),
      (.init(roles: ["push button"], name: NamePattern("docs*")), ["Docs one", "Docs two"]),
      (.init(name: NamePattern("DÓCS ONE")), ["Docs one"]),
      (.init(attributes: ["id": NamePattern("t?o")]), ["Docs two"]),
      (.init(states: .editable), ["Docs two"]),
      (
        .init(roles: ["icon", "push button"], inside: ["panel"]),
        ["Docs one", "Docs two", "Docs three"]
      ),
      (.init(roles: ["push button"], outside: ["panel"]), ["Other"]),
      (.init(roles: ["push button"], states: .editable, inside: ["frame"]), ["Sheet window"]),
    ] as [(ElementRule.Condition, [String])])
  func conditions(_ condition: ElementRule.Condition, _ expected: [String]) {
    let rule = ElementRule(
      condition, traits: PlaceTraits(isDropPoint: true), name: .name, word: .role(.row))
    #expect(names(Self.tree, [rule]) == expected)
  }

  @Test("the first rule that fits speaks, also when it says that something is no place")
  func first() {
    let none = ElementRule(.init(name: NamePattern("Docs one")), traits: PlaceTraits())
    let all = ElementRule(
      .init(roles: ["push button"]), traits: PlaceTraits(isDropPoint: true))
    #expect(names(Self.tree, [none, all]) == ["Docs two button", "Other button"])
  }

  @Test(
    "names are the element's, a label's, the title's or made of them",
    arguments: [
      (.name, "Bag button"), (.label, "Fruit button"), (.title, "Sheet button"),
      (.template("{name} of {title}"), "Bag of Sheet button"),
    ] as [(ElementRule.NameSource, String)])
  func nameSources(_ source: ElementRule.NameSource, _ expected: String) {
    let tree = """
      panel '' 0,0,100,100 showing
        label 'Fruit:' 0,0,50,20 showing
        push button 'Bag' 0,30,50,20 showing
      """
    let rule = ElementRule(
      .init(roles: ["push button"]), traits: PlaceTraits(isDropPoint: true), name: source)
    #expect(names(tree, [rule]) == [expected])
  }

  @Test("a word of the person's own is told as it is written")
  func ownWord() {
    let rule = ElementRule(
      .init(name: NamePattern("Other")), traits: PlaceTraits(isDropPoint: true),
      word: .text("corner"))
    #expect(names(Self.tree, [rule]) == ["Other corner"])
  }

  @Test("parts of an element are places of their own, at their share of its rectangle")
  func parts() throws {
    let rule = ElementRule(
      .init(roles: ["icon"]), traits: PlaceTraits(isDropPoint: true),
      parts: [
        ElementRule.Part(word: .role(.icon), left: 0, top: 0, right: 0.5, bottom: 1),
        ElementRule.Part(word: .role(.background), left: 0.5, top: 0, right: 1, bottom: 1),
        ElementRule.Part(word: .text("corner"), left: 0.9, top: 0.9, right: 1, bottom: 1),
      ])
    let stage = Stage(
      "icon 'Trash' 100,100,80,40 showing", program: "App",
      profile: ProgramProfile(name: "app", rules: [rule], usesGenericRules: false))
    #expect(stage.names == ["Trash icon", "Trash background", "Trash corner"])
    #expect(try stage.place("Trash icon").point == ScreenPoint(x: 120, y: 120))
    #expect(try stage.place("Trash background").point == ScreenPoint(x: 160, y: 120))
  }

  @Test("each cell of a sheet is a place where a rule says so")
  func cells() {
    let tree = """
      table 'Sheet 1' 0,0,200,100 showing
        table column header 'A' 0,0,100,20 showing
        table column header 'B' 100,0,100,20 showing
        table cell 'A1' 0,20,100,20 showing
        table cell 'B1' 100,20,100,20 showing
        table cell 'A2' 0,40,100,20 showing
      """
    let condition = ElementRule.Condition(roles: ["table cell"])
    let traits = PlaceTraits(isDropPoint: true)
    let each = ElementRule(condition, traits: traits, isForEachCell: true)
    #expect(names(tree, [each]) == ["A1", "B1", "A2"])
    #expect(names(tree, [ElementRule(condition, traits: traits)]) == ["A1", "A2"])
  }

  @Test("a profile can leave everything else out, or to the rules for all programs")
  func generic() {
    #expect(names("text 'Name' 0,0,50,20 showing editable", []) == ["Sheet window"])
    #expect(
      names("text 'Name' 0,0,50,20 showing editable", [], generic: true) == ["Name text field"])
  }

  @Test("ten thousand rows are found in a moment")
  func many() {
    var rows = "table 'Files' 0,0,1000,1000 showing\n"
    for row in 0..<10_000 {
      rows += "  table cell 'file \(row)' \(row < 40 ? "0,\(row * 20),900,20 " : "")showing\n"
    }
    let stage = Stage(rows)
    let clock = ContinuousClock()
    var count = 0
    let time = clock.measure { count = stage.places.count }
    #expect(count == 10_001)
    #expect(time < .seconds(30))
  }
}

@Suite("Patterns match whole names, ignoring case and accents")
struct NamePatternTests {
  @Test(
    arguments: [
      ("docs", "Docs", true), ("docs", "Docs 2", false), ("docs*", "Docs 2", true),
      ("*s", "Docs", true), ("d*c*s", "Docs", true), ("d?cs", "Dócs", true),
      ("?", "日", true), ("?", "日本", false), ("", "", true), ("", "a", false), ("*", "", true),
      ("a*b*c", "aXbYb", false), ("cafe", "Café", true), ("**", "x", true), ("?*", "", false),
    ])
  func match(_ pattern: String, _ name: String, _ isMatch: Bool) {
    #expect(NamePattern(pattern).matches(name) == isMatch)
  }

  @Test("many stars take no time")
  func stars() {
    let pattern = NamePattern(String(repeating: "*a", count: 100) + "b")
    #expect(!pattern.matches(String(repeating: "a", count: 500)))
  }
}

@Suite("A name on the command line finds what is meant")
struct NameSearchTests {
  private let search = NameSearch([
    ["docs", "docs folder view"], ["Documents"], ["My documents"], ["Résumé"], ["docs", ""],
    ["report", "report, number 1"], ["report", "report, number 2"],
  ])

  @Test(
    "exact names come first, then beginnings, then beginnings of words",
    arguments: [
      ("documents", .one(1)), ("docu", .one(1)), ("my", .one(2)), ("resume", .one(3)),
      ("folder", .one(0)), ("docs", .several([0, 4])), ("report", .several([5, 6])),
      ("report, number 2", .one(6)), ("d", .several([0, 1, 4])), ("view", .one(0)),
    ] as [(String, NameSearch.Result)])
  func find(_ text: String, _ result: NameSearch.Result) {
    #expect(search.find(text) == result)
  }

  @Test("of several, a window's view is meant")
  func view() {
    #expect(search.find("docs", preferring: [0]) == .one(0))
    #expect(search.find("docs", preferring: [0, 4]) == .several([0, 4]))
    #expect(search.find("docs", preferring: [1]) == .several([0, 4]))
  }

  @Test("a name that nothing has gives the nearest ones, each once")
  func nearest() {
    #expect(search.find("repotr") == .none(nearest: ["report"]))
    #expect(search.find("xyzzy") == .none(nearest: []))
    #expect(search.find("") == .none(nearest: []))
    let heardAlike = NameSearch([["Thunar", "thunar"]])
    #expect(heardAlike.find("thunr") == .none(nearest: ["Thunar"]))
  }

  @Test("programs are found by their name, a window's class and a title")
  func programs() {
    let stage = Stage("", title: "docs - Thunar", class: "Thunar", program: "file manager")
    let other = Stage("", title: "Inbox", class: "Mail", program: "mail")
    let search = NameSearch([(stage.program, [stage.window]), (other.program, [other.window])])
    for name in ["file", "manager", "thunar", "docs"] { #expect(search.find(name) == .one(0)) }
    #expect(search.find("inbox") == .one(1))
  }
}

@Suite("The audit tells what is in the way of walking by names")
struct AuditTests {
  @Test("unnamed, doubled, tiny, unreachable and untyped places are told")
  func findings() {
    let stage = Stage(
      """
      list 'Files' 0,0,100,100 showing
        list item 'report' 0,0,50,20 showing
        list item 'report' 0,20,50,20 showing
        list item '' 0,40,50,20 showing
        list item 'thin' 0,60,50,3 showing
        list item 'far' 0,600,50,20 showing
      panel 'Basket' showing {dropeffect: copy}
      panel 'Apple' 0,200,50,20 showing {grabbed: false}
      """)
    #expect(
      Audit.findings(stage.places) == [
        AuditFinding(.duplicate, "report", number: 2), AuditFinding(.unnamed, "row 3 of 5"),
        AuditFinding(.tiny, "thin", number: 3), AuditFinding(.unreachable, "Basket area"),
        AuditFinding(.sourceWithoutTypes, "Apple area"),
      ])
  }

  @Test("a window in good order has no findings")
  func none() {
    let stage = Stage("list 'Files' 0,0,100,100 showing\n  list item 'a' 0,0,50,20 showing")
    #expect(Audit.findings(stage.places).isEmpty)
  }

  @Test("rules that fitted nothing are told by their number")
  func deadRules() {
    let rule = ElementRule(.init(roles: ["icon"]), traits: PlaceTraits())
    let profile = ProgramProfile(name: "app", rules: [rule, rule, rule])
    #expect(
      Audit.deadRules(of: profile, used: [1]) == [
        AuditFinding(.deadRule, "app", number: 1), AuditFinding(.deadRule, "app", number: 3),
      ])
  }

  @Test(
    "each finding is a sentence with its remedy",
    arguments: [
      (
        AuditFinding(.unnamed, "row 3 of 5"),
        "row 3 of 5 has no name. A rule in a profile can give it one."
      ),
      (AuditFinding(.duplicate, "report", number: 2), "report is the name of 2 places."),
      (AuditFinding(.unreachable, "Basket area"), "Basket area is not on the screen."),
      (AuditFinding(.tiny, "thin", number: 1), "thin is only 1 pixel wide or high."),
      (AuditFinding(.tiny, "thin", number: 3), "thin is only 3 pixels wide or high."),
      (
        AuditFinding(.sourceWithoutTypes, "Apple"),
        "Apple can be dragged, but not as what. A rule in a profile can say it."
      ),
      (AuditFinding(.deadRule, "thunar", number: 4), "Profile thunar: rule 4 fits nothing here."),
    ])
  func words(_ finding: AuditFinding, _ sentence: String) {
    #expect(Phrasebook().describe(finding) == sentence)
  }
}
