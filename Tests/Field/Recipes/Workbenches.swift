import Foundation

/// Editors of one kind of document each, and programs of toolkits that few others have.
extension Recipe {
  static var workbenches: [Recipe] {
    [
      gaupol, libreCAD, audacity, scribus, kdiff3, poedit, gnote, geary,
      refusing("sakura", "sakura", app: "sakura", place: "Terminal", title: "sakura"),
      refusing("Thonny", "thonny", app: "Thonny", place: "<untitled>", title: "Thonny"),
      refusing("HexChat", "hexchat", app: "hexchat", place: "tree with", title: "HexChat"),
      ghostwriter,
    ] + newcomers
  }

  private static var newcomers: [Recipe] {
    [
      refusing("FBReader", "fbreader", app: "fbreader", place: "FBReader", title: "FBReader"),
      refusing(
        "Persepolis", "persepolis", app: "persepolis", place: "Persepolis Download Manager list",
        title: "Persepolis"),
      refusing(
        "ISO Master", "isomaster", app: "isomaster", place: "list, bottom", title: "ISO Master"),
      opener(
        "Bless", "bless", app: "bless", place: "Untitled 1 window", title: "Bless", ending: "txt",
        contents: "Call the baker\n"),
      lister(
        "Metadata Cleaner", "metadata-cleaner", place: "Clean Your Traces",
        title: "Metadata Cleaner",
        Payload(file: "Inbox/drop.png", contents: SampleFiles.blue)),
      soundConverter, redNotebook, liferea,
    ]
  }

  /// A program that opens what is dropped, named in its title.
  private static func opener(
    _ name: String, _ program: String, app: String, place: String, title: String,
    ending: String, contents: String, greeting: (title: String, key: String)? = nil
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: program, files: ["/usr/bin/" + program], app: app,
      open: { field in
        try field.make("Target/one.\(ending)", contents)
        try field.start(["/usr/bin/" + program])
        if let greeting {
          let window = try field.window(greeting.title)
          try field.activate(window)
          try field.press(greeting.key)
        }
        let window = try field.window("of \(name)") {
          $0.title.contains(title) && greeting?.title != $0.title
        }
        try field.activate(window)
        return window
      },
      places: [place], payload: Payload(file: "Inbox/drop.\(ending)", contents: Data(contents.utf8))
    )
    recipe.oracle = opensTitle
    recipe.scenarios = [.fileIn, .busy, .killed]
    return recipe
  }

  private static var gaupol: Recipe {
    var recipe = viewer(
      "Gaupol", "gaupol", app: "Python3", ending: "srt",
      contents: (subtitles, subtitles))
    recipe.places = ["No."]
    recipe.scenarios = [.fileIn, .refuse, .busy]
    return recipe
  }

  private static let subtitles = Data("1\n00:00:01,000 --> 00:00:02,000\nMilk\n\n".utf8)

  private static var libreCAD: Recipe {
    opener(
      "LibreCAD", "librecad", app: "LibreCAD", place: "list, top right", title: "unnamed",
      ending: "dxf",
      contents:
        "0\nSECTION\n2\nENTITIES\n0\nLINE\n8\n0\n10\n0\n20\n0\n11\n9\n21\n9\n0\nENDSEC\n0\nEOF\n",
      greeting: ("Welcome", "Return"))
  }

  private static var audacity: Recipe {
    var recipe = opener(
      "Audacity", "audacity", app: "Audacity", place: "Audacity window", title: "Audacity",
      ending: "wav", contents: "", greeting: ("Welcome to Audacity!", "Escape"))
    recipe.payload = Payload(file: "Inbox/drop.wav", contents: SampleFiles.silence)
    recipe.refused = (note, recipe.places)
    recipe.scenarios = [.fileIn, .refuse]
    return recipe
  }

  /// Its title marks a page that has gained something.
  private static var scribus: Recipe {
    var recipe = Recipe(
      name: "Scribus", package: "scribus", files: ["/usr/bin/scribus"], app: "scribus",
      open: { field in
        try field.start(["/usr/bin/scribus", "-ns"])
        try field.inFront("New Document")
        try field.press("Return")
        return try field.inFront("Document-1")
      },
      places: ["[Document-1]"],
      payload: Payload(file: "Inbox/drop.png", contents: SampleFiles.blue))
    recipe.oracle = { field, _, _, _ in
      try field.windows().contains { $0.title.contains("Document-1*") } ? [.inserted] : []
    }
    recipe.scenarios = [.fileIn, .busy]
    return recipe
  }

  /// Shows what is dropped on a field for its path.
  private static var kdiff3: Recipe {
    var recipe = opener(
      "KDiff3", "kdiff3", app: "kdiff3", place: "A text field", title: "KDiff3", ending: "txt",
      contents: "Call the baker\n", greeting: ("Dialog — KDiff3", "Escape"))
    recipe.scenarios = [.fileIn]
    return recipe
  }

  private static var poedit: Recipe {
    let file = "Target/de.po"
    var recipe = Recipe(
      name: "Poedit", package: "poedit", files: ["/usr/bin/poedit"], app: "Poedit",
      open: { field in
        try field.make(
          file,
          """
          msgid ""
          msgstr "Language: de\\nContent-Type: text/plain; charset=UTF-8\\n"

          msgid "Milk"
          msgstr "Milch"

          """)
        try field.start(["/usr/bin/poedit", field.path(file)])
        return try field.inFront("de.po")
      },
      places: ["text field, bottom"])
    recipe.documents = [file]
    recipe.textPlaces = recipe.places
    recipe.oracle = { field, window, _, _ in
      try field.activate(window)
      try field.press("ctrl+s")
      sleep(2)
      return []
    }
    recipe.scenarios = [.fileIn, .textIn]
    return recipe
  }

  /// Notes that are saved as they are written.
  private static var gnote: Recipe {
    var recipe = Recipe(
      name: "Gnote", package: "gnote", files: ["/usr/bin/gnote"], app: "Gnote",
      open: { field in
        try field.start(["/usr/bin/gnote", "--start-here"])
        return try field.inFront("Gnote")
      },
      places: ["Start Here text field"])
    recipe.textPlaces = recipe.places
    recipe.oracle = { field, _, payload, _ in
      let find = "cat \"$1\"/*.note"
      var effect: Effect?
      field.wait(8) {
        let saved = try? field.run(["/bin/sh", "-c", find, "sh", field.path("data/gnote")])
        effect = DiskOracle.effect(of: payload, in: saved?.lines.joined(separator: "\n") ?? "")
        return effect != nil
      }
      return effect.map { [$0] } ?? []
    }
    recipe.scenarios = [.textIn]
    return recipe
  }

  /// A letter that is being written, with an account that reaches nobody. The title is its subject.
  private static var geary: Recipe {
    var recipe = Recipe(
      name: "Geary", package: "geary", files: ["/usr/bin/geary"], app: "Geary",
      open: { field in
        try field.make("config/geary/account_01/geary.ini", gearyAccount)
        try field.start(["/usr/bin/geary"])
        // It asks for the password.
        field.wait(30) { (try? field.windows().count) == 2 }
        try field.press("Escape")
        usleep(800_000)
        try field.press("ctrl+n")
        return try field.inFront("New Message")
      },
      places: ["Subject"])
    recipe.textPlaces = recipe.places
    recipe.oracle = { field, _, payload, _ in
      try field.windows().compactMap { DiskOracle.effect(of: payload, in: $0.title) }
        .reduce(into: []) { $0.insert($1) }
    }
    recipe.scenarios = [.fileIn, .textIn]
    return recipe
  }

  private static let gearyAccount = """
    [Metadata]
    version=1
    status=enabled

    [Account]
    label=Ada
    ordinal=1
    prefetch_days=14
    sender_mailboxes=Ada <ada@example.org>;
    service_provider=other

    [Incoming]
    login=ada
    remember_password=true
    host=localhost
    port=10143
    transport_security=none
    credentials=custom

    [Outgoing]
    host=localhost
    port=10025
    transport_security=none
    credentials=none
    remember_password=true

    """

  /// A program that takes nothing where its window seems to offer room.
  private static func refusing(
    _ name: String, _ program: String, app: String, place: String, title: String
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: program, files: ["/usr/bin/" + program], app: app,
      open: { field in
        try field.make("config/hexchat/hexchat.conf", "gui_slist_skip = 1\n")
        try field.make("config/Thonny/configuration.ini", "[general]\nlanguage = en_US\n")
        // One of GTK 2 tells nothing of itself without them.
        try field.start(["/usr/bin/" + program], adding: ["GTK_MODULES": "gail:atk-bridge"])
        return try field.inFront(title)
      },
      places: [place])
    recipe.refused = (note, [place])
    recipe.scenarios = [.refuse]
    return recipe
  }

  /// A program with a list of files, in which another client of the accessibility bus looks for them.
  private static func lister(
    _ name: String, _ program: String, place: String, title: String, _ payload: Payload
  ) -> Recipe {
    var recipe = refusing(name, program, app: program, place: place, title: title)
    recipe.refused = nil
    recipe.payload = payload
    recipe.oracle = { field, _, payload, _ in
      try shown(on: field).contains(payload.name) ? [.listed] : []
    }
    recipe.scenarios = [.fileIn, .busy]
    return recipe
  }

  /// All names and texts that programs tell of.
  private static func shown(on field: FieldDesktop) throws -> [String] {
    let program = """
      import pyatspi
      def tell(element):
          if not element:
              return
          print(element.name)
          if "Text" in pyatspi.listInterfaces(element):
              print(element.queryText().getText(0, -1))
          for child in element:
              tell(child)
      tell(pyatspi.Registry.getDesktop(0))
      """
    return try field.run(["/usr/bin/python3", "-W", "ignore", "-c", program]).lines
  }

  /// Alerts about what is no sound.
  private static var soundConverter: Recipe {
    var recipe = lister(
      "SoundConverter", "soundconverter", place: "SoundConverter list", title: "SoundConverter",
      Payload(file: "Inbox/drop.wav", contents: SampleFiles.silence))
    recipe.question = Question(copy: ["Escape"], move: [])
    recipe.refused = (note, recipe.places)
    recipe.scenarios = [.fileIn, .refuse]
    return recipe
  }

  /// A diary: a page is called by its day, and a file is a link in it.
  private static var redNotebook: Recipe {
    var recipe = refusing(
      "RedNotebook", "rednotebook", app: "rednotebook", place: "", title: "RedNotebook")
    recipe.places = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    recipe.refused = nil
    recipe.oracle = { field, _, payload, _ in
      DiskOracle.effect(of: payload, in: try shown(on: field).joined(separator: "\n"))
        .map { [$0] } ?? []
    }
    recipe.scenarios = [.fileIn]
    return recipe
  }

  /// Feeds, each called by what is in it.
  private static var liferea: Recipe {
    var recipe = refusing(
      "Liferea", "liferea", app: "liferea", place: "Liferea tree", title: "Liferea")
    recipe.places.append("tree with")
    recipe.refused = nil
    recipe.payload = Payload(
      file: "Inbox/drop.xml",
      contents: Data("<rss version='2.0'><channel><title>Cakes</title></channel></rss>\n".utf8))
    recipe.oracle = { field, _, payload, _ in
      field.wait(6) {
        field.read("config/liferea/feedlist.opml")?.contains(payload.name) == true
      } ? [.listed] : []
    }
    recipe.scenarios = [.fileIn]
    return recipe
  }

  private static var ghostwriter: Recipe {
    var recipe = viewer(
      "ghostwriter", "ghostwriter", app: "ghostwriter", ending: "md",
      contents: (Data("# Milk\n".utf8), Data("# Bread\n".utf8)))
    recipe.places = ["one.md window"]
    recipe.scenarios = [.fileIn, .busy]
    return recipe
  }
}
