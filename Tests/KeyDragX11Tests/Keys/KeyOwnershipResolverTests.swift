import KeyDragCore
import Testing

@testable import KeyDragX11

@Suite("Whose key it is")
struct KeyOwnershipResolverTests {
  private let map: KeyboardMap
  private let tab: Keycode = 23
  private let letter: Keycode = 38

  init() throws { map = try SampleKeyboard.map() }

  private func plan(_ carrying: [KeyStroke]? = DesktopChords.walk, find: Bool = false)
    -> KeyGrabPlan
  {
    KeyGrabPlan(chords: DesktopChords.standard.all, carrying: carrying, isFinding: find, on: map)
  }

  private func down(_ code: Keycode, _ state: UInt16 = 0, at time: UInt32 = 1)
    -> KeyOwnershipResolver.Input
  {
    KeyOwnershipResolver.Input(isPress: true, code: code, state: state, time: time)
  }

  private func up(_ code: Keycode, _ state: UInt16 = 0, at time: UInt32 = 2)
    -> KeyOwnershipResolver.Input
  {
    KeyOwnershipResolver.Input(isPress: false, code: code, state: state, time: time)
  }

  @Test("A stroke of the walk is ours, with its release")
  func kept() {
    var judge = KeyOwnershipResolver()
    #expect(
      judge.take([down(tab)], plan(), map) { false }
        == [.keep(time: 1), .stroke(KeyStroke(.tab))])
    #expect(judge.take([up(tab)], plan(), map) { false } == [.keep(time: 2)])
    #expect(judge.kept.isEmpty)
  }

  @Test("Under the screen reader's key, or for a password, it is its owner's")
  func passing() {
    var judge = KeyOwnershipResolver()
    #expect(judge.take([down(tab)], plan(), map) { true } == [.replay(time: 1)])
    #expect(
      judge.take([down(letter)], plan(find: true), map) { true } == [.replay(time: 1)])
  }

  @Test("A letter typed before Tab is let go, or let go after Tab, is its owner's")
  func rolling() {
    var judge = KeyOwnershipResolver()
    _ = judge.take([down(tab)], plan(), map) { false }
    #expect(judge.take([down(letter, at: 3)], plan(), map) { false } == [.replay(time: 3)])
    _ = judge.take([down(tab, at: 5)], plan(), map) { false }
    #expect(judge.take([up(letter, at: 6)], plan(), map) { false } == [.replay(time: 6)])
  }

  @Test("A second stroke of the walk before the first is let go is ours too")
  func two() {
    var judge = KeyOwnershipResolver()
    _ = judge.take([down(tab)], plan(), map) { false }
    #expect(
      judge.take([down(116, at: 2), up(tab, at: 3), up(116, at: 4)], plan(), map) { false }
        == [.keep(time: 4), .stroke(KeyStroke(.down))])
  }

  @Test("Of keys that come together only the last is answered: at the others nothing waited")
  func together() {
    var judge = KeyOwnershipResolver()
    let (space, state): (Keycode, UInt16) = (65, 12)
    #expect(
      judge.take(
        [down(space, state), up(space, state), down(tab, at: 2)], plan(), map
      ) { false }
        == [.keep(time: 2), .chord(DesktopChords.standard.all[0]), .stroke(KeyStroke(.tab))])
  }

  @Test("The end of a chord is not answered: a key of the same millisecond would take the answer")
  func endOfChord() {
    var judge = KeyOwnershipResolver()
    let (space, state): (Keycode, UInt16) = (65, 12)
    _ = judge.take([down(space, state)], plan(), map) { false }
    #expect(judge.take([up(space, state)], plan(), map) { false } == [])
    #expect(judge.take([up(space, state, at: 3)], plan(), map) { false } == [.replay(time: 3)])
  }

  @Test("A chord while a stroke of the walk is down is answered: the keyboard waits at it")
  func chordInStroke() {
    let chord = KeyStroke(.down)
    let plan = KeyGrabPlan(chords: [chord], carrying: [KeyStroke(.tab)], isFinding: false, on: map)
    var judge = KeyOwnershipResolver()
    _ = judge.take([down(tab)], plan, map) { false }
    #expect(judge.take([down(116, at: 3)], plan, map) { false } == [.keep(time: 3), .chord(chord)])
    #expect(judge.take([up(116, at: 4)], plan, map) { false } == [.keep(time: 4)])
    #expect(judge.take([up(tab, at: 5)], plan, map) { false } == [.keep(time: 5)])
  }

  @Test("A held stroke repeats, each time answered once")
  func repeating() {
    var judge = KeyOwnershipResolver()
    _ = judge.take([down(tab)], plan(), map) { false }
    #expect(
      judge.take([up(tab, at: 9), down(tab, at: 9)], plan(), map) { false }
        == [.keep(time: 9), .stroke(KeyStroke(.tab))])
  }

  @Test(
    "K25: a held key that decides something is told once, and again when it is pressed again",
    arguments: zip(
      [KeyStroke(.enter), KeyStroke(.escape), KeyStroke(.delete)], [Keycode(36), 9, 119]))
  func deciding(stroke: KeyStroke, code: Keycode) {
    var judge = KeyOwnershipResolver()
    let told = KeyOwnershipResolver.Action.stroke(stroke)
    #expect(judge.take([down(code)], plan(), map) { false } == [.keep(time: 1), told])
    for time in UInt32(5)..<8 {
      #expect(
        judge.take([up(code, at: time), down(code, at: time)], plan(), map) { false }
          == [.keep(time: time)])
    }
    // The halves of a repeat may come one after the other.
    _ = judge.take([up(code, at: 8)], plan(), map) { false }
    #expect(judge.take([down(code, at: 8)], plan(), map) { false } == [.keep(time: 8)])
    _ = judge.take([up(code, at: 9)], plan(), map) { false }
    #expect(judge.take([down(code, at: 10)], plan(), map) { false } == [.keep(time: 10), told])
  }

  @Test("A key that ended the walk and is still held stays ours, and says nothing")
  func afterTheWalk() {
    var judge = KeyOwnershipResolver()
    _ = judge.take([down(9)], plan(), map) { false }
    #expect(
      judge.take([up(9, at: 5), down(9, at: 5)], plan(nil), map) { false } == [.keep(time: 5)])
    #expect(judge.take([up(9, at: 7)], plan(nil), map) { false } == [.keep(time: 7)])
  }

  @Test("A repeat whose release and press come one after the other is a repeat all the same")
  func splitRepeat() {
    var judge = KeyOwnershipResolver()
    _ = judge.take([down(9)], plan(), map) { false }
    _ = judge.take([up(9, at: 5)], plan(nil), map) { false }
    #expect(judge.take([down(9, at: 5)], plan(nil), map) { false } == [.keep(time: 5)])
    #expect(judge.take([up(9, at: 7)], plan(nil), map) { false } == [.keep(time: 7)])
    #expect(judge.take([down(9, at: 8)], plan(nil), map) { false } == [.replay(time: 8)])
    let (space, state): (Keycode, UInt16) = (65, 12)
    _ = judge.take([down(space, state)], plan(nil), map) { false }
    _ = judge.take([up(space, state, at: 5)], plan(nil), map) { false }
    #expect(judge.take([down(space, state, at: 5)], plan(nil), map) { false } == [])
  }

  @Test("A chord is told once, however long it is held, and again when it is pressed again")
  func chords() {
    var judge = KeyOwnershipResolver()
    let state: UInt16 = 12
    let space: Keycode = 65
    let chord = KeyOwnershipResolver.Action.chord(DesktopChords.standard.all[0])
    #expect(judge.take([down(space, state)], plan(nil), map) { false } == [chord])
    #expect(
      judge.take([up(space, state, at: 5), down(space, state, at: 5)], plan(nil), map) { false }
        == [])
    #expect(
      judge.take([up(space, at: 6), down(space, state, at: 8)], plan(nil), map) { false }.last
        == chord)
    #expect(
      judge.take([down(space, 13, at: 9)], plan(), map) { false }
        == [.chord(DesktopChords.standard.all[1])])
    // Two chords of one moment are no repetition: their modifiers differ.
    #expect(
      judge.take([up(space, 12, at: 9), down(space, 13, at: 9)], plan(nil), map) { false }.last
        == .chord(DesktopChords.standard.all[1]))
  }

  @Test("Whatever else comes is handed on, so that the keyboard never waits for nobody")
  func everythingElse() {
    let plan = plan()
    for code in Keycode.min...Keycode.max {
      for isPress in [true, false] {
        var judge = KeyOwnershipResolver()
        let input = KeyOwnershipResolver.Input(isPress: isPress, code: code, state: 0, time: 4)
        let actions = judge.take([input], plan, map) { false }
        #expect(actions.first == .keep(time: 4) || actions == [.replay(time: 4)])
      }
    }
  }

  @Test("While a name is typed, letters are told as they are, a mark over one is kept silently")
  func typing() throws {
    let map = try SampleKeyboard.map("pl,de")
    let plan = KeyGrabPlan(chords: [], carrying: [], isFinding: true, on: map)
    var judge = KeyOwnershipResolver()
    #expect(
      judge.take([down(letter, 0x81)], plan, map) { false }
        == [.keep(time: 1), .stroke(KeyStroke(.character("ą"), .shift))])
    let actions = judge.take([down(21)], plan, map, layout: { 1 }, isPassing: { false })
    #expect(actions == [.keep(time: 1)])
  }
}
