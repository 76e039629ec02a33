import Foundation

/// Programs that list the files they are given, and keep no more than their paths.
extension Recipe {
  static var collections: [Recipe] {
    [picard, clementine, pdfArranger, mkvToolNix, brasero, kGet, shotwell]
  }

  private static let sound = Payload(file: "Inbox/drop.wav", contents: SampleFiles.silence)

  /// An editor of tags, which says in its log what it loads.
  private static var picard: Recipe {
    var recipe = Recipe(
      name: "Picard", package: "picard", files: ["/usr/bin/picard"], app: "Picard",
      open: { field in
        try field.make("cache/log", "")
        try field.start([
          "/bin/sh", "-c", "exec /usr/bin/picard -d > \"$1\" 2>&1", "sh", field.path("cache/log"),
        ])
        return try field.inFront("Picard")
      },
      places: ["file view"], payload: sound)
    recipe.oracle = { field, _, payload, _ in
      let log = field.read("cache/log")?.split(separator: "\n") ?? []
      let isListed = log.contains { $0.contains("Loading file") && $0.contains(payload.name) }
      return isListed ? [.listed] : []
    }
    recipe.refused = (note, ["metadata view"])
    recipe.scenarios = [.fileIn, .refuse, .busy, .killed]
    return recipe
  }

  /// A player whose playlist is in its data base.
  private static var clementine: Recipe {
    var recipe = Recipe(
      name: "Clementine", package: "clementine", files: ["/usr/bin/clementine"], app: "Clementine",
      open: { field in
        try field.start(["/usr/bin/clementine"])
        return try field.inFront("Clementine")
      },
      places: ["Clementine tree"], payload: sound)
    recipe.oracle = { field, _, payload, _ in
      let base = "config/Clementine/clementine.db"
      return field.wait(6) {
        [base, base + "-wal"].contains { field.read($0)?.contains(payload.name) == true }
      } ? [.listed] : []
    }
    recipe.refused = (sound, ["tree with Smart"])
    recipe.scenarios = [.fileIn, .refuse, .busy]
    return recipe
  }

  /// Pages of several documents; the title lists them.
  private static var pdfArranger: Recipe {
    var recipe = viewer(
      "PDF Arranger", "pdfarranger", app: "pdfarranger", ending: "pdf",
      contents: (SampleFiles.page, SampleFiles.page))
    recipe.places = ["untitled"]
    recipe.open = { field in
      try field.make("Target/one.pdf", data: SampleFiles.page)
      // It works on copies of its own.
      try field.start(
        ["/usr/bin/pdfarranger", field.path("Target/one.pdf")],
        adding: ["TMPDIR": field.path("cache")])
      return try field.inFront("untitled")
    }
    let title = recipe.oracle
    recipe.oracle = { field, window, payload, before in
      try title(field, window, payload, before).isEmpty ? [] : [.listed]
    }
    recipe.scenarios = [.fileIn, .refuse, .busy]
    return recipe
  }

  /// Parts of a film, with an alert about anything else.
  private static var mkvToolNix: Recipe {
    var recipe = Recipe(
      name: "MKVToolNix", package: "mkvtoolnix-gui qt6-qpa-plugins",
      files: ["/usr/bin/mkvtoolnix-gui"], app: "mkvtoolnix-gui",
      open: { field in
        try field.start(["/usr/bin/mkvtoolnix-gui"])
        return try field.inFront("MKVToolNix")
      },
      places: ["Source files"], payload: sound)
    recipe.refused = (note, ["Source files"])
    recipe.scenarios = [.refuse]
    return recipe
  }

  /// A project for a disc: what it does not take it lists for a moment, and alerts then.
  private static var brasero: Recipe {
    var recipe = Recipe(
      name: "Brasero", package: "brasero", files: ["/usr/bin/brasero"], app: "Brasero",
      open: { field in
        try field.start(["/usr/bin/brasero", "--video"])
        return try field.inFront("Project")
      },
      places: ["New Video Disc Project"], payload: sound)
    recipe.question = Question(copy: ["Escape"], move: [])
    recipe.refused = (sound, recipe.places)
    recipe.scenarios = [.refuse]
    return recipe
  }

  /// Downloads, with a question about each.
  private static var kGet: Recipe {
    var recipe = Recipe(
      name: "KGet", package: "kget", files: ["/usr/bin/kget"], app: "kget",
      open: { field in
        try field.start(["/usr/bin/kget"])
        try field.inFront("Konqueror Integration")
        try field.press("Return")
        let window = try field.window("of KGet") { $0.title == "KGet" }
        try field.activate(window)
        return window
      },
      places: ["KGet tree"])
    recipe.question = Question(copy: [], move: [])
    recipe.scenarios = [.cancel]
    return recipe
  }

  /// A library of pictures, which asks whether to copy them.
  private static var shotwell: Recipe {
    var recipe = Recipe(
      name: "Shotwell", package: "shotwell", files: ["/usr/bin/shotwell"], app: "Shotwell",
      open: { field in
        try field.start(["/usr/bin/shotwell"])
        try field.inFront("Welcome")
        try field.press("Return")
        return try field.inFront("Shotwell")
      },
      places: ["Shotwell canvas"],
      payload: Payload(file: "Inbox/drop.png", contents: SampleFiles.blue))
    recipe.question = Question(copy: [], move: [])
    recipe.scenarios = [.cancel]
    return recipe
  }
}
