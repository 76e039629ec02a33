import KeyDragCore

extension DragAnswer {
  /// The sign of a cursor, by its theme name (cursor specification of freedesktop.org, and older
  /// names that toolkits still use). Names of 32 digits are hashes of old cursor images, still used
  /// by themes.
  init(picture name: String) {
    switch name {
    case "no-drop", "not-allowed", "dnd-none", "dnd-no-drop", "forbidden", "crossed_circle",
      "circle", "03b6e0fcb3499374a867c041f52298f0":
      self = .refuses(.notTaken)
    case "copy", "dnd-copy", "move", "dnd-move", "alias", "link", "dnd-link", "dnd-ask",
      "1081e37283d90000800003c07f3ef6bf", "6407b0e94181790501fd1e167b474872",
      "9081237383d90e509aa00f00170e968f", "fcf21c00b30f7e3f83fe0dfd12e71cff",
      "640fb0e74195791501fd1ed57b41487f", "3085a0e285430894940527032f8b26df",
      "a2a266d0498c3104214a47bd64ab0fc8":
      self = .accepts(nil)
    default: self = .silent
    }
  }
}
