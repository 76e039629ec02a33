import KeyDragCore
import KeyDragDesktop
import Testing

@testable import KeyDragConfiguration

@Suite("The shipped profiles fit what their programs really tell")
struct ShippedProfileTests {
  private func stage(
    _ tree: String, title: String, class className: String, program: String, toolkit: String,
    version: String = "", window: ScreenRectangle
  ) throws -> Stage {
    var stage = Stage(
      tree, title: title, class: className, program: program, toolkit: toolkit, version: version,
      window: window)
    let profile: ProgramProfile = try #require(
      ProfileFile.shipped.profiles.profile(for: stage.program, window: stage.window))
    stage.profile = profile
    return stage
  }

  @Test(
    "Thunar: the folder view bears the folder's name, the side pane's rows are folders, its headings are not"
  )
  func thunar() throws {
    let stage = try stage(
      RealTrees.thunar, title: "docs - Thunar", class: "Thunar", program: "thunar",
      toolkit: "gtk", version: "3.24.38",
      window: ScreenRectangle(x: 320, y: 217, width: 640, height: 480))
    #expect(
      stage.names == [
        "docs folder view", "Archive", "folder11", "folder12", "home folder", "Trash folder",
      ])
    let trash = try stage.place("Trash folder").traits
    #expect(
      trash.operation == .move && trash.allowsOnlyDefaultOperation && trash.destination == .trash)
    #expect(try stage.place("home folder").traits.destination == .bookmark)
    #expect(try stage.place("home folder").traits.operation == nil)
    let view = stage.places[0]
    #expect(view.traits.isView && view.traits.scrollsByPointer)
    #expect(view.name == "docs")
    #expect(try stage.place("Archive").traits.source == .files)
    #expect(try stage.place("home folder").traits.source == nil)
    #expect(stage.found.usedRules == [0, 1, 2, 3, 4, 5, 6])
    #expect(try stage.place("docs folder view").traits.detailsKey?.name == "ctrl+2")
  }

  @Test(
    "Thunar: names of headings are those of one language, and a bookmark of such a name is a folder",
    arguments: [
      (["Places", "Red", "Devices"], ["Red folder"]), (["Orte", "Geräte", "Netzwerk"], []),
      (["Lugares", "Dispositivos", "Red"], []),
      (["Places", "Orte"], ["Places folder", "Orte folder"]),
      (["場所", "デバイス"], []),
    ])
  func thunarHeadings(names: [String], folders: [String]) throws {
    let rows = names.enumerated().map { number, name in
      """
            table cell '' 322,\(320 + 30 * number),166,25 showing focusable
              table cell '\(name)' 322,\(320 + 30 * number),166,25 showing
      """
    }
    let stage = try stage(
      """
      frame 'docs' 320,217,640,480 showing
        split pane '' 320,318,640,379 showing
          table '' 320,319,170,378 showing focusable
      \(rows.joined(separator: "\n"))
          directory pane '' 491,319,469,352 showing
      """, title: "docs - Thunar", class: "Thunar", program: "thunar", toolkit: "gtk",
      version: "3.24.38", window: ScreenRectangle(x: 320, y: 217, width: 640, height: 480))
    #expect(stage.names == ["docs folder view"] + folders)
  }

  @Test("Thunar: the rows of its dialogs are no folders")
  func thunarDialog() throws {
    let stage = try stage(
      """
      dialog 'Set Default Application' 400,200,420,400 showing
        scroll pane '' 410,250,400,300 showing
          tree table '' 410,250,400,300 showing focusable
            table cell '' 412,252,396,24 showing focusable
              table cell '' 412,252,24,24 showing
              table cell 'Bulk Rename' 440,252,360,24 showing
      """, title: "Set Default Application", class: "Thunar", program: "thunar", toolkit: "gtk",
      version: "3.24.38", window: ScreenRectangle(x: 400, y: 200, width: 420, height: 400))
    #expect(stage.names == ["Set Default Application window"])
  }

  @Test("Firefox: every yes means little, and the page comes before tabs and address")
  func firefox() throws {
    let stage = try stage(
      RealTrees.firefox, title: "Drop page — Mozilla Firefox", class: "firefox-esr",
      program: "Firefox", toolkit: "Gecko",
      window: ScreenRectangle(x: 0, y: 19, width: 1280, height: 881))
    #expect(
      stage.names == [
        "Drop page", "Done area", "Notes text field", "Name text field", "Editor text field",
        "Drop page tab", "Problem loading page tab",
        "Search with Google or enter address text field",
      ])
    let taking = stage.places.filter { $0.traits.isDropPoint }
    #expect(taking.allSatisfy { $0.traits.acceptsEverything })
    #expect(try stage.place("Drop page tab").traits.accepts.contains("text/uri-list"))
    #expect(stage.found.usedRules == [0, 1, 2, 3, 4])
  }

  @Test("Nautilus: the grid is the folder view")
  func nautilus() throws {
    let stage = try stage(
      RealTrees.nautilus, title: "docs", class: "org.gnome.Nautilus",
      program: "org.gnome.Nautilus", toolkit: "GTK", version: "4.8.3",
      window: ScreenRectangle(x: 0, y: 0, width: 880, height: 540))
    #expect(
      stage.names == [
        "docs folder view", "Archive", "Holiday photos", "Starred folder", "Home folder",
      ])
  }

  @Test("Nautilus: in its list the headers of columns and the field of the folder are no places")
  func nautilusList() throws {
    let stage = try stage(
      RealTrees.nautilusList, title: "docs", class: "org.gnome.Nautilus",
      program: "org.gnome.Nautilus", toolkit: "GTK", version: "4.8.3",
      window: ScreenRectangle(x: 0, y: 0, width: 880, height: 540))
    #expect(stage.names == ["docs folder view", "Archive", "Holiday photos", "Starred folder"])
    #expect(try stage.place("Archive").traits.source == .files)
  }

  @Test("Writer: the page and the cells in it, and no fields of the tool bars")
  func writer() throws {
    let stage = try stage(
      RealTrees.writer, title: "shopping.odt - LibreOffice Writer", class: "libreoffice-writer",
      program: "soffice", toolkit: "gtk", version: "3.24.38",
      window: ScreenRectangle(x: 100, y: 60, width: 1_000, height: 760))
    #expect(stage.names == ["shopping.odt document", "A1", "B1"])
    #expect(try stage.place("shopping.odt document").traits.isView)
    #expect(stage.places.allSatisfy { $0.traits.acceptsEverything })
  }

  @Test("Calc: each cell that can be seen, and the tabs of its sheets")
  func calc() throws {
    let stage = try stage(
      RealTrees.calc, title: "prices.ods - LibreOffice Calc", class: "libreoffice-calc",
      program: "soffice", toolkit: "gtk", version: "3.24.38",
      window: ScreenRectangle(x: 100, y: 60, width: 1_000, height: 760))
    #expect(stage.names == ["prices.ods document", "A1", "B1", "A2", "B2", "prices tab"])
  }

  @Test("Impress: the slide alone is a place, and what stands on it can be picked up")
  func impress() throws {
    let stage = try stage(
      RealTrees.impress, title: "talk.odp - LibreOffice Impress", class: "libreoffice-impress",
      program: "soffice", toolkit: "gtk", version: "3.24.38",
      window: ScreenRectangle(x: 0, y: 0, width: 1_280, height: 900))
    #expect(stage.places.filter(\.traits.isDropPoint).map(\.spokenName) == ["talk.odp document"])
    #expect(
      stage.places.filter { $0.traits.source == .image }.map(\.name)
        == ["PageShape: Slide 1", "PresentationTitle", "GraphicObjectShape"])
  }

  @Test("GIMP: the picture and its layers, and no fields of the tools, by a title without figures")
  func gimpLayers() throws {
    let stage = try stage(
      RealTrees.gimp, title: "[red] (imported)-1.0 (RGB color, 2 layers) 60x40 – GIMP",
      class: "Gimp-2.10", program: "Gimp", toolkit: "GAIL", version: "2.24.33",
      window: ScreenRectangle(x: 200, y: 100, width: 1_026, height: 793))
    #expect(
      stage.places.filter(\.traits.isDropPoint).map(\.spokenName)
        == ["[red] (imported) canvas", "blue.png", "red.png"])
    #expect(stage.places.first?.traits.isView == true)
  }

  @Test(
    "Chromium: what has a name in a page, and what opens a file there; it takes them everywhere")
  func chromium() throws {
    let stage = try stage(
      RealTrees.chromium, title: "Drop page - Chromium", class: "Chromium", program: "Chromium",
      toolkit: "Chromium", version: "1.0",
      window: ScreenRectangle(x: 50, y: 40, width: 1_100, height: 800))
    let taking = stage.places.filter { $0.traits.isDropPoint }
    #expect(
      taking.map(\.spokenName) == [
        "Drop page", "Upload area", "Notes text field", "Attach: No file chosen button",
        "Drop page tab", "Address and search bar text field",
      ])
    #expect(taking.allSatisfy { $0.traits.acceptsEverything })
    #expect(try stage.place("Upload area").role == .area)
  }

  @Test("PCManFM-Qt: headings of the side pane are no places")
  func pcmanfm() throws {
    let stage = try stage(
      RealTrees.pcmanfm, title: "docs", class: "pcmanfm-qt", program: "pcmanfm-qt",
      toolkit: "Qt", version: "5.15.8",
      window: ScreenRectangle(x: 1, y: 415, width: 640, height: 480))
    #expect(
      stage.names == [
        "docs folder view", "Archive", "folder1", "docs tab", "root folder", "Trash folder",
      ])
    #expect(try stage.place("Archive").traits.acceptsEverything)
  }

  @Test("a terminal takes files as their paths")
  func terminal() throws {
    let stage = try stage(
      RealTrees.terminal, title: "Terminal - ann@host: ~", class: "Xfce4-terminal",
      program: "xfce4-terminal", toolkit: "gtk",
      window: ScreenRectangle(x: 1, y: 412, width: 817, height: 483))
    #expect(stage.names == ["ann@host: ~ terminal"])
    #expect(try stage.place("ann@host: ~ terminal").traits.operation == .copy)
  }

  @Test("GIMP tells nothing of its window: the picture is taken to be in the middle")
  func gimp() throws {
    let stage = try stage(
      "", title: "[Untitled]-1.0 - GIMP", class: "Gimp-2.10", program: "", toolkit: "",
      window: ScreenRectangle(x: 100, y: 100, width: 400, height: 200))
    #expect(stage.names == ["[Untitled]-1.0 canvas"])
    let canvas = try stage.place("[Untitled]-1.0 canvas")
    #expect(canvas.rectangle == ScreenRectangle(x: 200, y: 150, width: 200, height: 100))
    #expect(canvas.element == nil)
  }

  @Test(
    "each profile is for its program alone",
    arguments: [
      ("thunar", "Thunar", "gtk", "thunar"), ("Firefox", "firefox-esr", "Gecko", "firefox"),
      ("soffice", "libreoffice-calc", "gtk", "libreoffice-calc"),
      ("soffice", "libreoffice-writer", "gtk", "libreoffice-writer"),
      ("gnome-terminal-server", "Gnome-terminal", "GTK", "terminal"),
      ("Chromium", "Chromium-browser", "Chromium", "chromium"),
      ("Mousepad", "Mousepad", "gtk", nil), ("", "", "", nil),
    ] as [(String, String, String, String?)])
  func chosen(_ program: String, _ className: String, _ toolkit: String, _ profile: String?) {
    let stage = Stage("", class: className, program: program, toolkit: toolkit)
    let found = ProfileFile.shipped.profiles.profile(for: stage.program, window: stage.window)
    #expect(found?.name == profile)
  }
}
