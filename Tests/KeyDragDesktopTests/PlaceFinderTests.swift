import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("Places are what a person would drop on, without anything known of the program")
struct GenericPlaceTests {
  private var thunar: Stage {
    Stage(
      RealTrees.thunar, title: "docs - Thunar", class: "Thunar", program: "thunar",
      window: ScreenRectangle(x: 320, y: 217, width: 640, height: 480))
  }

  @Test(
    "T09 A file manager's view comes first and bears the folder's name, its rows follow, then the rest"
  )
  func fileManager() {
    #expect(
      thunar.names == [
        "docs folder view", "Archive", "folder11", "folder12", "list with Places", "Places",
        "home", "Trash", "Devices",
      ])
  }

  @Test("T13 a row is one place, and is aimed at where its name begins")
  func row() throws {
    let archive = try thunar.place("Archive")
    #expect(archive.rectangle == ScreenRectangle(x: 493, y: 345, width: 147, height: 26))
    #expect(archive.point == ScreenPoint(x: 521, y: 358))
  }

  @Test("T13 a row read from right to left is aimed at its right end, a small one in its middle")
  func otherRows() throws {
    let stage = Stage(
      """
      scroll pane '' 0,0,400,60 showing
        table 'Files' 0,0,400,60 showing
            table cell 'long' 100,10,300,20 showing
            table cell 'Today' 0,10,100,20 showing
            table cell 'small' 350,30,50,30 showing
            table cell 'Today' 0,30,100,30 showing
      """)
    #expect(try stage.place("long").point == ScreenPoint(x: 378, y: 20))
    #expect(try stage.place("small").point == ScreenPoint(x: 375, y: 45))
  }

  @Test("T13 a row of another size by now is still aimed at where its name begins")
  func resizedRow() throws {
    let archive = try thunar.place("Archive")
    var record = Desktop.PlaceRecord(place: archive, window: ContainerID(1, of: .windows))
    record.base = archive.rectangle
    let window = ScreenRectangle(x: 0, y: 0, width: 1_000, height: 1_000)
    let wide = TargetArea(ScreenRectangle(x: 500, y: 400, width: 400, height: 26))
    #expect(record.aim(in: wide, of: window) == ScreenPoint(x: 528, y: 413))
    let narrow = TargetArea(ScreenRectangle(x: 500, y: 400, width: 40, height: 26))
    #expect(record.aim(in: narrow, of: window) == ScreenPoint(x: 520, y: 413))
  }

  @Test("of a row that is cut off at the edge, only what is seen counts")
  func cutOff() throws {
    let row = try thunar.place("folder11")
    #expect(row.rectangle == ScreenRectangle(x: 493, y: 653, width: 147, height: 18))
  }

  @Test("a row that is scrolled out of view keeps its name and has no point")
  func scrolledAway() throws {
    let row = try thunar.place("folder12")
    #expect(row.point == nil)
    #expect(row.rectangle == nil)
  }

  @Test("a view is asked beside its rows and below the headers of its columns")
  func freeSpot() throws {
    let view = try thunar.place("docs folder view")
    let point = try #require(view.point)
    #expect(!view.isCovered)
    #expect(ScreenRectangle(x: 491, y: 371, width: 469, height: 282).contains(point))
  }

  @Test("a view without room is asked beside the names of its rows, and says that it is covered")
  func noRoom() throws {
    let rows = (0..<10).map {
      """
            table cell 'a\($0)' 0,\($0 * 10 + 10),50,10 showing
            table cell 'Today' 50,\($0 * 10 + 10),50,10 showing
      """
    }
    let stage = Stage(
      """
      scroll pane '' 0,0,100,110 showing
        table 'Files' 0,0,100,110 showing
            table column header 'Name' 0,0,50,10 showing
            table column header 'Date' 50,0,50,10 showing
      \(rows.joined(separator: "\n"))
      """)
    let view = try stage.place("Files list")
    #expect(view.isCovered)
    #expect(
      ScreenRectangle(x: 50, y: 10, width: 50, height: 100).contains(try #require(view.point)))
  }

  @Test("one of each in a GTK 3 window; labels, buttons and pictures are no places")
  func mixed() {
    let stage = Stage(
      RealTrees.gtk3, title: "Mixed", program: "dlg.py",
      window: ScreenRectangle(x: 1, y: 330, width: 170, height: 565))
    #expect(
      stage.names == [
        "Mail tree", "Inbox", "Work", "Sent", "list, top", "list with Row A", "Row A", "Row B",
        "list with Flow A", "Flow A", "Flow B", "First tab", "First text field", "Second tab",
        "text field, middle", "Mixed canvas",
      ])
  }

  @Test("the dialog to open a file")
  func dialog() {
    let stage = Stage(RealTrees.fileChooser, title: "Open file", program: "dlg.py")
    #expect(stage.names == ["Files list", "Archive", "Holiday photos", "Places list", "Recent"])
  }

  @Test("GTK 4: the items of a grid are places by their labels, though nothing claims to show")
  func gtk4() {
    let stage = Stage(
      RealTrees.nautilus, title: "docs", class: "org.gnome.Nautilus",
      program: "org.gnome.Nautilus", toolkit: "GTK", version: "4.8.3",
      window: ScreenRectangle(x: 0, y: 0, width: 880, height: 540))
    #expect(
      stage.names == [
        "docs list", "Archive", "Holiday photos", "Sidebar list", "Starred", "Home",
      ])
  }

  @Test("Qt: what is not seen of a list model is no place, nor is a list that would open")
  func qt() {
    let stage = Stage(
      RealTrees.pcmanfm, title: "docs", class: "pcmanfm-qt", program: "pcmanfm-qt", toolkit: "Qt",
      version: "5.15.8", window: ScreenRectangle(x: 1, y: 415, width: 640, height: 480))
    #expect(
      stage.names == [
        "docs list", "Archive", "folder1", "docs tab", "tree with Places", "Places", "root",
        "Trash",
      ])
  }

  @Test("a window whose elements are not known is one place")
  func unknown() throws {
    let stage = Stage("", title: "Untitled - GIMP", class: "Gimp", program: "")
    #expect(stage.names == ["Untitled window"])
    #expect(try stage.place("Untitled window").point == ScreenPoint(x: 640, y: 450))
  }

  @Test("a panel with a name is an area, after the rest, unless a place is in it or around it")
  func areas() throws {
    let stage = Stage(
      """
      filler '' 0,0,400,400 showing
        panel 'Basket' 0,0,400,40 showing
          label 'Drop here' 0,0,400,40 showing
        panel 'Address' 0,40,400,40 showing
          text '' 0,40,400,40 showing editable
        panel 'Shelves' 0,80,400,80 showing
          panel 'Upper shelf' 0,80,400,40 showing
          panel '' 0,120,400,40 showing
        list 'Tasks' 0,160,400,40 showing
          panel 'Task' 0,160,400,20 showing
        panel 'Hidden' 0,200,400,40
      """)
    #expect(
      stage.names == [
        "Tasks list", "Address text field", "Basket area", "Upper shelf area", "window",
      ])
    let basket = try stage.place("Basket area")
    #expect(basket.point == ScreenPoint(x: 200, y: 20) && basket.pathWriting == nil)
  }

  @Test("a panel does not stand for its window, and in a page or a program with a profile is none")
  func noAreas() {
    let panel = "panel 'Basket' 0,0,400,40 showing"
    #expect(Stage(panel, title: "Shop").names == ["Shop window", "Basket area"])
    let page = Stage("document web 'Page' 0,0,400,400 showing\n  \(panel)")
    #expect(page.names == ["Page", "window"])
    let known = Stage(panel, title: "Shop", profile: ProgramProfile(name: "shop"))
    #expect(known.names == ["Shop window"])
  }

  @Test("words with much room are an area, and so is a panel with a sign in it")
  func signs() throws {
    let stage = Stage(
      """
      panel '' 0,0,600,500 showing
        text 'Name' 0,0,600,32 showing editable
        label 'Drop files here' 0,40,600,282 showing
        panel '' 0,328,600,150 showing
          label 'Attachments' 0,328,600,16 showing
          push button 'Choose' 17,349,566,24 showing
            label 'Choose' 17,349,566,24 showing
        label 'Ready' 0,484,600,16 showing
      """, window: ScreenRectangle(x: 0, y: 0, width: 600, height: 500))
    #expect(stage.names == ["Name text field", "Drop files here area", "Attachments area"])
    #expect(try stage.place("Attachments area").point == ScreenPoint(x: 300, y: 403))
  }

  @Test(
    "words are no area where they only name, are another's, fill no room, are long or in a list",
    arguments: [
      "label 'Ready' 0,0,600,39 showing", "label 'Ready' 0,0,39,500 showing",
      "label 'Ready' 0,0,100,100 showing", "label '' 0,0,600,200 showing",
      "panel '' 0,0,600,200 showing", "label 'Ready' 0,0,600,200",
      "label '\(String(repeating: "word ", count: 20))' 0,0,600,200 showing",
      "list item 'Task' 0,0,600,200 showing\n  label 'Sub' 0,0,600,200 showing",
      "document web 'Task' 0,0,600,200 showing\n  label 'Sub' 0,0,600,200 showing",
      "panel 'Task' 0,0,600,200\n  label 'Sub' 0,0,600,200", "image 'Task' 0,0,600,200 showing",
      "text 'Task' 0,0,600,200 showing editable\n  label 'Sub' 0,0,600,200 showing",
    ])
  func noSigns(_ tree: String) {
    let stage = Stage(
      "\(tree)\ntext 'Name' 0,400,600,32 showing editable",
      window: ScreenRectangle(x: 0, y: 0, width: 600, height: 500))
    #expect(!stage.places.contains { $0.role == .area && $0.traits.isDropPoint })
  }

  @Test("what a button says does not name what is around it, and a large one is what it says")
  func caption() {
    let stage = Stage(
      """
      panel '' 0,0,600,500 showing
        text 'Name' 0,0,600,32 showing editable
        panel '' 0,40,600,460 showing
          push button 'GtkButton' 500,40,66,24 showing
            panel '' 500,40,66,24 showing
              label 'Modified' 500,40,66,24 showing
          push button 'GtkButton' 0,64,600,100 showing
            label 'Open a file' 0,64,600,100 showing
      """, title: "Choose", window: ScreenRectangle(x: 0, y: 0, width: 600, height: 500))
    #expect(stage.names == ["Name text field", "Open a file area", "Choose window"])
  }

  @Test("words in a panel that was named are of it, however much room they have")
  func signInNamedPanel() {
    let stage = Stage(
      """
      panel 'Basket' 0,0,600,200 showing
        panel '' 0,0,600,200 showing
          label 'Drop here' 0,0,600,200 showing
      """, window: ScreenRectangle(x: 0, y: 0, width: 600, height: 300))
    #expect(stage.names == ["window", "Basket area"])
  }

  @Test("a label that names another element is no area")
  func labelOfAnother() {
    var stage = Stage(
      "label 'Notes' 0,0,600,200 showing",
      window: ScreenRectangle(x: 0, y: 0, width: 600, height: 500))
    #expect(stage.names == ["window", "Notes area"])
    stage.elements[0].isLabelOfAnother = true
    #expect(stage.names == ["window"])
  }

  @Test("a window is a place beside those in it where a third of it is left, and is asked there")
  func rest() throws {
    let window = ScreenRectangle(x: 100, y: 100, width: 600, height: 300)
    let field = "text 'Name' 100,100,600,200 showing editable"
    let stage = Stage(field, title: "Pad", window: window)
    #expect(stage.names == ["Name text field", "Pad window"])
    let point = try #require(try stage.place("Pad window").point)
    #expect(ScreenRectangle(x: 100, y: 308, width: 600, height: 92).contains(point))
    let full = Stage(
      "text 'Name' 100,100,600,220 showing editable", title: "Pad", window: window)
    #expect(full.names == ["Name text field"])
    let known = Stage(
      field, title: "Pad", window: window, profile: ProgramProfile(name: "pad"))
    #expect(known.names == ["Name text field"])
  }

  @Test(
    "H12: of a text it is known whether files are written into it as their paths",
    arguments: [
      ("text", "", "gtk", .certain), ("text", "", "Qt", .certain),
      ("text", "multi-line", "gtk", .likely), ("terminal", "", "GTK", .certain),
      ("terminal", "", "Qt", .likely), ("text", "", "Gecko", nil), ("list", "", "gtk", nil),
      ("document text", "", "gtk", nil),
    ] as [(String, String, String, Place.PathWriting?)])
  func paths(
    _ role: String, _ states: String, _ toolkit: String, _ writing: Place.PathWriting?
  ) throws {
    let stage = Stage("\(role) 'Body' 0,0,400,40 showing editable \(states)", toolkit: toolkit)
    #expect(try #require(stage.places.first).pathWriting == writing)
  }

  @Test("H12: of a text that fills its window, and in a page, that is not certain")
  func uncertainPaths() throws {
    let editor = Stage("text 'Body' 0,0,1280,900 showing editable")
    #expect(try #require(editor.places.first).pathWriting == .likely)
    let page = Stage(
      """
      document web 'Page' 0,0,400,400 showing
        text 'Name' 0,0,400,40 showing editable
      """)
    #expect(try page.place("Name text field").pathWriting == nil)
  }

  @Test("a password field is nobody's place")
  func password() {
    let stage = Stage(
      """
      text '' 0,0,50,20 showing editable
      password text 'Secret' 0,30,50,20 showing editable
      """)
    #expect(stage.names == ["text field, top left", "window"])
  }

  @Test("parents that point forwards, to themselves or nowhere do no harm")
  func wrongParents() {
    var stage = Stage(
      """
      list '' 0,0,50,50 showing
        list item 'a' 0,0,50,20 showing
      """)
    for parent in [-1, 0, 1, 7, Int.max] {
      stage.elements[0].parent = parent
      stage.elements[1].parent = parent
      #expect(stage.names.contains("a"))
    }
  }
}

@Suite("A program says itself what can be dragged and dropped")
struct ToldPlaceTests {
  private var firefox: Stage {
    Stage(
      RealTrees.firefox, title: "Drop page — Mozilla Firefox", class: "firefox-esr",
      program: "Firefox", toolkit: "Gecko", version: "153.7.0",
      window: ScreenRectangle(x: 0, y: 19, width: 1280, height: 881))
  }

  @Test("a page's drop areas and fields are places, its text and other pages are not")
  func page() {
    #expect(
      firefox.names == [
        "Drop page", "Done area", "Notes text field", "Name text field", "Editor text field",
        "Drop page tab", "Problem loading page tab",
        "Search with Google or enter address text field",
      ])
  }

  @Test("a page that gives no rectangle has that of the frame around it")
  func pageRectangle() throws {
    #expect(
      try firefox.place("Drop page").rectangle
        == ScreenRectangle(x: 0, y: 104, width: 1280, height: 796))
  }

  @Test("what can be grabbed in a page is a source, by its name without the bullet")
  func grabbed() {
    let sources = firefox.places.filter { $0.traits.source == .unknown }
    #expect(sources.map(\.spokenName) == ["Buy milk", "Call Ann"])
    #expect(sources.allSatisfy { !$0.traits.isDropPoint })
  }

  @Test(
    "what a page says of the effect of a drop decides",
    arguments: [
      ("copy", true, .copy), ("move", true, .move), ("link", true, .link),
      ("copy move", true, nil), ("execute", true, nil), ("popup", true, nil),
      ("none", false, nil), ("nonsense", false, nil), ("", false, nil), ("COPY", true, .copy),
    ] as [(String, Bool, DragOperation?)])
  func effects(_ effect: String, _ isPlace: Bool, _ operation: DragOperation?) {
    var stage = Stage(
      """
      document web 'Page' 0,0,50,50 showing
        panel 'Basket' 0,0,50,20 showing
      """)
    stage.elements[1].attributes["dropeffect"] = effect
    let place = stage.places.first { $0.role == .area }
    #expect((place != nil) == isPlace)
    #expect(place?.traits.operation == operation)
  }

  @Test("a list item that takes no drop says so, whatever its role")
  func noEffect() {
    let stage = Stage("list item 'Full' 0,0,50,20 showing {dropeffect: none}", title: "Page")
    #expect(stage.names == ["Page window"])
  }

  @Test("actions named drag and drop make sources and places")
  func actions() throws {
    var stage = Stage(
      """
      push button 'Basket' 0,0,50,20 showing
      push button 'Apple' 0,30,50,20 showing
      push button 'Other' 0,60,50,20 showing
      """)
    stage.actions = [
      stage.elements[0].id: ["drop", "click"], stage.elements[1].id: ["drag"],
      stage.elements[2].id: ["click"],
    ]
    #expect(stage.names == ["Basket button"])
    #expect(try stage.place("Apple button").traits.source == .unknown)
    #expect(stage.places.count == 2)
  }

  @Test("a drop area that is nowhere on the screen is kept without a point")
  func nowhere() throws {
    let stage = Stage("panel 'Basket' showing {dropeffect: copy}")
    #expect(try stage.place("Basket area").point == nil)
  }
}

@Suite("Places are called what a person would call them")
struct PlaceNameTests {
  @Test(
    "a window's title is told without the program's name",
    arguments: [
      ("docs - Thunar", ["thunar"], "docs"),
      ("Drop page — Mozilla Firefox", ["Firefox"], "Drop page"),
      ("Terminal - root@host: ~", ["xfce4-terminal"], "root@host: ~"),
      ("docs", ["Thunar"], "docs"), ("a - b", ["Thunar"], "a - b"), ("", ["Thunar"], ""),
      ("Firefox - a tale - Mozilla Firefox", ["Firefox"], "Firefox - a tale"),
      ("Untitled 1 - LibreOffice Writer", ["soffice", "libreoffice-writer"], "Untitled 1"),
      ("x - y", ["", ""], "x - y"),
      // What warns of a program is no document of it.
      ("Double Commander - ROOT PRIVILEGES", ["doublecmd"], "Double Commander"),
      ("Double Commander - docs", ["doublecmd"], "docs"),
      ("Thunar - READ_ME.txt", ["Thunar"], "READ_ME.txt"),
      ("Double the number - notes", ["doublecmd"], "Double the number - notes"),
    ])
  func titles(_ title: String, _ programs: [String], _ subject: String) {
    #expect(WindowTitle.subject(of: title, programs: programs) == subject)
  }

  @Test(
    "a title ends where its profile says, unless nothing were left",
    arguments: [
      ("*[red] (imported)-1.0 (RGB color, 2 layers) 60x40 – GIMP", "[red] (imported)"),
      ("photo (1).xcf-1.0 (RGB color, 1 layer) 60x40 – GIMP", "photo (1).xcf"),
      ("photo (2).xcf-12.3 (RGB color, 1 layer) 60x40 – GIMP", "photo (2).xcf"),
      ("shot-1.0 (2).xcf-4.0 (RGB color, 1 layer) 60x40 – GIMP", "shot-1.0 (2).xcf"),
      ("Export (x-ray-.1 (2)) – GIMP", "Export (x-ray-.1 (2))"),
      ("-1.0 (x) – GIMP", "-1.0 (x)"),
      ("GNU Image Manipulation Program", "GNU Image Manipulation Program"),
    ])
  func titleEnds(_ title: String, _ subject: String) {
    #expect(WindowTitle.subject(of: title, programs: ["Gimp"], until: "-#.# (") == subject)
  }

  @Test("the label before a field that is another's by its program's word does not name it")
  func takenLabel() {
    var stage = Stage(
      """
      panel '' 0,0,120,100 showing
        label 'Street' 0,0,50,20 showing
        text 'First name:' 60,0,50,20 showing editable
        label 'City' 0,30,50,20 showing
        text '' 60,30,50,20 showing editable
        label 'Land' 0,60,50,20 showing
        text '' 60,60,50,20 showing editable
      """)
    stage.elements[1].isLabelOfAnother = true
    stage.elements[3].isLabelOfAnother = true
    #expect(
      stage.names == [
        "First name text field", "text field, top left", "Land text field", "window",
      ],
      "\(stage.names)")
  }

  @Test("places with one name are told apart by a number, and keep the name they are found by")
  func twins() {
    let stage = Stage(
      """
      list 'Files' 0,0,100,100 showing
        list item 'report' 0,0,50,20 showing
        list item 'report' 0,20,50,20 showing
        list item 'notes' 0,40,50,20 showing
      """)
    let rows = stage.places.filter { $0.role == .row }
    #expect(rows.map(\.spokenName) == ["report, number 1", "report, number 2", "notes"])
    #expect(rows.map(\.name) == ["report", "report", "notes"])
    #expect(rows.map(\.twins) == [2, 2, 1])
  }

  @Test("no two places of a window are told alike")
  func unlike() {
    for (tree, toolkit, version) in [
      (RealTrees.thunar, "gtk", "3.24.38"), (RealTrees.gtk3, "gtk", "3.24.38"),
      (RealTrees.fileChooser, "gtk", "3.24.38"), (RealTrees.firefox, "Gecko", "153"),
      (RealTrees.nautilus, "GTK", "4.8.3"), (RealTrees.pcmanfm, "Qt", "5.15.8"),
    ] {
      let names = Stage(tree, title: "docs", toolkit: toolkit, version: version).places
        .map(\.spokenName)
      #expect(Set(names).count == names.count)
      #expect(!names.contains(""))
    }
  }

  @Test("a row without a name has its number, as the program tells it or else by counting")
  func unnamed() {
    let stage = Stage(
      """
      list 'Files' 0,0,100,100 showing
        list item '' 0,0,50,20 showing {posinset: 11, setsize: 40}
        list item 'a' 0,20,50,20 showing
        list item '' 0,40,50,20 showing
      """)
    // They are passed over; whoever looks for them is told so.
    #expect(stage.names == ["Files list", "a", "window"])
    #expect(
      stage.places.map(\.spokenName)
        == ["Files list", "row 11 of 40", "a", "row 2 of 2", "window"])
  }

  @Test(
    "the only one of its kind without a name is told with where it is in its window",
    arguments: [
      (0, 0, "top left"), (100, 0, "top"), (200, 20, "top right"), (0, 100, "left"),
      (110, 90, "middle"), (220, 110, "right"), (10, 220, "bottom left"), (100, 280, "bottom"),
      (270, 270, "bottom right"),
    ])
  func corner(x: Int, y: Int, words: String) {
    let window = ScreenRectangle(x: 500, y: 50, width: 300, height: 300)
    let stage = Stage(
      "text '' \(500 + x),\(50 + y),60,20 showing editable", title: "Pad", window: window)
    #expect(stage.names == ["text field, \(words)", "Pad window"])
    let several = Stage(
      """
      text '' \(500 + x),\(50 + y),20,20 showing editable
      text '' \(530 + x),\(50 + y),20,20 showing editable
      """, title: "Pad", window: window)
    #expect(several.names.prefix(2) == ["text field 1 of 2", "text field 2 of 2"])
  }

  @Test("a file's name is kept whole, and a long one is cut where it is told")
  func wholeNames() throws {
    let long = String(repeating: "long", count: 33)
    let stage = Stage(
      """
      list 'Files' 0,0,100,100 showing
        list item '\(long)' 0,0,50,20 showing
        list item '- notes' 0,20,50,20 showing
      """)
    let rows = stage.places.filter { $0.role == .row }
    #expect(rows.map(\.name) == [long, "- notes"])
    #expect(rows.map(\.spokenName) == [long.prefix(120) + "…", "- notes"])
    let page = Stage(
      """
      document web 'Page' 0,0,1280,900 showing
        list 'Tasks' 0,0,100,100 showing
          list item '- notes' 0,20,50,20 showing
      """,
      profile: ProgramProfile(
        name: "browser",
        rules: [
          ElementRule(
            ElementRule.Condition(roles: ["list item"]), traits: PlaceTraits(isDropPoint: true))
        ]))
    #expect(page.places.contains { $0.name == "notes" })
  }

  @Test("a field without a name has that of the label before it")
  func label() {
    let stage = Stage(
      """
      panel '' 0,0,100,100 showing
        label 'Name:' 0,0,50,20 showing
        text '' 50,0,50,20 showing editable
        label 'Search field' 0,20,50,20 showing
        entry '' 50,20,50,20 showing editable
      """)
    #expect(stage.names == ["Name text field", "Search field text field", "window"])
  }

  @Test("a name that says what it names is not told twice")
  func said() {
    let stage = Stage(
      RealTrees.terminal, title: "Terminal - ", class: "Xfce4-terminal", program: "xfce4-terminal",
      window: ScreenRectangle(x: 1, y: 412, width: 817, height: 483))
    #expect(stage.names == ["Terminal"])
  }

  @Test("names from a program are cleaned and of bounded length")
  func cleaned() {
    let long = String(repeating: "x", count: 4000)
    var stage = Stage(
      """
      list 'Files' 0,0,100,100 showing
        list item 'a' 0,0,50,20 showing
        list item 'b' 0,20,50,20 showing
        list item 'c' 0,40,50,20 showing
      """)
    stage.elements[1].name = "a\u{1B}[31m"
    stage.elements[2].name = long
    stage.elements[3].name = " \u{7} "
    let names = stage.places.map(\.spokenName)
    #expect(names[1] == "a\u{FFFD}[31m")
    #expect(names[2].count == 121)
    #expect(names[3] == "row 3 of 3")
  }
}
