import CXKB
import KeyDragCore
import Testing

@testable import KeyDragX11

@Suite("Strokes and the keys of a keyboard")
struct KeyboardMapTests {
  private typealias Press = KeyboardMap.Press

  @Test(
    "Each stroke of the walk has its key, and comes back from it",
    arguments: [
      ("tab", 23, 0), ("shift+tab", 23, 1), ("up", 111, 0), ("home", 110, 0), ("enter", 36, 0),
      ("escape", 9, 0), ("delete", 119, 0), ("f2", 68, 0), ("space", 65, 0), ("backspace", 22, 0),
      ("ctrl+alt+space", 65, 12), ("ctrl+alt+shift+space", 65, 13), ("a", 38, 0),
      ("shift+a", 38, 1), ("ctrl+a", 38, 4),
    ] as [(String, Keycode, UInt16)])
  func bothWays(name: String, code: Keycode, modifiers: UInt16) throws {
    let stroke = try #require(KeyStroke(name: name))
    let map = try SampleKeyboard.map()
    #expect(map.presses(of: stroke) == [Press(code: code, modifiers: modifiers)])
    #expect(map.stroke(code, modifiers: modifiers, layout: 0) == stroke)
  }

  @Test(
    "A letter is the one of the layout that is on, of four",
    arguments: [
      (52, 0, 0, "z"), (52, 0, 1, "y"), (52, 0, 2, "я"), (52, 0, 3, "ζ"), (10, 0, 3, "1"),
      (52, 1, 2, "shift+я"), (61, 0, 0, "/"), (61, 1, 0, "?"), (61, 0, 1, "-"), (61, 0, 2, "."),
      (61, 1, 2, ","), (23, 0, 3, "tab"), (23, 1, 2, "shift+tab"), (38, 2, 0, "a"),
      (38, 3, 0, "shift+a"), (68, 12, 3, "ctrl+alt+f2"),
    ] as [(Keycode, UInt16, Int, String)])
  func layouts(code: Keycode, modifiers: UInt16, layout: Int, name: String) throws {
    let map = try SampleKeyboard.map("us,de,ru,gr")
    #expect(map.stroke(code, modifiers: modifiers, layout: layout)?.name == name)
  }

  @Test("AltGr gives its letter in the second layout, too, and a mark alone gives nothing")
  func thirdLevel() throws {
    let map = try SampleKeyboard.map("us,pl,de")
    #expect(map.stroke(38, modifiers: 0x80, layout: 1)?.name == "ą")
    #expect(map.stroke(38, modifiers: 0x81, layout: 1)?.name == "shift+ą")
    #expect(map.stroke(38, modifiers: 0x80, layout: 0)?.name == "a")
    #expect(map.stroke(26, modifiers: 0x80, layout: 2)?.name == "€")
    #expect(map.stroke(21, modifiers: 0, layout: 2) == nil)
    #expect(map.typingPresses.contains(Press(code: 21, modifiers: 0)))
    #expect(map.typingPresses.contains(Press(code: 38, modifiers: 0x81)))
    // Typed as a blank by a hand that has not let go of AltGr.
    #expect(map.typingPresses.contains(Press(code: 65, modifiers: 0x80)))
  }

  @Test(
    "Each key gives in each state what the library of all other programs says",
    arguments: ["us,de,ru,gr", "fr,ara,il,pl", "cz,de,us,tr", "ch,bg,th,br", "jp,in,kr,lv"])
  func byTheLibrary(layouts: String) throws {
    try SampleKeyboard.withKeymap(layouts) { keymap in
      let map = KeyboardMap(keymap)
      let state = try #require(xkb_state_new(keymap))
      defer { xkb_state_unref(state) }
      var count = 0
      for code in Keycode(8)...255 {
        for modifiers in UInt16(0)...0xFF {
          for layout in 0...3 {
            xkb_state_update_mask(state, UInt32(modifiers), 0, 0, 0, 0, UInt32(layout))
            var keysyms: UnsafePointer<xkb_keysym_t>?
            guard xkb_state_key_get_syms(state, UInt32(code), &keysyms) == 1,
              let key = keysyms.flatMap({ Keysym(rawValue: $0[0]).key })
            else { continue }
            count += 1
            let stroke = map.stroke(code, modifiers: modifiers, layout: layout)
            if stroke?.key != key {
              Issue.record("key \(code), \(modifiers), layout \(layout): \(key)")
            }
          }
        }
      }
      #expect(count > 40_000)
    }
  }

  @Test("NumLock's modifier is the one the keyboard says, not always Mod2", arguments: 3...5)
  func numLock(row: Int) throws {
    let map = try SampleKeyboard.map {
      $0.replacing("modifier_map Mod2 { <NMLK> }", with: "modifier_map Mod\(row) { <NMLK> }")
    }
    let mask: UInt16 = 1 << UInt16(row + 2)
    #expect(map.numLock == mask)
    #expect(map.lockMasks == [0, 2, mask, 2 | mask])
    #expect(map.press(23, state: map.numLock | 2 | 1) == Press(code: 23, modifiers: 1))
  }

  @Test("The screen reader's keys and the keypad are taken by nothing")
  func taboo() throws {
    let map = try SampleKeyboard.map()
    #expect(map.screenReaderKeys == [66, 90, 118])
    #expect(map.presses(of: KeyStroke(.insert)) == [])
    let all = DesktopChords.walk + [KeyStroke(.insert), KeyStroke(.insert, .ctrl)]
    let plan = KeyGrabPlan(
      chords: DesktopChords.standard.all, carrying: all, isFinding: true, on: map)
    let codes = Set(plan.stopping.map(\.code)).union(plan.chords.keys.map(\.code))
    #expect(codes.isDisjoint(with: map.screenReaderKeys.union([79, 104])))
    // 0 would be AnyKey.
    #expect(!codes.contains(0))
    #expect(plan.stopping.allSatisfy { $0.modifiers <= 0xFF })
    #expect(!plan.missing.contains(KeyStroke(.insert)))
  }

  @Test("Caps Lock stays untouched where Escape is beside it on its key, too")
  func swappedKeys() throws {
    let mixed = try SampleKeyboard.map(options: "caps:escape_shifted_capslock")
    #expect(mixed.presses(of: KeyStroke(.escape)) == [Press(code: 9, modifiers: 0)])
    let swapped = try SampleKeyboard.map(options: "caps:swapescape")
    #expect(swapped.presses(of: KeyStroke(.escape)) == [Press(code: 66, modifiers: 0)])
    #expect(swapped.screenReaderKeys.contains(9))
  }

  @Test("While a name is typed, its keys are taken; before, exactly the strokes that were given")
  func plans() throws {
    let map = try SampleKeyboard.map()
    let strokes = [KeyStroke(.tab), KeyStroke(.tab, .shift)]
    let walking = KeyGrabPlan(chords: [], carrying: strokes, isFinding: false, on: map)
    #expect(
      walking.stopping == [Press(code: 23, modifiers: 0), Press(code: 23, modifiers: 1)])
    let finding = KeyGrabPlan(chords: [], carrying: strokes, isFinding: true, on: map)
    let typing = Set(finding.typing.map(\.code))
    // Digits to Backspace, three rows of letters with their signs, Space, the key beside Shift, and
    // three for signs that few keyboards have.
    let rows: [ClosedRange<Keycode>] = [10...22, 24...35, 38...49, 51...61]
    #expect(typing == rows.reduce([65, 94, 126, 187, 188]) { $0.union($1) })
    #expect(finding.typing.allSatisfy { $0.modifiers & KeyboardMap.Mask.control == 0 })
    let resting = KeyGrabPlan(
      chords: DesktopChords.standard.all, carrying: nil, isFinding: true, on: map)
    #expect(resting.stopping == [] && resting.chords.count == 2)
  }

  @Test(
    "Where layouts differ a key is that of the first chord, and no chord is lost without a word")
  func clashing() throws {
    let chords = ["ctrl+alt+shift+1", "ctrl+alt+1"].compactMap(KeyStroke.init(name:))
    let plan = KeyGrabPlan(
      chords: chords, carrying: nil, isFinding: false, on: try SampleKeyboard.map("us,fr"))
    #expect(plan.chords[Press(code: 10, modifiers: 13)] == chords[0])
    #expect(plan.chords[Press(code: 10, modifiers: 12)] == chords[1])
    #expect(plan.missing.isEmpty)
    let letters = ["ctrl+alt+c", "ctrl+alt+j"].compactMap(KeyStroke.init(name:))
    let other = KeyGrabPlan(
      chords: letters, carrying: nil, isFinding: false,
      on: try SampleKeyboard.map("us,us(dvorak)"))
    #expect(Set(other.chords.values) == Set(letters))
    #expect(other.chords[Press(code: 54, modifiers: 12)] == letters[0])
  }

  @Test(
    "A blank at which no line is broken is typed as a blank, and Shift is kept with capitals only")
  func signs() throws {
    let canadian = try SampleKeyboard.map("us,ca")
    #expect(canadian.stroke(65, modifiers: 0x80, layout: 1)?.name == "space")
    let swiss = try SampleKeyboard.map("ch")
    #expect(swiss.stroke(34, modifiers: 1, layout: 0)?.name == "è")
    #expect(swiss.presses(of: KeyStroke(.character("è"))) == [Press(code: 34, modifiers: 1)])
    // As Caps Lock and Shift together.
    #expect(swiss.stroke(38, modifiers: 3, layout: 0)?.name == "shift+a")
  }

  @Test(
    "The keypad is left alone where a layout has signs on it, and Shift where both are Caps Lock")
  func leftAlone() throws {
    let french = Set(try SampleKeyboard.map("fr").typingPresses.map(\.code))
    #expect(french.isDisjoint(with: Set(79...91)))
    let both = try SampleKeyboard.map("us", options: "shift:both_capslock")
    #expect(both.screenReaderKeys == [66, 90, 118])
  }

  @Test("A stroke that the keyboard does not have is told, not passed over")
  func missing() throws {
    let plan = KeyGrabPlan(
      chords: [KeyStroke(.character("ß"), .ctrl)], carrying: [KeyStroke(.function(24))],
      isFinding: false, on: try SampleKeyboard.map())
    #expect(plan.missing == [KeyStroke(.character("ß"), .ctrl), KeyStroke(.function(24))])
  }

  @Test(
    "Letters of every alphabet that has old keysyms are known",
    arguments: [
      (0x1B1, "ą"), (0x1A6, "ś"), (0x2FD, "ŭ"), (0x3BF, "ŋ"), (0x6C0, "ю"), (0x6FF, "ъ"),
      (0x6DF, "ъ"), (0x6A4, "є"), (0x7E1, "α"), (0x7F3, "ς"), (0x7F9, "ω"), (0xCE0, "א"),
      (0xCFA, "ת"), (0x5C7, "ا"), (0x5EA, "ي"), (0xDA1, "ก"), (0x13BD, "œ"), (0x13BE, "ÿ"),
      (0x100_017F, "ſ"), (0xE9, "é"), (0x20AC, "€"), (0x41, "a"),
    ] as [(UInt32, String)])
  func characters(keysym: UInt32, character: String) {
    #expect(Keysym(rawValue: keysym).key == .character(Character(character)))
  }

  @Test(
    "What is no character gives none",
    arguments: [0, 0x1A0, 0x7D3, 0x6A0, 0xFFE1, 0xFF7F, 0xFE51, 0x1008_FE01, 0x0110_FFFF, .max]
      as [UInt32])
  func noCharacter(keysym: UInt32) {
    #expect(Keysym(rawValue: keysym).scalar == nil || keysym == 0x0110_FFFF)
    #expect(Keysym(rawValue: keysym).key == nil || keysym == 0x0110_FFFF)
  }
}
