import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a person calls a window")
struct WindowTitleTests {
  @Test("A program is called by the letters of its window's class where it is the same word")
  func app() {
    let window = WindowFacts(
      id: WindowID(1), title: "Docs", className: "Thunar", processID: nil,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 1, height: 1), isMapped: true, isActive: false)
    #expect(WindowTitle.app(ProgramFacts(bus: ":1.1", name: "thunar"), window) == "Thunar")
    #expect(WindowTitle.app(ProgramFacts(bus: ":1.1", name: "Files"), window) == "Files")
    #expect(WindowTitle.app(nil, window) == "Thunar")
  }

  @Test(
    "A program is called what its title says where its own name is another, and never by an id",
    arguments: [
      ("soffice", "libreoffice-writer", "a - b.odt - LibreOffice Writer", "LibreOffice Writer"),
      ("soffice", "Soffice", "Insert Section", "Soffice"),
      ("", "Gimp-2.10", "[red] (imported)-1.0 (RGB color) 64x48 – GIMP", "GIMP"),
      ("org.gnome.Nautilus", "org.gnome.Nautilus", "docs", "Nautilus"),
      ("", "org.gnome.Nautilus", "docs", "Nautilus"),
      ("Chromium", "Chromium", "Drop page - Chromium", "Chromium"),
      ("Firefox", "firefox-esr", "Drop page — Mozilla Firefox", "Firefox"),
      ("xfce4-terminal", "Xfce4-terminal", "Terminal - ann@host: ~", "Xfce4-terminal"),
      ("My app v1.2.3", "Other", "Docs", "My app v1.2.3"),
      // Java names windows by the class in which a program began.
      ("", "org-gjt-sp-jedit-jEdit", "jEdit - Untitled-1", "jEdit"),
      ("", "com-example-notes-NotesApp", "Untitled", "NotesApp"),
      (
        "", "org-knopflerfish-framework-BundleThread", "Map - Freeplane - MindMap Mode",
        "Freeplane"
      ),
      ("", "net-sf-jabref-JabRefMain", "JabRef - ~/one.bib (BibTeX mode)", "JabRef"),
      ("", "sun-awt-X11-XFramePeer", "Hello", "Hello"),
      // A folder may be called like the program.
      ("", "Lister", "Lister - /home/ann/lister", "Lister"),
      ("", "xfce4-power-manager", "Power", "xfce4-power-manager"),
      ("", "org.example.some-app", "Docs", "some-app"),
    ])
  func appByTitle(name: String, className: String, title: String, expected: String) {
    let window = WindowFacts(
      id: WindowID(1), title: title, className: className, processID: nil,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 1, height: 1), isMapped: true, isActive: false)
    #expect(WindowTitle.app(ProgramFacts(bus: ":1.1", name: name), window) == expected)
  }

  @Test(
    "Two windows are of one program by its process, else by their class, never by having neither",
    arguments: [
      (7, "Files", 7, "Other", true), (7, "Files", 8, "Files", false),
      (7, "Files", nil, "Files", false),
      (nil, "Files", 7, "Files", true), (nil, "Files", nil, "Other", false),
      (nil, "", nil, "", false),
    ] as [(Int32?, String, Int32?, String, Bool)])
  func program(
    process: Int32?, className: String, otherProcess: Int32?, otherClass: String, isOne: Bool
  ) {
    func window(_ process: Int32?, _ className: String) -> WindowFacts {
      WindowFacts(
        id: WindowID(1), title: "Docs", className: className, processID: process,
        rectangle: ScreenRectangle(x: 0, y: 0, width: 1, height: 1), isMapped: true,
        isActive: false)
    }
    #expect(window(process, className).isOfProgram(of: window(otherProcess, otherClass)) == isOne)
  }

  @Test(
    "What a program says becomes what the session understands",
    arguments: [
      (DragAnswer.accepts(.copy), false, false, DropProposal(.all, offers: .copy)),
      (.accepts(.move), true, true, DropProposal(.maybe, offers: .copy)),
      (.refuses(.notTaken), false, true, .refused(.notTaken)),
      (.refuses(.notTaken), false, false, .refused(.notShown)),
      (.silent, false, true, .refused(.notResponding)),
      (.refuses(.gone), false, true, .refused(.gone)),
      (.refuses(.interrupted), false, true, .refused(.interrupted)),
      (.refuses(.notShown), false, true, .refused(.notTaken)),
      (.refuses(.notShown), false, false, .refused(.notShown)),
    ] as [(DragAnswer, Bool, Bool, DropProposal)])
  func verdict(verdict: DragAnswer, anything: Bool, isShown: Bool, expected: DropProposal) {
    #expect(
      Asking.proposal(verdict, .copy, anything: anything, isShown: isShown) == expected)
  }
}
