import Testing

@testable import KeyDragCore

/// Finding a line of a menu, or an answer, by its words.
struct ChoiceSearchTests {
  private func menu() -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.viewer, Stage.trash]
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' f9")
    _ = driver.hear()
    return driver
  }

  @Test("H05: a line of the actions is found by the beginning of its words, and only said")
  func line() {
    var driver = menu()
    #expect(driver.hear("'move'").first?.hasPrefix("Move to…") == true)
    #expect(driver.hear("'open'").first?.hasPrefix("Open with Viewer") == true)
    #expect(driver.hear("'view'").first?.hasPrefix("Open with Viewer") == true)
    #expect(driver.orders.isEmpty)
    #expect(driver.session.phase.name == .confirming)
  }

  @Test("H05: letters are collected, one letter repeated goes on, Backspace takes one back")
  func letters() {
    var driver = menu()
    #expect(driver.hear("m").last?.hasPrefix("Move to…") == true)
    #expect(driver.hear("m").last?.hasPrefix("Move to the trash") == true)
    #expect(driver.hear("m").last?.hasPrefix("Move to…") == true)
    #expect(driver.hear("down c o").last?.hasPrefix("Copy to…") == true)
    #expect(driver.hear("x") == ["Nothing begins with cox."])
    #expect(driver.hear("backspace").last?.hasPrefix("Copy to…") == true)
    #expect(driver.session.state.phase == .confirming)
    #expect(driver.hear("backspace backspace").count == 2)
  }

  @Test("K25: a question's answer is found by its words and taken by Enter alone")
  func answer() {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["a.txt"])])
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space 'docs' enter")
    _ = driver.hear()
    #expect(driver.hear("r").first?.hasPrefix("Replace") == true)
    #expect(driver.orders.isEmpty)
    driver.press("enter")
    #expect(driver.orders.first?.clash == .replace)
  }

  @Test(
    "H08: folders of one name can become one, and what is inside is asked about once",
    arguments: [
      ("enter", ClashPolicy.merge), ("down enter", .mergeReplacing),
      ("down down enter", .mergeSkipping),
    ])
  func merge(answer: String, clash: ClashPolicy) {
    var proposal = DropProposal(.all, predictions: [.nameClash(["a.txt"])])
    proposal.merger = MergeClashes(names: ["x", "y"], isWhole: true)
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = proposal
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space f5 'docs'")
    _ = driver.hear()
    #expect(driver.hear("enter").last?.hasPrefix("Keep both") == true)
    #expect(driver.hear("'merge'").last == "Merge, the two folders become one. 4 of 5")
    #expect(
      driver.hear("enter") == [
        "Both have 2 same names.", "Keep both. 1 of 4",
      ])
    #expect(driver.orders.isEmpty)
    driver.press(answer)
    #expect(driver.orders.map(\.clash) == [clash])
  }

  @Test("K21: what follows from a choice is said once in a run, and whenever it is asked for")
  func consequences() {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["a.txt"])])
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space f5 'docs'")
    _ = driver.hear()
    let first = "Keep both, the new one gets another name. 1 of 4"
    #expect(driver.hear("enter").last == first)
    #expect(driver.hear("down") == ["Replace, the old one goes to the trash. 2 of 4"])
    #expect(driver.hear("up") == ["Keep both. 1 of 4"])
    #expect(driver.hear("down") == ["Replace. 2 of 4"])
    #expect(driver.hear("up f2").last == first)
  }

  @Test("H08: where nothing inside clashes, Merge needs no second answer; links know no Merge")
  func mergeAtOnce() {
    var proposal = DropProposal(.all, predictions: [.nameClash(["a.txt"])])
    proposal.merger = MergeClashes(names: [], isWhole: true)
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = proposal
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space f5 'docs' enter 'merge' enter")
    #expect(driver.orders.map(\.clash) == [.merge])
    var linking = SessionDriver.started(stage)
    linking.press("'a.txt' space f7 'docs' enter")
    _ = linking.hear()
    #expect(linking.hear("down").last?.hasPrefix("Replace") == true)
  }

  @Test("H05: the words are those of the person's language, without its accents")
  func language() {
    struct German: Catalogue {
      let language = "de"
      func sentence(_ source: String, context: String?) -> String {
        switch source {
        case "Move to…": "Verschieben nach…"
        case "Open with %1$@": "Öffnen mit %1$@"
        default: source
        }
      }
      func sentence(one: String, other: String, count: Int) -> String { other }
    }
    var driver = menu()
    driver.session.phrases = Phrasebook(catalogue: German())
    driver.press("'versch'")
    #expect(driver.session.phase.current == .transferTo(.move))
    driver.press("'offnen'")
    #expect(driver.session.phase.current == .openWith(program: "Viewer"))
  }

  /// Browsing, and carrying past folders.
  private static func names() -> SessionDriver {
    var stage = Stage()
    stage.folder(
      "Inbox",
      ["archive.zip", "notes.txt", "photo.png", "report-2.odt", "report.odt", "report.pdf"])
    stage.folder("Docs", [])
    stage.folder("Drafts", [])
    stage.folder("Notes", [])
    return .started(stage)
  }

  @Test("H05: a letter that leads to nothing is said, moves nothing, and the next one begins anew")
  func missed() {
    var driver = Self.names()
    #expect(driver.hear("n").last?.hasPrefix("notes.txt") == true)
    #expect(driver.hear("p") == ["Nothing begins with np."])
    #expect(driver.hear("p").last?.hasPrefix("photo.png") == true)
    // Backspace takes the wrong letter back, and leaves no folder.
    #expect(driver.hear("z") == ["Nothing begins with pz."])
    _ = driver.hear("n")
    #expect(driver.hear("x") == ["Nothing begins with nx."])
    #expect(driver.hear("backspace").last?.hasPrefix("notes.txt") == true)
    #expect(driver.hear("q") == ["Nothing begins with nq."])
    _ = driver.hear("q")
    #expect(driver.hear("backspace").last?.hasPrefix("notes.txt") == true)
  }

  @Test("H05: one more letter of the same name is not said again, and signs belong to the name")
  func sameName() {
    var driver = Self.names()
    #expect(driver.hear("r").last?.hasPrefix("report-2.odt") == true)
    #expect(driver.hear("e p o r t") == [])
    #expect(driver.hear(".").last?.hasPrefix("report.odt") == true)
    #expect(driver.hear("p").last?.hasPrefix("report.pdf") == true)
    driver.press("down home")
    #expect(driver.hear("r e p o r t -").last?.hasPrefix("report-2.odt") == true)
    // No letter is typed: the full stop is the command again.
    driver.press("home")
    #expect(driver.hear(".") == ["Hidden files shown."])
  }

  @Test("H05: while carrying, too, a place is said once for all letters that lead to it")
  func samePlace() {
    var driver = Self.names()
    driver.press("space")
    #expect(driver.hear("n").last?.hasPrefix("Notes: copy.") == true)
    #expect(driver.hear("o t e s") == [])
    #expect(driver.hear("d") == ["Nothing begins with notesd."])
    #expect(driver.hear("d").last?.hasPrefix("Docs: copy.") == true)
    #expect(driver.hear("r").last?.hasPrefix("Drafts: copy.") == true)
  }
}

extension Phase {
  /// The choice in focus of the question that is open.
  fileprivate var current: Choice? {
    if case .confirming(let question, _) = self { question.current } else { nil }
  }
}
