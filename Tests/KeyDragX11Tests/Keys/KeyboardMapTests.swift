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
    let map = SampleKeyboard.map()
    #expect(map.presses(of: stroke) == [Press(code: code, modifiers: modifiers)])
    #expect(map.stroke(code, state: modifiers) == stroke)
  }

  @Test(
    "A letter is the one of the layout that is on",
    arguments: [
      (24, 0, "q"), (24, 1 << 13, "й"), (24, 1 << 13 | 1, "shift+й"), (61, 0, "/"), (61, 1, "?"),
      (61, 1 << 13, "."), (10, 1 << 13, "1"),
    ] as [(Keycode, UInt16, String)])
  func layouts(code: Keycode, state: UInt16, name: String) {
    #expect(SampleKeyboard.map().stroke(code, state: state)?.name == name)
  }

  @Test("AltGr gives the letter with its mark, and a mark alone gives nothing")
  func thirdLevel() {
    let map = SampleKeyboard.map(SampleKeyboard.polish)
    #expect(map.level3 == 0x80)
    #expect(map.stroke(38, state: 0x80)?.name == "ą")
    #expect(map.stroke(24, state: 0x80)?.name == "q")
    #expect(map.stroke(21, state: 0) == nil)
    #expect(map.typingPresses.contains(Press(code: 21, modifiers: 0)))
    #expect(map.typingPresses.contains(Press(code: 38, modifiers: 0x81)))
  }

  @Test("NumLock's modifier is the one the keyboard says, not always Mod2", arguments: 3...6)
  func numLock(row: Int) {
    let map = SampleKeyboard.map(numLock: row)
    let mask: UInt16 = 1 << UInt16(row)
    #expect(map.numLock == mask)
    #expect(map.lockMasks == [0, 2, mask, 2 | mask])
    #expect(map.press(23, state: map.numLock | 2 | 1) == Press(code: 23, modifiers: 1))
  }

  @Test("The screen reader's keys and the keypad are taken by nothing")
  func taboo() {
    let map = SampleKeyboard.map()
    #expect(map.screenReaderKeys == [66, 90, 118])
    #expect(map.presses(of: KeyStroke(.insert)) == [])
    let all = DesktopKeys.standardStrokes + [KeyStroke(.insert), KeyStroke(.insert, .ctrl)]
    let plan = KeyPlan(
      chords: DesktopChords.standard.all, carrying: all, isFinding: true, on: map)
    let codes = Set(plan.stopping.map(\.code)).union(plan.chords.keys.map(\.code))
    #expect(codes.isDisjoint(with: map.screenReaderKeys.union([79, 104])))
    // 0 would be AnyKey.
    #expect(!codes.contains(0))
    #expect(plan.stopping.allSatisfy { $0.modifiers <= 0xFF })
    #expect(!plan.missing.contains(KeyStroke(.insert)))
  }

  @Test("Caps Lock stays untouched also where Escape is written on it")
  func swappedKeys() {
    var keys = SampleKeyboard.american
    (keys[66], keys[9]) = ([0xFF1B, 0xFFE5], [0xFFE5])
    let map = SampleKeyboard.map(keys)
    #expect(map.presses(of: KeyStroke(.escape)) == [])
    keys[66] = [0xFF1B]
    #expect(
      SampleKeyboard.map(keys).presses(of: KeyStroke(.escape)) == [Press(code: 66, modifiers: 0)])
  }

  @Test("While a name is typed, its keys are taken; before, exactly the strokes that were given")
  func plans() throws {
    let map = SampleKeyboard.map()
    let strokes = [KeyStroke(.tab), KeyStroke(.tab, .shift)]
    let walking = KeyPlan(chords: [], carrying: strokes, isFinding: false, on: map)
    #expect(
      walking.stopping == [Press(code: 23, modifiers: 0), Press(code: 23, modifiers: 1)])
    let finding = KeyPlan(chords: [], carrying: strokes, isFinding: true, on: map)
    let typing = Set(finding.typing.map(\.code))
    #expect(typing == [10, 22, 24, 38, 61, 65])
    #expect(finding.typing.allSatisfy { $0.modifiers & KeyboardMap.Mask.control == 0 })
    let resting = KeyPlan(
      chords: DesktopChords.standard.all, carrying: nil, isFinding: true, on: map)
    #expect(resting.stopping == [] && resting.chords.count == 2)
  }

  @Test("A stroke that the keyboard does not have is told, not passed over")
  func missing() {
    let plan = KeyPlan(
      chords: [KeyStroke(.character("ß"), .ctrl)], carrying: [KeyStroke(.function(24))],
      isFinding: false, on: SampleKeyboard.map())
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

  @Test("A map that lies about its size is no trouble")
  func damaged() {
    let keysyms = [Keysym](repeating: Keysym(rawValue: 0xFF09), count: 11)
    let map = KeyboardMap(first: 250, keysyms: keysyms, width: 0, modifiers: [1, 2, 255])
    #expect(map.presses(of: KeyStroke(.tab)).count == 6)
    #expect(map.stroke(3, state: .max) == nil)
    #expect(map.stroke(255, state: .max)?.key == .tab)
  }
}
