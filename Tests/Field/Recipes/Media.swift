import Foundation

extension Recipe {
  static var media: [Recipe] {
    let pictures = (SampleFiles.red, SampleFiles.blue)
    return [
      viewer("Ristretto", "ristretto", app: "Ristretto", ending: "png", contents: pictures),
      viewer("Eye of GNOME", "eog", app: "Eog", ending: "png", contents: pictures),
      viewer("Eye of MATE", "eom", app: "Eom", ending: "png", contents: pictures),
      viewer("GPicView", "gpicview", app: "gpicview", ending: "png", contents: pictures),
      viewer("Viewnior", "viewnior", app: "viewnior", ending: "png", contents: pictures),
      viewer("Gwenview", "gwenview", app: "gwenview", ending: "png", contents: pictures),
      viewer("qimgv", "qimgv", app: "qimgv", ending: "png", contents: pictures),
      geeqie, quodLibet, audacious("Audacious", []), audacious("Audacious with Qt", ["-Q"]), vlc,
    ]
  }

  /// Folders beside its pictures, with a menu at every drop: Copy, Move, Symlink, Cancel.
  private static var geeqie: Recipe {
    var recipe = Recipe(
      name: "Geeqie", package: "geeqie", files: ["/usr/bin/geeqie"], app: "Geeqie",
      open: { field in
        try field.start(["/usr/bin/geeqie", field.path("Target")])
        return try field.inFront("Geeqie")
      },
      places: ["Archive"], payload: Payload(file: "Inbox/drop.png", contents: SampleFiles.blue))
    recipe.folder = "Target/Archive"
    recipe.question = Question(copy: ["Down", "Return"], move: ["Down", "Down", "Return"])
    recipe.scenarios = [
      .fileIn, .cancel, .move, .unrelated, .busy, .busyLater, .killed, .killedLater,
    ]
    return recipe
  }

  private static let sound = Payload(file: "Inbox/drop.wav", contents: SampleFiles.silence)

  /// The playlist by its own remote control. The window of GTK 2 tells nothing of what is in it.
  private static func audacious(_ name: String, _ options: [String]) -> Recipe {
    var recipe = Recipe(
      name: name, package: "audacious", files: ["/usr/bin/audacious", "/usr/bin/audtool"],
      app: "Audacious",
      open: { field in
        try field.make("Target/one.wav", data: SampleFiles.silence)
        try field.start(["/usr/bin/audacious"] + options + [field.path("Target/one.wav")])
        let window = try field.window("of Audacious") { $0.kind.lowercased().contains("audacious") }
        try field.activate(window)
        return window
      },
      places: ["playlist", "Audacious tree", "Now Playing", "", "list"], payload: sound)
    recipe.oracle = { field, _, payload, _ in
      let list = try field.run(["/usr/bin/audtool", "playlist-display"], within: 5)
      return list.lines.contains { $0.contains(payload.stem) } ? [.listed] : []
    }
    recipe.takesSeveral = true
    recipe.refused = (note, recipe.places)
    return recipe
  }

  /// A library that keeps the paths of files: its songs by its own query.
  private static var quodLibet: Recipe {
    var recipe = Recipe(
      name: "Quod Libet", package: "quodlibet", files: ["/usr/bin/quodlibet"], app: "quodlibet",
      open: { field in
        try field.start(["/usr/bin/quodlibet"])
        // It asks for folders at its first start.
        field.wait(20) { (try? field.windows().count) == 2 }
        try field.press("Escape")
        return try field.inFront("Quod Libet")
      },
      places: ["Quod Libet list"], payload: sound)
    recipe.oracle = { field, _, payload, _ in
      let songs = try field.run(["/usr/bin/quodlibet", "--print-query="], within: 8)
      return songs.lines.contains { $0.hasSuffix(payload.name) } ? [.listed] : []
    }
    recipe.takesSeveral = true
    recipe.refused = (note, recipe.places)
    return recipe
  }

  /// The file it plays, read over MPRIS.
  private static var vlc: Recipe {
    var recipe = Recipe(
      name: "VLC", package: "vlc", files: ["/usr/bin/vlc"], app: "vlc",
      open: { field in
        try field.start([
          "/usr/bin/vlc", "--no-qt-privacy-ask", "--aout=dummy", "--control=dbus", "--intf=qt",
        ])
        return try field.inFront("VLC media player")
      },
      places: ["VLC", "playlist", "video", ""], payload: sound)
    recipe.oracle = { field, _, _, before in
      let list = try field.run(
        [
          "/usr/bin/gdbus", "call", "--session", "--dest", "org.mpris.MediaPlayer2.vlc",
          "--object-path", "/org/mpris/MediaPlayer2", "--method",
          "org.freedesktop.DBus.Properties.GetAll", "org.mpris.MediaPlayer2.Player",
        ], within: 5)
      let titles = try field.windows().map(\.title).filter { !before.contains($0) }
      return (list.lines + titles).contains { $0.contains("drop.wav") } ? [.listed] : []
    }
    recipe.refused = (sound, ["Simple Preferences window"])
    recipe.makeRefusing = { field, _ in
      try field.press("ctrl+p")
      _ = try field.window("Preferences", within: 20)
    }
    return recipe
  }
}
