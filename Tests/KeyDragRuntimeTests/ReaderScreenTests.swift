import KeyDragCore
import Testing

@testable import KeyDragRuntime

/// After which keys Orca reads what is painted; measured with Orca 43.1 and, where it reads inserted text,
/// 48.1, in a VTE terminal.
struct ReaderScreenTests {
  @Test(
    "Words may be painted after keys that only move",
    arguments: [
      KeyStroke(.up), KeyStroke(.down), KeyStroke(.left), KeyStroke(.right), KeyStroke(.home),
      KeyStroke(.end), KeyStroke(.pageUp), KeyStroke(.pageDown), KeyStroke(.escape),
      KeyStroke(.function(2)), KeyStroke(.function(12)), KeyStroke(.down, .shift),
    ])
  func quiet(stroke: KeyStroke) {
    #expect(ReaderScreen.isQuiet(after: stroke))
    let isByLines = [.up, .down, .pageUp, .pageDown].contains(stroke.key)
    #expect(
      ReaderScreen.isQuiet(after: stroke, ReaderScreen.Ways(readsInsertedText: true)) == !isByLines)
  }

  @Test(
    "Words wait after keys that are read out with all that they bring, and before the first",
    arguments: [
      nil, KeyStroke(.space), KeyStroke(.tab), KeyStroke(.tab, .shift), KeyStroke(.enter),
      KeyStroke(.character("n")), KeyStroke(.character("?")), KeyStroke(.character("5")),
      KeyStroke(.backspace), KeyStroke(.delete), KeyStroke(.insert),
      KeyStroke(.character("z"), .ctrl), KeyStroke(.up, .alt), KeyStroke(.down, .ctrl),
    ] as [KeyStroke?])
  func loud(stroke: KeyStroke?) {
    #expect(!ReaderScreen.isQuiet(after: stroke))
    let isHidden = stroke.map(ReaderScreen.hidesCursorLine) ?? false
    #expect(ReaderScreen.isQuiet(after: stroke, ReaderScreen.Ways(scrolls: true)) == isHidden)
    let isMarked: Bool =
      switch stroke?.key {
      case .space, .tab, .enter, .character: stroke?.modifiers.isSubset(of: .shift) ?? false
      default: false
      }
    #expect(ReaderScreen.isQuiet(after: stroke, ReaderScreen.Ways(isMarked: true)) == isMarked)
  }

  @Test(
    "What stands at the cursor is taken away but after keys that have the reader tell of what goes",
    arguments: [
      (KeyStroke(.backspace), false), (KeyStroke(.delete), false),
      (KeyStroke(.character("z"), .ctrl), false),
      (KeyStroke(.character("z"), [.ctrl, .shift]), false), (KeyStroke(.character("z")), true),
      (KeyStroke(.character("y"), .ctrl), true), (KeyStroke(.tab), true), (KeyStroke(.down), true),
    ])
  func hidden(stroke: KeyStroke, isHidden: Bool) {
    #expect(ReaderScreen.hidesCursorLine(after: stroke) == isHidden)
  }
}
