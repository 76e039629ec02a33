import CXCB
import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragX11

@Suite(
  "Keys taken from real programs", .realPrograms(by: .suite), .serialized,
  .enabled(if: DropTarget.obstacle == nil),
  .timeLimit(.minutes(2)))
struct DesktopKeysTests {
  @Test("While carrying, the walk's keys are ours and letters reach their program; then all do")
  func walk() async throws {
    let bench = try KeyBench()
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.z)
    #expect(try bench.target.keys(upTo: "z") == ["Tab", "z"])

    await bench.carry()
    bench.hand.press(PCKey.a)
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.shift, PCKey.tab)
    bench.hand.press(PCKey.down)
    bench.hand.press(PCKey.z)
    #expect(await bench.stroke() == "tab")
    #expect(await bench.stroke() == "shift+tab")
    #expect(await bench.stroke() == "down")
    #expect(try bench.target.keys(upTo: "z") == ["a", "Shift_L", "z"])

    await bench.rest()
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.down)
    bench.hand.press(PCKey.enter)
    #expect(try bench.target.keys(upTo: "text zaz") == ["Tab", "Down", "Return", "text zaz"])
  }

  @Test("Caps Lock and NumLock change nothing, alone and together")
  func locks() async throws {
    let bench = try KeyBench()
    await bench.carry()
    for lock in [PCKey.numLock, PCKey.capsLock, PCKey.numLock] {
      bench.hand.press(lock)
      bench.hand.press(PCKey.tab)
      bench.hand.press(PCKey.shift, PCKey.tab)
      bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
      #expect(await bench.stroke() == "tab")
      #expect(await bench.stroke() == "shift+tab")
      #expect(await bench.next() == .chord(DesktopChords.standard.all[0]))
    }
    bench.hand.press(PCKey.z)
    let keys = try bench.target.keys(upTo: "Z")
    #expect(keys.filter { $0.contains("Lock") } == ["Num_Lock", "Caps_Lock", "Num_Lock"])
    #expect(!keys.contains { $0.contains("Tab") || $0 == "space" }, "\(keys)")
  }

  @Test("Both chords are told apart, and nothing of them reaches the program")
  func chords() async throws {
    let bench = try KeyBench()
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.shift, PCKey.space)
    bench.hand.press(PCKey.z)
    #expect(await bench.next() == .chord(DesktopChords.standard.all[0]))
    #expect(await bench.next() == .chord(DesktopChords.standard.all[1]))
    #expect(try !bench.target.keys(upTo: "z").contains("space"))
  }

  @Test("A chord that another program has is told by name, and the other one works")
  func takenChord() async throws {
    let bench = try KeyBench { hand in
      xcb_grab_key(
        hand.server.connection, 0, hand.server.root.rawValue, 12, PCKey.space,
        UInt8(XCB_GRAB_MODE_ASYNC.rawValue), UInt8(XCB_GRAB_MODE_ASYNC.rawValue))
      hand.sync()
    }
    #expect(await bench.next() == .taken([DesktopChords.standard.all[0]]))
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.shift, PCKey.space)
    #expect(await bench.next() == .chord(DesktopChords.standard.all[1]))
    // Free again: noticed by itself.
    xcb_ungrab_key(
      bench.hand.server.connection, PCKey.space, bench.hand.server.root.rawValue, 12)
    bench.hand.sync()
    #expect(await bench.next() == .taken([]))
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
    #expect(await bench.next() == .chord(DesktopChords.standard.all[0]))
  }

  @Test(
    "A trial tells which chord another program has, under whatever lock, and keeps none",
    arguments: [0, 2, 16])
  func trial(lock: UInt16) throws {
    let desktop = try PrivateDesktop()
    let server = try TypingHand(on: desktop).server
    func taken() throws -> [KeyStroke] {
      try DesktopKeys.taken(on: desktop.environment["DISPLAY"], within: .seconds(30))
    }
    #expect(try taken() == [])
    let mode = UInt8(XCB_GRAB_MODE_ASYNC.rawValue)
    let cookie = xcb_grab_key_checked(
      server.connection, 0, server.root.rawValue, 12 | lock, PCKey.space, mode, mode)
    // Nothing has it after the trial.
    #expect(xcb_request_check(server.connection, cookie) == nil)
    #expect(try taken() == [DesktopChords.standard.pickUp])
    xcb_ungrab_key(server.connection, PCKey.space, server.root.rawValue, 12 | lock)
    server.sync()
    #expect(try taken() == [])
  }

  @Test("A trial on a display that is not there says so")
  func trialNowhere() {
    #expect(throws: Reason.noDisplay) {
      _ = try DesktopKeys.taken(on: ":4711", within: .seconds(30))
    }
  }

  @Test(
    "While a key of the screen reader is down, every stroke reaches its program",
    arguments: [PCKey.insert, PCKey.keypadInsert, PCKey.capsLock])
  func screenReader(key: Keycode) async throws {
    let bench = try KeyBench()
    await bench.carry()
    bench.hand.down(key)
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.down)
    bench.hand.up(key)
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.enter)
    bench.hand.press(PCKey.z)
    #expect(await bench.stroke() == "tab")
    #expect(await bench.stroke() == "enter")
    let keys = try bench.target.keys(upTo: key == PCKey.capsLock ? "Z" : "z")
    #expect(keys.dropFirst().dropLast() == ["Tab", "Down"])
  }

  @Test("While a password is typed, every stroke reaches its program")
  func password() async throws {
    let bench = try KeyBench()
    await bench.carry()
    await bench.find(true)
    bench.keys.passStrokes(true)
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.a)
    bench.hand.press(PCKey.enter)
    #expect(try bench.target.keys(upTo: "text a") == ["Tab", "a", "Return", "text a"])
    bench.keys.passStrokes(false)
    bench.hand.press(PCKey.a)
    #expect(await bench.stroke() == "a")
  }

  @Test("While a name is typed, letters are ours, with Shift and Backspace, and then no more")
  func finding() async throws {
    let bench = try KeyBench()
    await bench.carry()
    await bench.find(true)
    bench.hand.press(PCKey.a)
    bench.hand.press(PCKey.shift, PCKey.s)
    bench.hand.press(PCKey.space)
    bench.hand.press(22)
    #expect(await bench.stroke() == "a")
    #expect(await bench.stroke() == "shift+s")
    #expect(await bench.stroke() == "space")
    #expect(await bench.stroke() == "backspace")
    // Shortcuts of the program are still its own.
    bench.hand.press(PCKey.ctrl, PCKey.a)
    await bench.find(false)
    bench.hand.press(PCKey.z)
    #expect(try bench.target.keys(upTo: "z") == ["Shift_L", "Control_L", "a", "z"])
  }

  @Test("The key after the one that finds is ours already, and the one after the name is not")
  func findingAtOnce() async throws {
    let bench = try KeyBench()
    await bench.carry()
    let keys = [
      (PCKey.f4, "f4"), (PCKey.a, "a"), (PCKey.s, "s"), (PCKey.enter, "enter"), (PCKey.a, nil),
      (PCKey.f4, "f4"), (PCKey.s, "s"), (PCKey.escape, "escape"), (PCKey.z, nil),
    ]
    for (key, stroke) in keys {
      bench.hand.press(key)
      if let stroke { #expect(await bench.stroke() == stroke) }
    }
    #expect(try bench.target.keys(upTo: "z") == ["a", "z"])
  }

  @Test("Keys that overlap lose no letter")
  func overlapping() async throws {
    let bench = try KeyBench()
    await bench.carry()
    bench.hand.down(PCKey.a)
    bench.hand.down(PCKey.tab)
    bench.hand.up(PCKey.a)
    bench.hand.up(PCKey.tab)
    bench.hand.down(PCKey.tab)
    bench.hand.down(PCKey.s)
    bench.hand.up(PCKey.tab)
    bench.hand.up(PCKey.s)
    bench.hand.press(PCKey.tab)
    bench.hand.press(PCKey.enter)
    bench.hand.press(PCKey.z)
    for expected in ["tab", "tab", "tab", "enter"] {
      #expect(await bench.stroke() == expected)
    }
    #expect(try bench.target.keys(upTo: "z") == ["a", "s", "z"])
  }

  @Test("A held key repeats, and stays ours to its end when it ends the walk")
  func held() async throws {
    let bench = try KeyBench()
    await bench.carry()
    bench.hand.down(PCKey.down)
    for _ in 0..<4 { #expect(await bench.stroke() == "down") }
    await bench.rest()
    bench.hand.up(PCKey.down)
    bench.hand.press(PCKey.z)
    let keys = try bench.target.keys(upTo: "z")
    #expect(keys == ["z"])
  }

  @Test("A handler that never comes back costs neither the keyboard nor the program its keys")
  func hangingHandler() async throws {
    let desktop = try PrivateDesktop()
    let hand = try TypingHand(on: desktop)
    let target = try TypingTarget(on: desktop, hand: hand)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let waiting = ends[0]
    let taken = try DesktopKeys(display: desktop.environment["DISPLAY"]) { _ in
      var byte: UInt8 = 0
      _ = read(waiting, &byte, 1)
    }
    await withCheckedContinuation { done in taken.carry { done.resume() } }
    for _ in 0..<18 { hand.press(PCKey.tab) }
    hand.press(PCKey.z)
    // The first 16 wait for the handler; on a slow machine it may have taken one more by then.
    let keys = try target.keys(upTo: "z")
    #expect(keys.last == "z" && keys.dropLast().allSatisfy { $0 == "Tab" } && keys.count >= 2)
    close(ends[1])
  }

  @Test("Another layout moves a chord with its letter")
  func layout() async throws {
    let k = KeyStroke(.character("k"), [.ctrl, .alt])
    let bench = try KeyBench(chords: [k])
    bench.hand.press(PCKey.ctrl, PCKey.alt, 45)
    #expect(await bench.next() == .chord(k))
    let change = try bench.desktop.start(["/bin/sh", "-c", "setxkbmap dvorak && echo changed"])
    #expect(try change.line() == "changed")
    // The first answer may come before the news, the second one can't.
    await bench.rest()
    await bench.rest()
    bench.hand.press(PCKey.ctrl, PCKey.alt, 55)
    #expect(await bench.next() == .chord(k))
    bench.hand.press(PCKey.ctrl, PCKey.alt, 45)
    #expect(try bench.target.keys(upTo: "t").contains("t"))
  }

  @Test("A letter is told in the layout that is on, of four")
  func fourLayouts() async throws {
    let bench = try KeyBench()
    let change = try bench.desktop.start([
      "/bin/sh", "-c", "setxkbmap -layout us,de,ru,gr -option grp:menu_toggle && echo changed",
    ])
    #expect(try change.line() == "changed")
    await bench.rest()
    await bench.rest()
    await bench.carry()
    await bench.find(true)
    var letters: [String?] = []
    for _ in 0..<4 {
      bench.hand.press(PCKey.z)
      letters.append(await bench.stroke())
      bench.hand.press(PCKey.menu)
    }
    #expect(letters == ["z", "y", "я", "ζ"])
  }

  @Test("Whether a modifier is still down can be asked")
  func heldModifiers() async throws {
    let bench = try KeyBench()
    func isHeld() async -> Bool {
      await withCheckedContinuation { done in bench.keys.isHeld { done.resume(returning: $0) } }
    }
    #expect(await isHeld() == false)
    bench.hand.down(PCKey.ctrl)
    #expect(await isHeld())
    bench.hand.up(PCKey.ctrl)
    bench.hand.press(PCKey.numLock)
    #expect(await isHeld() == false)
  }

  @Test("The end gives every key back, and a display that goes is told")
  func end() async throws {
    let bench = try KeyBench()
    await bench.carry()
    bench.keys.end()
    await bench.carry()
    // The server frees what was held when it has seen the end of the connection.
    var keys: [String] = []
    for _ in 0..<1_000 where keys != ["Tab", "z"] {
      bench.hand.press(PCKey.tab)
      bench.hand.press(PCKey.z)
      keys = try bench.target.keys(upTo: "z")
    }
    #expect(keys == ["Tab", "z"])
    #expect(throws: Reason.noDisplay) {
      _ = try DesktopKeys(display: ":4711") { _ in }
    }
  }
}
