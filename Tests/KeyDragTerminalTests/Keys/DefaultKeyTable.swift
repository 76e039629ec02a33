import KeyDragCore
import Testing

/// One default key of the keymap and the bytes each terminal sends for it.
struct DefaultKey: Sendable, CustomTestStringConvertible {
  var stroke: KeyStroke
  /// `nil` where that terminal has no bytes of its own for the key.
  var console: String?
  var xterm: String
  var vte: String
  var tmux: String

  var testDescription: String { "\(stroke.key) \(stroke.modifiers.rawValue)" }

  var spellings: [(terminal: String, bytes: String)] {
    [("xterm-256color", xterm), ("vte-256color", vte), ("tmux-256color", tmux)]
      + (console.map { [("linux", $0)] } ?? [])
  }

  /// A key that all four send alike.
  init(_ key: Key, _ modifiers: KeyModifiers = [], same bytes: String) {
    self.init(key, modifiers, console: bytes, xterm: bytes, tmux: bytes)
  }

  init(
    _ key: Key, _ modifiers: KeyModifiers = [], console: String?, xterm: String,
    vte: String? = nil, tmux: String? = nil
  ) {
    stroke = KeyStroke(key, modifiers)
    self.console = console
    self.xterm = xterm
    self.vte = vte ?? xterm
    self.tmux = tmux ?? xterm
  }

  /// The default keys, as the help names them.
  static let all: [DefaultKey] =
    moving + letters + functions + [
      DefaultKey(.character("t"), .ctrl, same: "\u{14}"),
      DefaultKey(.insert, same: "\u{1B}[2~"),
      DefaultKey(.up, .shift, console: nil, xterm: "\u{1B}[1;2A"),
      DefaultKey(.down, .shift, console: nil, xterm: "\u{1B}[1;2B"),
      DefaultKey(.up, .alt, console: "\u{1B}\u{1B}[A", xterm: "\u{1B}[1;3A"),
      DefaultKey(.down, .alt, console: "\u{1B}\u{1B}[B", xterm: "\u{1B}[1;3B"),
      DefaultKey(.home, .alt, console: "\u{1B}\u{1B}[1~", xterm: "\u{1B}[1;3H"),
      DefaultKey(.end, .alt, console: "\u{1B}\u{1B}[4~", xterm: "\u{1B}[1;3F"),
      DefaultKey(.delete, same: "\u{1B}[3~"),
    ]

  private static let moving: [DefaultKey] = [
    DefaultKey(.down, console: "\u{1B}[B", xterm: "\u{1B}OB", vte: "\u{1B}[B"),
    DefaultKey(.up, console: "\u{1B}[A", xterm: "\u{1B}OA", vte: "\u{1B}[A"),
    DefaultKey(.right, console: "\u{1B}[C", xterm: "\u{1B}OC", vte: "\u{1B}[C"),
    DefaultKey(.left, console: "\u{1B}[D", xterm: "\u{1B}OD", vte: "\u{1B}[D"),
    DefaultKey(
      .home, console: "\u{1B}[1~", xterm: "\u{1B}OH", vte: "\u{1B}[H", tmux: "\u{1B}[1~"),
    DefaultKey(
      .end, console: "\u{1B}[4~", xterm: "\u{1B}OF", vte: "\u{1B}[F", tmux: "\u{1B}[4~"),
    DefaultKey(.pageUp, same: "\u{1B}[5~"),
    DefaultKey(.pageDown, same: "\u{1B}[6~"),
    DefaultKey(.tab, same: "\t"),
    DefaultKey(.tab, .shift, console: "\u{1B}\t", xterm: "\u{1B}[Z"),
    DefaultKey(.enter, same: "\r"),
    DefaultKey(.backspace, same: "\u{7F}"),
    DefaultKey(.space, same: " "),
  ]

  private static let letters: [DefaultKey] =
    [
      DefaultKey(.character("a"), same: "a"), DefaultKey(.character("z"), .shift, same: "Z"),
      DefaultKey(.character("7"), same: "7"), DefaultKey(.character("."), same: "."),
      DefaultKey(.character("?"), same: "?"), DefaultKey(.character("é"), same: "é"),
      DefaultKey(.character("ш"), .shift, same: "Ш"), DefaultKey(.character("名"), same: "名"),
    ]
    + zip("aedzyrglqc", [1, 5, 4, 26, 25, 18, 7, 12, 17, 3] as [UInt8]).map { letter, byte in
      DefaultKey(.character(letter), .ctrl, same: String(UnicodeScalar(byte)))
    }

  private static let functions: [DefaultKey] =
    [
      DefaultKey(.function(1), console: "\u{1B}[[A", xterm: "\u{1B}OP"),
      DefaultKey(.function(2), console: "\u{1B}[[B", xterm: "\u{1B}OQ"),
      DefaultKey(.function(3), console: "\u{1B}[[C", xterm: "\u{1B}OR"),
      DefaultKey(.function(4), console: "\u{1B}[[D", xterm: "\u{1B}OS"),
      DefaultKey(.function(5), console: "\u{1B}[[E", xterm: "\u{1B}[15~"),
    ]
    + zip(6...12, [17, 18, 19, 20, 21, 23, 24]).map { number, code in
      DefaultKey(.function(number), same: "\u{1B}[\(code)~")
    }
}
