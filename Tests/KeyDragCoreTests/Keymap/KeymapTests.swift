import Testing

@testable import KeyDragCore

/// The default keys, and changing them.
struct KeymapTests {
  /// What the Linux console, xterm, VTE and tmux all deliver as one key of its own.
  static let delivered: Set<String> = {
    var names: Set<String> = [
      "space", "tab", "shift+tab", "enter", "escape", "backspace", "delete", "insert", "up",
      "down", "left", "right", "home", "end", "page-up", "page-down", "shift+up", "shift+down",
      "alt+up", "alt+down", "alt+home", "alt+end", ".", "/", "?",
    ]
    for number in 1...12 { names.insert("f\(number)") }
    // Ctrl with I, M, J, H and [ are Tab, Enter, line feed, Backspace and Escape; S and Q are flow
    // control, which the terminal is told to leave to us.
    for letter in "abcdefgklnopqrtuvwxyz" { names.insert("ctrl+\(letter)") }
    return names
  }()

  @Test("The default table is free of clashes and has a line for every command")
  func everyCommandHasAKey() throws {
    #expect(!Keymap.standard.bindings.isEmpty)
    _ = try Keymap(Keymap.standard.bindings)
    let bound = Set(Keymap.standard.bindings.filter { !$0.chords.isEmpty }.map(\.command))
    #expect(Set(CommandName.allCases).subtracting(bound) == [])
  }

  @Test("Every default key is one that all the terminals deliver")
  func deliveredKeys() {
    for binding in Keymap.standard.bindings {
      for stroke in binding.chords.flatMap({ $0 }) {
        #expect(KeymapTests.delivered.contains(stroke.name), "\(stroke.name)")
      }
    }
  }

  @Test("Keys that Orca or a terminal window takes are aliases only")
  func takenKeys() {
    for binding in Keymap.standard.bindings {
      let first = binding.chords.first?.first?.name ?? ""
      #expect(!["insert", "f1", "f10", "f11"].contains(first), "\(binding.command)")
    }
  }

  @Test("K25: in no phase do Space and Enter mean the same, and Space never drops")
  func spaceNeverDrops() {
    for phase in PhaseName.allCases {
      let space = Keymap.standard.command(for: [KeyStroke(.space)], in: phase)
      #expect(space != .drop)
      #expect(space == nil || space != Keymap.standard.command(for: [KeyStroke(.enter)], in: phase))
    }
  }

  @Test("A remapped command leaves its old key and answers to the new one")
  func remapping() throws {
    let changed = try Keymap.standard.remapped([
      (phase: .browsing, command: .pickUp, chords: [[stroke("ctrl+p")]])
    ])
    #expect(changed.command(for: [stroke("ctrl+p")], in: .browsing) == .pickUp)
    #expect(changed.command(for: [stroke("space")], in: .browsing) == nil)
    #expect(changed.command(for: [stroke("space")], in: .carrying) == .sayHeld)
  }

  @Test("A command can be given a key in a phase where it has none")
  func remappingIntoAnotherPhase() throws {
    let changed = try Keymap.standard.remapped([
      (phase: .carrying, command: .selectAll, chords: [[stroke("ctrl+a")]])
    ])
    #expect(changed.command(for: [stroke("ctrl+a")], in: .carrying) == .selectAll)
    #expect(changed.command(for: [stroke("ctrl+a")], in: .browsing) == .selectAll)
  }

  @Test("A clash names the phase, the key and both commands")
  func clash() {
    #expect(
      throws: Keymap.Clash(
        phase: .browsing, chord: [stroke("down")], first: .nextItem, second: .pickUp)
    ) {
      try Keymap.standard.remapped([
        (phase: .browsing, command: .pickUp, chords: [[stroke("down")]])
      ])
    }
  }

  @Test("A chord that begins another one clashes, whichever comes first", arguments: [true, false])
  func prefixClash(isShortFirst: Bool) {
    let short = Keymap.Binding(phases: [.browsing], command: .undo, chords: [[stroke("g")]])
    let long = Keymap.Binding(
      phases: [.browsing], command: .redo, chords: [[stroke("g"), stroke("h")]])
    #expect(throws: Keymap.Clash.self) {
      try Keymap(isShortFirst ? [short, long] : [long, short])
    }
  }

  @Test("The same chord may mean different things in different phases")
  func phasesApart() {
    let tab = [stroke("tab")]
    #expect(Keymap.standard.command(for: tab, in: .browsing) == .nextContainer)
    #expect(Keymap.standard.command(for: tab, in: .carrying) == .nextDropPoint)
    #expect(Keymap.standard.command(for: tab, in: .confirming) == .complete)
  }

  @Test("K17: a begun chord waits as long as it takes: pending, then matched or abandoned")
  func chords() throws {
    let keymap = try Keymap([
      Keymap.Binding(
        phases: [.browsing], command: .firstItem, chords: [[stroke("g"), stroke("g")]])
    ])
    var resolver = KeymapResolver(keymap)
    #expect(resolver.resolve(stroke("g"), in: .browsing) == .pending)
    #expect(resolver.resolve(stroke("g"), in: .browsing) == .matched(.firstItem))
    #expect(resolver.resolve(stroke("g"), in: .browsing) == .pending)
    #expect(
      resolver.resolve(stroke("x"), in: .browsing) == .abandoned([stroke("g"), stroke("x")]))
    #expect(resolver.resolve(stroke("x"), in: .browsing) == .typed("x"))
    #expect(resolver.resolve(stroke("g"), in: .browsing) == .pending)
    #expect(resolver.resolve(stroke("g"), in: .carrying) == .typed("g"), "another phase began")
  }

  @Test(
    "Letters and digits without a meaning are type-ahead in every phase",
    arguments: [
      ("x", PhaseName.browsing, KeyOutcome.typed("x")), ("7", .carrying, .typed("7")),
      ("ä", .browsing, .typed("ä")), ("x", .confirming, .typed("x")),
      ("7", .confirming, .typed("7")),
      ("f11", .browsing, .unbound),
      ("ctrl+x", .browsing, .unbound), ("-", .browsing, .unbound),
      (".", .browsing, .matched(.toggleHidden)),
    ])
  func outcomes(name: String, phase: PhaseName, outcome: KeyOutcome) {
    var resolver = KeymapResolver(.standard)
    #expect(resolver.resolve(stroke(name), in: phase) == outcome)
  }

  @Test(
    "While a name is typed to find a place, all that writes belongs to it, and nothing else does",
    arguments: [
      ("space", KeyOutcome.typed(" ")), ("shift+space", .typed(" ")), ("_", .typed("_")),
      ("-", .typed("-")), (".", .typed(".")), ("?", .typed("?")), ("(", .typed("(")),
      ("shift+a", .typed("a")), ("7", .typed("7")), ("ä", .typed("ä")),
      ("ctrl+d", .matched(.details)),
      ("alt+x", .unbound), ("backspace", .matched(.takeBack)), ("escape", .matched(.cancel)),
      ("enter", .matched(.drop)), ("tab", .matched(.nextDropPoint)), ("f2", .matched(.whereAmI)),
    ])
  func findingOutcomes(name: String, outcome: KeyOutcome) {
    var resolver = KeymapResolver(.standard)
    #expect(resolver.resolve(stroke(name), in: .carrying, isFinding: true) == outcome)
  }

  @Test(
    "A line takes a capital letter as it is written: names and paths have them",
    arguments: [("shift+b", "B"), ("shift+ä", "Ä"), ("b", "b"), ("shift+ß", "ß"), ("7", "7")])
  func capitals(name: String, written: Character) {
    var resolver = KeymapResolver(.standard)
    #expect(resolver.resolve(stroke(name), in: .confirming, isTyping: true) == .typed(written))
  }

  @Test("A list that opens while a name is typed has its own keys")
  func findingInList() {
    var resolver = KeymapResolver(.standard)
    for (name, outcome) in [("7", KeyOutcome.typed("7")), ("space", .unbound), ("-", .unbound)] {
      #expect(resolver.resolve(stroke(name), in: .confirming, isFinding: true) == outcome)
    }
  }

  @Test("A chord that was begun ends where a name is typed")
  func findingEndsChord() throws {
    let chord = Keymap.Binding(
      phases: [.carrying], command: .silence, chords: [[stroke("g"), stroke("g")]])
    var resolver = KeymapResolver(try Keymap([chord]))
    #expect(resolver.resolve(stroke("g"), in: .carrying) == .pending)
    #expect(resolver.resolve(stroke("g"), in: .carrying, isFinding: true) == .typed("g"))
    #expect(resolver.resolve(stroke("g"), in: .carrying) == .pending)
  }

  @Test("Every stroke's name reads back as the same stroke")
  func namesRoundTrip() {
    var keys: [Key] = [
      .space, .tab, .enter, .escape, .backspace, .delete, .insert, .up, .down, .left, .right, .home,
      .end, .pageUp, .pageDown, .character("a"), .character("+"), .character("?"), .character("ł"),
      .character("1"), .character("-"),
    ]
    keys += (1...24).map(Key.function)
    for key in keys {
      for raw in UInt8(0)...7 {
        let stroke = KeyStroke(key, KeyModifiers(rawValue: raw))
        #expect(KeyStroke(name: stroke.name) == stroke, "\(stroke.name)")
      }
    }
  }

  @Test(
    "What is no key is refused",
    arguments: ["", "+", "ctrl+", "hyper+a", "f0", "f25", "ab", "shift+", " ", "ctrl+ctrl"])
  func notAKey(name: String) {
    if name == "+" {
      #expect(KeyStroke(name: name)?.key == .character("+"))
    } else {
      #expect(KeyStroke(name: name) == nil)
    }
  }

  @Test(
    "Other spellings of a key are understood",
    arguments: [
      ("Return", "enter"), ("ESC", "escape"), ("PgUp", "page-up"), ("Control+T", "ctrl+t"),
    ])
  func spellings(given: String, name: String) {
    #expect(KeyStroke(name: given)?.name == name)
  }

  @Test(
    "The nearest known name is found, unless nothing is near",
    arguments: [
      ("pikc-up", "pick-up"), ("dwon", nil), ("undoo", "undo"), ("xyzzy", nil), ("", nil),
      ("UNDO", "undo"), (String(repeating: "a", count: 10_000), nil),
    ] as [(String, String?)])
  func nearest(wanted: String, expected: String?) {
    let names = CommandName.allCases.map(\.rawValue)
    #expect(Suggestions.name(to: wanted, among: names) == expected)
    #expect(Suggestions.name(to: wanted, among: []) == nil)
  }

  @Test(
    "A letter wrong and one missing in a short name is near, and what only looks alike is not",
    arguments: [
      ("Dox", "Docs"), ("rool", "role"), ("Trsah", "Trash"), ("docks", "Docs"), ("rules", nil),
      ("doc", "Docs"), ("dwon", nil), ("Mods", nil), ("ox", nil), ("cosd", nil), ("dx", nil),
      ("dote", nil), ("rxxe", nil), ("troll", nil), ("report", nil),
    ] as [(String, String?)])
  func slips(wanted: String, expected: String?) {
    let names = ["Docs", "role", "Trash", "move"]
    #expect(Suggestions.name(to: wanted, among: names) == expected)
  }

  private func stroke(_ name: String) -> KeyStroke {
    KeyStroke(name: name) ?? KeyStroke(.function(24))
  }
}
