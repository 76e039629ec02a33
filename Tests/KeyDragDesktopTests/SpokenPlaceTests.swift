import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("T09, K19 Places bear names that a person would use")
struct SpokenPlaceTests {
  @Test("a window is not aimed at where a field for a setting lies, which is no place itself")
  func settings() throws {
    let window = ScreenRectangle(x: 0, y: 0, width: 600, height: 300)
    let combo = "combo box '' 200,140,200,20 showing\n  text '' 200,140,200,20 showing editable"
    for list in ["", "list 'Shapes' 0,0,100,40 showing\n"] {
      let stage = Stage(list + combo, title: "Prices", window: window)
      let point = try #require(try stage.place("Prices window").point)
      #expect(!ScreenRectangle(x: 200, y: 140, width: 200, height: 20).contains(point))
      #expect(window.contains(point))
    }
  }

  @Test(
    "T09 The class of a widget is no name, and a word of a person's own is",
    arguments: [
      ("EditorSourceView", true), ("QTextEdit", true), ("GtkGridView", true),
      ("KTextEditor::ViewInternal", true), ("AdwTabBar", true), ("DolphinMainWindow", true),
      ("Overview", false), ("View", false), ("Notes", false), ("GitHub", false),
      ("Icon View", false), ("notesView", false), ("TODO", false), ("", false),
      ("Ünder_Area", false),
      ("MyNotes", false), ("main.EditorView", false), ("page-label-entry", true),
      ("tool_box", true), ("read-me", false), ("Name-entry", false), ("-entry", false),
    ])
  func classes(_ name: String, _ isClass: Bool) {
    #expect(TechnicalName.isClass(name) == isClass)
  }

  @Test(
    "T09, K19 A title's path is not the document's name; the folder is known where it has one",
    arguments: [
      ("/home/ann/docs/notes.txt", "notes.txt", "docs"), ("~/docs/a b.txt", "a b.txt", "docs"),
      ("notes.txt (/home/ann/docs)", "notes.txt", "docs"),
      ("notes.txt (~/docs)", "notes.txt", "docs"),
      ("*notes.txt (~)", "notes.txt", "~"), ("*/tmp/a/notes.txt", "notes.txt", "a"),
      ("• notes.txt", "notes.txt", nil), ("notes.txt *", "notes.txt", nil),
      ("file:///tmp/a/notes.txt", "notes.txt", "a"), ("notes (copy)", "notes (copy)", nil),
      ("notes.txt - /home/ann/docs", "notes.txt", "docs"), ("a - b - ~/docs", "a - b", "docs"),
      ("* notes.txt (/home/ann/docs/notes.txt)", "notes.txt", "docs"), ("a - b", "a - b", nil),
      ("notes.txt", "notes.txt", nil), ("/", "/", nil), ("/r", "/r", nil), ("*", "*", nil),
      ("", "", nil), ("1/2", "1/2", nil), ("(~/docs)", "(~/docs)", nil),
    ] as [(String, String, String?)])
  func titles(_ title: String, _ name: String, _ folder: String?) {
    let document = TechnicalName.document(in: title)
    #expect(document.name == name && document.folder == folder)
  }

  @Test("T09 An editor's text bears the document's name, whatever the widget is called")
  func editors() {
    let text = "text 'EditorSourceView' 0,100,1280,800 showing editable multi-line"
    let editor = Stage(
      text, title: "notes.txt (~/Docs) - Text Editor", program: "Text Editor", version: "4.8.3")
    #expect(editor.names == ["notes.txt text field"])
    let mousepad = Stage(
      "text '' 0,100,1280,800 showing editable multi-line",
      title: "*/home/ann/Docs/notes.txt - Mousepad", class: "Mousepad", program: "mousepad")
    #expect(mousepad.names == ["notes.txt text field"])
    let tabs = Stage(
      """
      text '/tmp/drop-1/notes.txt' 0,0,600,40 showing editable
      page tab '/tmp/drop-1/notes.txt' 0,40,100,20 showing
      """)
    #expect(tabs.names == ["notes.txt text field", "notes.txt tab", "window"])
  }

  @Test(
    "T09 Rows and icons that nothing names are passed over in their list, and so found by no one")
  func unnamedRows() {
    let stage = Stage(
      """
      list 'Files' 0,0,900,900 showing
        list item '' 0,0,50,20 showing
        list item '' 0,20,50,20 showing
        list item 'notes.txt' 0,40,50,20 showing
      layered pane '' 900,0,300,900 showing
        icon '' 900,0,50,50 showing
        icon 'Trash' 950,0,50,50 showing
      """)
    #expect(stage.names == ["Files list", "notes.txt", "list, right", "Trash icon"])
    // They are told of by an audit.
    #expect(
      Audit.findings(stage.places).filter { $0.kind == .unnamed }.count == 4)
    // Who says that it takes drops is a place.
    let told = Stage(
      "list 'Files' 0,0,900,900 showing\n  list item '' 0,0,50,20 showing {dropeffect: copy}")
    #expect(told.names == ["Files list", "row 1 of 1"])
  }

  @Test(
    "T09 Settings in a tool bar, tabs without a name, rulers, separators and lines of a log are no places"
  )
  func passedOver() {
    let stage = Stage(
      """
      tool bar '' 0,0,1280,40 showing
        combo box '' 0,0,100,40 showing
          text '' 0,0,80,40 showing editable
        text '' 200,0,100,40 showing editable
      page tab '' 0,40,100,20 showing
      page tab 'Status' 100,40,100,20 showing
      canvas '' 0,60,1280,20 showing
      canvas '' 0,80,1280,600 showing
      list 'Messages' 0,700,1280,200 showing
        list item '12:58:24: This is a line' 0,700,1280,20 showing
        list item '[12:58:24] Another' 0,720,1280,20 showing
        list item '12:58 train to Bonn' 0,740,1280,20 showing
        list item 'Home' 0,760,1280,2 showing
      """, title: "notes.txt")
    #expect(
      stage.names == [
        "notes.txt canvas", "Status tab", "Messages list", "12:58 train to Bonn",
      ])
  }

  @Test("T09 What a program calls any document is not what this one is called")
  func documentKind() {
    let stage = Stage(
      """
      document presentation 'LibreOffice Presentation' 100,100,700,600 showing
      """, title: "Untitled 1 - LibreOffice Draw", class: "libreoffice-draw", program: "soffice",
      toolkit: "VCL", version: "7.4")
    #expect(stage.names.first == "Untitled 1 document")
    let told = Stage(
      "document text 'Office hours' 100,100,700,600 showing",
      title: "Untitled 1 - LibreOffice Writer", class: "libreoffice-writer", program: "soffice",
      toolkit: "VCL", version: "7.4")
    #expect(told.names.first == "Office hours document")
  }

  @Test("T09 What is drawn has the name of its window where that is for it, and else its place")
  func canvases() {
    let stage = Stage(
      """
      panel '' 0,0,900,900 showing
        drawing area '' 0,0,100,100 showing
        drawing area '' 800,0,100,100 showing
        drawing area '' 200,200,500,600 showing
        drawing area '' 0,800,100,100 showing
        drawing area '' 800,800,100,100 showing
      """, title: "Sketch", window: ScreenRectangle(x: 0, y: 0, width: 900, height: 900))
    #expect(
      stage.names == [
        "Sketch canvas", "canvas, top left", "canvas, top right", "canvas, bottom left",
        "canvas, bottom right", "Sketch window",
      ])
  }

  @Test("T09 A log is not told by the time of its first line")
  func log() {
    let stage = Stage(
      """
      table '' 0,700,1280,100 showing
        table cell '18:21:14' 0,700,100,20 showing
        table cell 'Started' 100,700,1000,20 showing
      """, title: "Tags")
    #expect(stage.names == ["list, bottom", "Tags window"])
  }

  @Test("T09 Two lists of one name are told by what is first in each")
  func twinLists() {
    let stage = Stage(
      """
      page tab 'Target' 0,0,1280,800 showing
        tree '' 0,0,1280,400 showing
          tree item 'Inbox' 0,0,1280,20 showing
        tree '' 0,400,1280,400 showing
          tree item 'notes.txt' 0,400,1280,20 showing
      """)
    #expect(stage.names.filter { $0.contains("tree") }.allSatisfy { !$0.contains("number") })
  }

  @Test("T09 A list in one of Qt's pages is told by the tab that shows the page")
  func pages() {
    // Krusader 2.8, two panes with a strip of tabs under each.
    let stage = Stage(
      """
      layered pane '' 514,245,339,279 showing
        push button 'Home' 551,276,51,25 showing
        tree '' 514,301,339,192 showing
          tree item '..' 515,323,117,22 showing
      page tab 'Out' 514,524,315,29 showing selected
      layered pane '' 171,245,339,279 showing
        push button 'Home' 208,276,59,25 showing
        tree '' 171,301,339,192 showing
          tree item '..' 172,323,104,22 showing
      page tab 'Target' 171,524,157,29 showing selected
      page tab 'Music' 328,524,158,29 showing
      """, toolkit: "Qt", version: "5.15.8")
    #expect(
      stage.names == [
        "Target tree", ".., number 1", "Out tree", ".., number 2", "Target tab", "Music tab",
        "Out tab", "window",
      ])
  }

  @Test("T09 A field beside the text in the page of a document does not bear the document's name")
  func fieldInPage() {
    // FeatherPad 1.3, with the bar in which words are searched for.
    let stage = Stage(
      """
      layered pane '' 0,60,700,440 showing
        text '' 0,60,700,400 showing editable multi-line
        text '' 0,460,200,30 showing editable
      page tab 'notes.txt' 0,30,90,30 showing selected
      """, title: "notes.txt", toolkit: "Qt", version: "5.15.8",
      window: ScreenRectangle(x: 0, y: 0, width: 700, height: 500))
    #expect(stage.names == ["notes.txt text field", "notes.txt tab", "text field, bottom left"])
  }

  @Test("T09 A page that tells of nothing in it is a place called as its tab")
  func barePages() {
    // Double Commander 1.0.10 draws its two lists itself.
    let stage = Stage(
      """
      layered pane '' 2,145,506,570 showing
        scroll bar '' 2,681,506,14 showing
      page tab 'Target' 0,116,66,29 showing selected
      layered pane '' 516,145,506,570 showing
        scroll bar '' 516,681,506,14 showing
      page tab 'Out' 514,116,49,29 showing selected
      layered pane '' 0,715,1024,20 showing
      """, toolkit: "Qt", version: "5.15.8",
      window: ScreenRectangle(x: 0, y: 19, width: 1024, height: 749))
    #expect(stage.names == ["Target tab", "Out tab", "Target area", "Out area"])
  }

  @Test("T09 The address of a part of a program names no place, and a label goes without colon")
  func technicalAreas() {
    let stage = Stage(
      """
      text 'Body' 0,0,1280,500 showing editable multi-line
      panel 'chrome://messenger/content/center.xhtml?folder=%2F' 0,500,600,300 showing
      panel '' 600,500,600,300 showing
        label 'Pictures:' 610,510,60,20 showing
      """)
    #expect(stage.names.filter { $0 != "window" } == ["Body text field", "Pictures area"])
  }

  @Test("T09 A list without a name is told by what is around it, over it, or first in it")
  func unnamedLists() {
    let stage = Stage(
      """
      text 'Body' 0,0,1280,500 showing editable multi-line
      panel 'Bookmarks' 0,500,300,100 showing
        list '' 0,500,300,100 showing
          list item 'Home' 0,500,300,20 showing
      tree table '' 300,500,300,100 showing
        table column header 'Mail' 300,500,300,20 showing
        table cell 'Inbox' 300,520,300,20 showing
      tree '' 600,500,300,100 showing
        tree item 'Work' 600,500,300,20 showing
      list '' 900,500,300,100 showing
      """)
    #expect(
      stage.names == [
        "Body text field", "Bookmarks list", "Home", "Mail tree", "Inbox", "tree with Work", "Work",
        "list, right", "window",
      ])
  }
}

@Suite("T09 The document or folder itself comes first in its window")
struct MainPlaceTests {
  @Test("T09 Of things that are all small the largest list or text of lines is first, no field")
  func smallDocument() {
    let stage = Stage(
      """
      text 'Search' 0,0,1000,40 showing editable
      tree 'Folders' 0,40,100,300 showing
      panel 'Preview' 0,400,1280,400 showing
      document text 'Letter' 200,40,400,300 showing
      """)
    #expect(
      stage.names == [
        "Letter document", "Search text field", "Folders tree", "Preview area", "window",
      ])
  }

  @Test("T09 The icons of a folder and the view that they lie in come before the pane at its side")
  func icons() {
    let stage = Stage(
      """
      scroll pane '' 240,253,170,440 showing
        tree table '' 241,254,168,438 showing
          table cell 'Home' 241,254,168,20 showing
      scroll pane 'Content View' 411,253,629,440 showing
        layered pane 'Icon View' 411,253,629,440 showing focused
          icon 'Alpha' 420,260,60,60 showing
      """, title: "sample", window: ScreenRectangle(x: 240, y: 182, width: 800, height: 550))
    #expect(stage.names == ["sample list", "Alpha icon", "tree with Home", "Home"])
    // Qt calls a stack of pages so.
    let pages = Stage("layered pane '' 0,0,900,900 showing\n  panel '' 0,0,900,900 showing")
    #expect(pages.names == ["window"])
  }

  @Test("T09 What is beside a pane at the side is what the window is for, and comes first")
  func sidePane() {
    let pane = """
      tree 'Places' 0,0,200,700 showing
        tree item 'Home' 0,0,200,20 showing
      """
    #expect(Stage(pane, title: "docs").names == ["docs window", "Places tree", "Home"])
    let form = pane + "\ntext 'Name' 300,0,300,40 showing editable"
    #expect(Stage(form, title: "docs").names.last == "docs window")
  }
}

@Suite("T09 Windows of one name are told apart")
struct WindowNameTests {
  @Test("T09 By their folders where those are known and differ, else by numbers")
  func twins() {
    func told(_ windows: (String, String, String?)...) -> [String] {
      WindowName.told(
        windows.map { WindowName(name: $0.0, app: $0.1, folder: $0.2) }, Phrasebook())
    }
    #expect(
      told(("docs", "Files", "a"), ("docs", "Files", "b"), ("docs", "Caja", "a"))
        == ["docs in a", "docs in b", "docs"])
    #expect(told(("docs", "Files", "a"), ("docs", "Files", "a")) == ["docs", "docs (2)"])
    #expect(told(("docs", "Files", "a"), ("docs", "Files", nil)) == ["docs", "docs (2)"])
    #expect(told(("docs", "Files", "a"), ("notes", "Files", nil)) == ["docs", "notes"])
  }
}
