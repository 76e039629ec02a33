import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("The folder that a file manager shows, by its path bar, and its trash by its name")
struct DisplayedFolderTests {
  private func trail(_ tree: String, title: String) -> [String] {
    DisplayedFolder.trail(in: TreeText.elements(tree), title: title).names
  }

  @Test("T08 A path bar is told outermost first, whichever way its program has it")
  func order() {
    let names = ["home", "docs"]
    #expect(
      trail(
        """
        frame 'docs'
          panel ''
            toggle button 'home'
            toggle button 'docs'
        """, title: "docs") == names)
    for root in ["/", ""] {
      #expect(
        trail(
          """
          frame 'docs'
            panel ''
              check box 'docs'
              check box 'home'
              check box '\(root)'
          """, title: "docs") == [root] + names)
    }
  }

  @Test("T08 Push buttons are a path bar only where one bears the window's name")
  func buttons() {
    let tree = """
      frame 'docs'
        tool bar ''
          push button 'Back'
          push button 'Forward'
          push button 'Reload'
        filler ''
          push button 'Home'
          push button 'docs'
      """
    #expect(trail(tree, title: "docs") == ["Home", "docs"])
    #expect(trail(tree, title: "other") == [])
  }

  @Test(
    "T04 The trash is known by the names that desktops give it",
    arguments: [
      ("Trash", true), ("trash", true), ("Papierkorb", true), ("Trash Can", true), ("ごみ箱", true),
      ("Корзина", true), ("Trash 2", false), ("", false), ("docs", false),
    ])
  func trash(name: String, isTrash: Bool) {
    #expect(TrashNames.contains(name) == isTrash)
  }
}
