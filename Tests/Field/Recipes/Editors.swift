import Foundation

extension Recipe {
  static var editors: [Recipe] {
    [
      editor("Mousepad", "mousepad", app: "Mousepad"),
      editor("gedit", "gedit", app: "Gedit", nextTab: "ctrl+alt+Next"),
      editor("Pluma", "pluma", app: "Pluma", nextTab: "ctrl+alt+Next"),
      editor("GNOME Text Editor", "gnome-text-editor", app: "gnome-text-editor"),
      editor("KWrite", "kwrite", app: "kwrite", nextTab: "alt+Right"),
      editor("FeatherPad", "featherpad", app: "featherpad", nextTab: "alt+Right"),
      editor("Kate", "kate", app: "kate", nextTab: "alt+Right"),
      editor("Geany", "geany", app: "Geany"),
      editor("L3afpad", "l3afpad", app: "L3afpad"),
      editor("FocusWriter", "focuswriter", app: "focuswriter"),
    ]
  }

  static let shopping = Payload.text("Milk and bread")

  private static func editor(
    _ name: String, _ program: String, app: String, nextTab: String = "ctrl+Next"
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: program, files: ["/usr/bin/" + program], app: app,
      open: { field in
        try field.make("Target/notes.txt", "Milk and bread\n")
        try field.start(["/usr/bin/" + program, field.path("Target/notes.txt")])
        return try field.inFront("notes.txt")
      },
      places: ["notes", "document", "text", "Untitled", "editor", ""])
    recipe.documents = ["Target/notes.txt"]
    recipe.textPlaces = recipe.places
    recipe.selectText = { field, _ in
      try field.press("ctrl+a")
      return shopping
    }
    recipe.oracle = { field, window, payload, before in
      try titlesAndSaved(field, window, payload, before, nextTab: nextTab)
    }
    recipe.refused = (Payload(file: "Inbox/picture.png", contents: SampleFiles.red), recipe.places)
    return recipe
  }

  /// Saves every document of the window, going from tab to tab; a title with the carried name is a
  /// document that was opened. What was saved is read from the disk.
  static func titlesAndSaved(
    _ field: FieldDesktop, _ window: Window, _ payload: Payload, _ before: [String], nextTab: String
  ) throws -> Set<Effect> {
    var titles = field.laterTitles
    for _ in 0..<3 {
      let now = try field.windows()
      titles += now.map(\.title)
      guard let main = now.first(where: { $0.id == window.id }) else { break }
      try field.activate(main)
      // A picture that was opened as text would be spoilt.
      let isText = payload.name.hasSuffix(".txt") && main.title.contains(payload.name)
      if payload.file == nil || isText || main.title.contains("notes") {
        try field.press("ctrl+s")
        usleep(400_000)
      }
      try field.press(nextTab)
      usleep(300_000)
    }
    let isOpened = titles.contains {
      payload.file != nil && $0.contains(payload.name) && !before.contains($0)
    }
    return isOpened ? [.opened] : []
  }
}
