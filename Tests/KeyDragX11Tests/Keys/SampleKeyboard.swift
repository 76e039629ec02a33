import CXKB
import Glibc
import Testing

@testable import KeyDragX11

/// Keyboards as X servers have them, made by the rules that theirs are made by.
enum SampleKeyboard {
  /// An American layout with a Russian one beside it.
  static let american = "us,ru"

  /// - Parameters:
  ///   - layouts: at most four, by the names that setxkbmap takes, a variant in brackets.
  ///   - options: as setxkbmap takes them.
  ///   - change: rewrites the keyboard's description.
  static func map(
    _ layouts: String = american, options: String = "", _ change: (String) -> String = { $0 }
  ) throws -> KeyboardMap {
    try withKeymap(layouts, options: options, change) { KeyboardMap($0) }
  }

  /// The same as the library has it.
  static func withKeymap<Value>(
    _ layouts: String, options: String = "", _ change: (String) -> String = { $0 },
    _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    let context = try #require(keydrag_xkb_context(XKB_CONTEXT_NO_ENVIRONMENT_NAMES))
    defer { xkb_context_unref(context) }
    let parts = layouts.split(separator: ",").map { $0.split(separator: "(") }
    let names = parts.map { $0[0] }.joined(separator: ",")
    let variants = parts.map { $0.count > 1 ? $0[1].dropLast() : "" }.joined(separator: ",")
    let words = [names, variants, options, "evdev", "pc105"].map { (word: String) in strdup(word) }
    defer { for word in words { free(word) } }
    var rules = xkb_rule_names(
      rules: words[3], model: words[4], layout: words[0], variant: words[1], options: words[2])
    let first = try #require(
      xkb_keymap_new_from_names(context, &rules, XKB_KEYMAP_COMPILE_NO_FLAGS))
    defer { xkb_keymap_unref(first) }
    let text = try #require(xkb_keymap_get_as_string(first, XKB_KEYMAP_FORMAT_TEXT_V1))
    defer { free(text) }
    let keymap = try #require(
      xkb_keymap_new_from_string(
        context, change(String(cString: text)), XKB_KEYMAP_FORMAT_TEXT_V1,
        XKB_KEYMAP_COMPILE_NO_FLAGS))
    defer { xkb_keymap_unref(keymap) }
    return try body(keymap)
  }
}
