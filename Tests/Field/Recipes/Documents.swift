import Foundation

extension Recipe {
  static var documents: [Recipe] {
    [
      office(
        "Writer", "writer", kind: "text", file: "Target/notes.fodt",
        body: "<office:text><text:p>Milk and bread</text:p></office:text>"),
      office(
        "Calc", "calc", kind: "spreadsheet", file: "Target/notes.fods",
        body: """
          <office:spreadsheet><table:table table:name="Prices"><table:table-row><table:table-cell
          office:value-type="string"><text:p>Milk and bread</text:p></table:table-cell>
          </table:table-row></table:table></office:spreadsheet>
          """),
      gimp, inkscape,
      viewer("Evince", "evince", app: "Evince", ending: "pdf", contents: pages),
      viewer("Atril", "atril", app: "Atril", ending: "pdf", contents: pages),
      viewer("Okular", "okular", app: "okular", ending: "pdf", contents: pages),
      archive("file-roller", settling: 3), archive("engrampa", settling: 3), xarchiver, xournal,
      jabRef, terminal,
    ]
  }

  // MARK: LibreOffice

  /// A document whose file is text, which is read when it has been saved.
  private static func office(
    _ name: String, _ part: String, kind: String, file: String, body: String
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: "libreoffice-\(part) libreoffice-gtk3",
      files: [
        "/usr/bin/soffice", officeFolder + "lib\(part == "calc" ? "sc" : "sw")lo.so",
        officeFolder + "libvclplug_gtk3lo.so",
      ],
      app: name,
      open: { field in
        try field.make(file, document(kind, body))
        try field.make("profile/user/registrymodifications.xcu", officeSettings)
        try field.start(
          [
            "/usr/bin/soffice", "-env:UserInstallation=file://" + field.path("profile"),
            "--norestore", "--nologo", field.path(file),
          ],
          adding: ["SAL_USE_VCLPLUGIN": "gtk3", "GDK_BACKEND": "x11"])
        let window = try field.window("notes.fod", within: 90)
        try field.activate(window)
        return window
      },
      places: ["notes", "document"])
    recipe.question = Question(copy: ["Return"], move: [])
    recipe.documents = [file]
    recipe.textPlaces = kind == "text" ? ["notes", "document"] : ["A1", "notes"]
    recipe.selectText = { field, _ in
      try field.press("ctrl+Home", "ctrl+a")
      return shopping
    }
    recipe.oracle = { field, window, payload, before in
      let new = try field.windows().filter { !before.contains($0.title) }
      let isOpened = new.contains { payload.file != nil && $0.title.contains(payload.name) }
      try field.activate(window)
      let old = field.read(file)
      try field.press("ctrl+s")
      // Nothing is written where nothing was changed.
      field.wait(4) { field.read(file).map { $0 != old && $0.hasSuffix(">") } ?? false }
      return isOpened ? [.opened] : []
    }
    // Nothing goes into a document that is only read.
    recipe.refused = (note, recipe.places)
    recipe.makeRefusing = { field, _ in
      try field.press("ctrl+shift+m")
      _ = try field.window("read-only", within: 20)
    }
    recipe.scenarios = [
      .fileIn, .cancel, .textIn, .textOut, .refuse, .busy, .busyLater, .killed, .killedLater,
    ]
    return recipe
  }

  private static let officeFolder = "/usr/lib/libreoffice/program/"

  private static let officeSettings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <oor:items xmlns:oor="http://openoffice.org/2001/registry">
    <item oor:path="/org.openoffice.Office.Common/Misc">
    <prop oor:name="ShowTipOfTheDay" oor:op="fuse"><value>false</value></prop></item>
    <item oor:path="/org.openoffice.Office.Common/Save/Document">
    <prop oor:name="WarnAlienFormat" oor:op="fuse"><value>false</value></prop></item>
    <item oor:path="/org.openoffice.Setup/Product">
    <prop oor:name="ooSetupLastVersion" oor:op="fuse"><value>7.4</value></prop></item>
    </oor:items>

    """

  private static func document(_ kind: String, _ body: String) -> String {
    let names = ["office", "text", "table"].map { name in
      "xmlns:\(name)=\"urn:oasis:names:tc:opendocument:xmlns:\(name):1.0\""
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <office:document \(names.joined(separator: " ")) office:version="1.2"
      office:mimetype="application/vnd.oasis.opendocument.\(kind)">
      <office:body>\(body)</office:body></office:document>

      """
  }

  // MARK: SampleFiles and pages

  private static let blue = Payload(file: "Inbox/blue.png", contents: SampleFiles.blue)

  /// The title tells how many layers there are.
  private static var gimp: Recipe {
    var recipe = Recipe(
      name: "GIMP", package: "gimp libgail-common", files: ["/usr/bin/gimp"], app: "Gimp",
      open: { field in
        try field.make("Target/red.png", data: SampleFiles.red)
        try field.start(
          ["/usr/bin/gimp", "--new-instance", "--no-splash", field.path("Target/red.png")],
          adding: ["GTK_MODULES": "gail:atk-bridge"])
        return try field.window("[red]", within: 90)
      },
      places: ["[red]"], payload: blue)
    recipe.oracle = { field, _, _, before in
      let titles = try field.windows().map(\.title)
      if titles.contains(where: { $0.contains("[red]") && $0.contains("2 layers") }) {
        return [.inserted]
      }
      let isOpened = titles.contains { $0.contains("[blue]") && !before.contains($0) }
      return isOpened ? [.opened] : []
    }
    recipe.refused = (note, ["[red]"])
    return recipe
  }

  private static var inkscape: Recipe {
    let drawing = """
      <svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="9" height="9"/>
      </svg>

      """
    var recipe = Recipe(
      name: "Inkscape", package: "inkscape", files: ["/usr/bin/inkscape"], app: "Inkscape",
      open: { field in
        try field.make("Target/drawing.svg", drawing)
        try field.make("config/inkscape/preferences.xml", inkscapeSettings)
        try field.start(["/usr/bin/inkscape", field.path("Target/drawing.svg")])
        let window = try field.window("drawing.svg", within: 90)
        try field.activate(window)
        return window
      },
      places: ["drawing", "canvas", ""], payload: blue)
    recipe.question = Question(copy: ["Return"], move: [])
    recipe.judgedAlone = ["Target/drawing.svg"]
    recipe.oracle = { field, window, payload, before in
      let isOpened = try field.windows().contains {
        $0.title.contains(payload.name) && !before.contains($0.title)
      }
      try field.activate(window)
      try field.press("ctrl+s")
      sleep(3)
      let saved = field.read("Target/drawing.svg") ?? ""
      let effects: Set<Effect> = saved.contains("<image") ? [.inserted] : []
      return isOpened ? effects.union([.opened]) : effects
    }
    // It asks how to take it in, and says then that it could not.
    recipe.refused = (note, recipe.places)
    recipe.scenarios = [.fileIn, .cancel, .refuse, .busy, .busyLater, .killed, .killedLater]
    return recipe
  }

  private static let inkscapeSettings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <inkscape version="1"><group id="options"><group id="boot" shown="1" enabled="0"/></group>
    </inkscape>

    """

  private static let pages = (SampleFiles.page, SampleFiles.page)

  /// A viewer of one document, which opens another one in its place or in a window beside it.
  static func viewer(
    _ name: String, _ program: String, app: String, ending: String, contents: (Data, Data)
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: program, files: ["/usr/bin/" + program], app: app,
      open: { field in
        try field.make("Target/one.\(ending)", data: contents.0)
        try field.start(["/usr/bin/" + program, field.path("Target/one.\(ending)")])
        return try field.inFront("one")
      },
      places: ["one", "document", "page", "picture", ""],
      payload: Payload(file: "Inbox/drop.\(ending)", contents: contents.1))
    // Viewers of pictures name their window after a text too, and show that they can't load it.
    recipe.oracle = { field, window, payload, before in
      if ending == "png", !payload.name.hasSuffix(".png") { return [] }
      return try opensTitle(field, window, payload, before)
    }
    recipe.refused = (note, recipe.places)
    return recipe
  }

  /// A title with the carried name that was not there before.
  static func opensTitle(
    _ field: FieldDesktop, _ window: Window, _ payload: Payload, _ before: [String]
  ) throws -> Set<Effect> {
    let shown = try field.windows().filter { !$0.type.contains("DIALOG") }.map(\.title)
    let isOpened = (shown + field.laterTitles).contains {
      $0.contains(payload.stem) && !before.contains($0)
    }
    return isOpened ? [.opened] : []
  }

  // MARK: Archives and terminals

  private static func archive(_ program: String, settling: Double) -> Recipe {
    let packer =
      "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').write(sys.argv[2], sys.argv[3])"
    var recipe = Recipe(
      name: program, package: program, files: ["/usr/bin/" + program], app: program,
      open: { field in
        try field.make("Target/inner.txt", "From the archive\n")
        try field.run([
          "/usr/bin/python3", "-c", packer, field.path("Target/box.zip"),
          field.path("Target/inner.txt"), "inner.txt",
        ])
        try field.start(["/usr/bin/" + program, field.path("Target/box.zip")])
        return try field.inFront("box.zip")
      },
      places: ["box", "", "files", "list"])
    recipe.judgedAlone = ["Target/box.zip"]
    recipe.question = Question(copy: ["Return"], move: [])
    recipe.oracle = { field, _, payload, _ in
      let list = try field.run([
        "/usr/bin/python3", "-m", "zipfile", "-l", field.path("Target/box.zip"),
      ])
      // What comes out of it has no name here, with which every line begins.
      let isThere = !payload.name.isEmpty && list.lines.contains { $0.hasPrefix(payload.name) }
      return isThere ? [.inserted] : []
    }
    recipe.selectFile = { field, _ in
      // The list has the keyboard from the start. No pointer: engrampa 1.26 begins a drag of its own once
      // the pointer moves after a click.
      try field.press("Home", "ctrl+a")
      return Payload(file: nil, contents: Data("From the archive\n".utf8))
    }
    recipe.settling = settling
    recipe.takesSeveral = true
    // An archive is not put into itself.
    recipe.refused = (Payload(file: "Target/box.zip", contents: Data()), recipe.places)
    recipe.scenarios = [
      .fileIn, .several, .fileOut, .refuse, .busy, .busyLater, .killed, .killedLater,
    ]
    return recipe
  }

  /// Adds to the archive, and then lists what was added alone.
  private static var xarchiver: Recipe {
    var recipe = archive("xarchiver", settling: 3)
    recipe.places = ["Filename"]
    recipe.scenarios = [.fileIn, .several, .busy, .killed]
    return recipe
  }

  /// Pages that it draws itself: the pictures in its file, once that is saved.
  private static var xournal: Recipe {
    let file = "Target/notes.xopp"
    var recipe = Recipe(
      name: "Xournal++", package: "xournalpp", files: ["/usr/bin/xournalpp"], app: "xournalpp",
      open: { field in
        try field.make(
          file,
          """
          <?xml version="1.0" standalone="no"?>
          <xournal creator="KeyDrag" fileversion="4"><page width="595" height="842">
          <background type="solid" color="#ffffffff" style="plain"/><layer></layer></page></xournal>
          """)
        try field.start(["/usr/bin/xournalpp", field.path(file)])
        return try field.inFront("notes")
      },
      places: ["Page"], payload: blue)
    recipe.judgedAlone = [file]
    recipe.oracle = { field, window, _, _ in
      let count =
        "import gzip, sys; print(gzip.open(sys.argv[1]).read().count(b'<image '))"
      try field.activate(window)
      try field.press("ctrl+s")
      field.wait(4) { field.read(file)?.hasPrefix("<?xml") != true }
      let saved = try field.run(["/usr/bin/python3", "-c", count, field.path(file)])
      return saved.lines.contains("1") ? [.inserted] : []
    }
    recipe.scenarios = [.fileIn, .busy, .killed]
    return recipe
  }

  /// A program of Java, which tells no more than the title of its window.
  private static var jabRef: Recipe {
    func entry(_ name: String) -> Data { Data("@misc{\(name), title={\(name)}}\n".utf8) }
    var recipe = viewer(
      "JabRef", "jabref", app: "JabRef", ending: "bib", contents: (entry("one"), entry("drop")))
    recipe.places = ["one"]
    recipe.patience = 60
    recipe.scenarios = [.fileIn]
    return recipe
  }

  private static let reader = """
    printf 'Milk and bread '
    read -r name
    printf %s "$name" > typed
    read -r end

    """

  /// A script in the terminal writes to a file the line that it reads.
  private static var terminal: Recipe {
    var recipe = Recipe(
      name: "xfce4-terminal", package: "xfce4-terminal", files: ["/usr/bin/xfce4-terminal"],
      app: "xfce4-terminal",
      open: { field in
        try field.make("read.sh", reader)
        try field.start(
          [
            "/usr/bin/xfce4-terminal", "--disable-server", "--title", "Prompt",
            "--working-directory", field.home, "--command", "sh read.sh",
          ], adding: ["SHELL": "/bin/sh"])
        return try field.inFront("Prompt")
      },
      places: ["Prompt", "terminal"])
    recipe.documents = ["typed"]
    recipe.textPlaces = recipe.places
    recipe.selectText = { field, _ in
      try field.press("ctrl+shift+a")
      return shopping
    }
    // Tabs take nothing but tabs.
    recipe.refused = (note, ["Prompt tab"])
    recipe.makeRefusing = { field, window in
      try field.press("ctrl+shift+t")
      usleep(700_000)
      try field.press("ctrl+Prior")
    }
    recipe.oracle = { field, window, _, _ in
      try field.activate(window)
      try field.press("Return")
      usleep(700_000)
      return []
    }
    return recipe
  }
}
