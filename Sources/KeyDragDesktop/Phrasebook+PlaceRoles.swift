import KeyDragCore

extension Phrasebook {
  /// The name of the window under all others.
  // A window to drop on: the desktop, with the files on it.
  var desktop: String { term(in: "a place", "Desktop") }

  package func word(for role: PlaceRole) -> String {
    switch role {
    // A kind of place in a program's window: the part of a file manager that shows a folder. Comes
    // after a name, as in "Docs folder view", or stands alone.
    case .folderView: term(in: "a place", "folder view")
    // A kind of place in a program's window. Comes after a name, as in "Docs folder", or alone.
    case .folder: term(in: "a place", "folder")
    // A kind of place in a program's window: one with lines. Comes after a name or alone.
    case .list: term(in: "a place", "list")
    // A kind of place in a program's window: a list with branches. Comes after a name or alone.
    case .tree: term(in: "a place", "tree")
    // A kind of place in a program's window: one line of a list. A number follows: "row 3 of 12".
    case .row: term(in: "a place", "row")
    // A kind of place in a program's window: a small picture. Comes after a name or alone.
    case .icon: term(in: "a place", "icon")
    // A kind of place in a program's window: the tab of a page. Comes after a name or alone.
    case .tab: term(in: "a place", "tab")
    // A kind of place in a program's window: text can be typed. Comes after a name or alone.
    case .textField: term(in: "a place", "text field")
    // A kind of place in a program's window: what a browser shows. Comes after a name or alone.
    case .page: term(in: "a place", "page")
    // A kind of place in a program's window: text that is written. Comes after a name or alone.
    case .document: term(in: "a place", "document")
    // A kind of place in a program's window: a picture that is drawn. Comes after a name or alone.
    case .canvas: term(in: "a place", "canvas")
    // A kind of place in a program's window: a command line. Comes after a name or alone.
    case .terminal: term(in: "a place", "terminal")
    // A kind of place in a program's window: a row of buttons. Comes after a name or alone.
    case .toolbar: term(in: "a place", "toolbar")
    // A kind of place in a program's window: its last line. Comes after a name or alone.
    case .statusBar: term(in: "a place", "status bar")
    // A kind of place in a program's window: something to press. Comes after a name or alone.
    case .button: term(in: "a place", "button")
    // A kind of place in a program's window: a picture. Comes after a name or alone.
    case .image: term(in: "a place", "image")
    // A kind of place in a program's window: it leads to a page. Comes after a name or alone.
    case .link: term(in: "a place", "link")
    // A kind of place in a program's window: a part without a kind. Comes after a name or alone.
    case .area: term(in: "a place", "area")
    // A kind of place: the whole window of a program. Comes after a name or alone.
    case .window: term(in: "a place", "window")
    // A kind of place in a program's window: what lies behind the items of a list. Comes after a
    // name or alone.
    case .background: term(in: "a place", "background")
    // A kind of place in a program's window: one line of a text. Comes after a name or alone.
    case .textLine: term(in: "a place", "text line")
    }
  }

  package func place(_ name: String, _ word: String) -> String {
    // A place in a program's window. %1$@ is its name, %2$@ what it is, such as "folder view" or
    // "text field".
    term(in: "a place", "%1$@ %2$@", name, word)
  }

  /// A place without a name, by its kind and index.
  package func place(_ word: String, _ index: Int, of total: Int) -> String {
    // A place without a name. %1$@ is what it is, such as "text field", %2$@ and %3$@ are numbers.
    term(in: "a place", "%1$@ %2$@ of %3$@", word, number(index), number(total))
  }

  /// A list without a name, by its first row.
  package func place(_ word: String, with row: String) -> String {
    // A place without a name. %1$@ is what it is, such as "list" or "tree", %2$@ the name of the first
    // thing in it: "list with Inbox".
    term(in: "a place", "%1$@ with %2$@", word, row)
  }

  package func twin(_ name: String, _ index: Int) -> String {
    // One of several places with one name. %1$@ is the name, %2$@ a number that tells them apart.
    term(in: "a place", "%1$@, number %2$@", name, number(index))
  }

  /// One of several folders with the same name.
  package func twin(_ name: String, in folder: String) -> String {
    // One of several folders with one name. %1$@ is the name with what it is, such as "Docs folder",
    // %2$@ the name of the folder that this one lies in, which tells them apart.
    term(in: "a place", "%1$@ in %2$@", name, folder)
  }
}
