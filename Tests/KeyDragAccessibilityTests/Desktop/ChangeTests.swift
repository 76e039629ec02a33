import KeyDragCore
import Synchronization
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("What programs tell of by themselves")
struct ChangeTests {
  private static let table = ElementID(program: ":1.5", path: "/table")
  private static let row = ElementID(program: ":1.5", path: "/row")
  private static let entry = ElementID(program: ":1.5", path: "/entry")
  private static let other = ElementID(program: ":1.6", path: "/table")

  @Test("The focus follows fields and rows, and each is told once")
  func focus() {
    var track = FocusTracker()
    #expect(track.current == nil)
    // The same again, the row told in both ways, and the same row again.
    let told = [
      track.take(focused: Self.table), track.take(focused: Self.table),
      track.take(descendant: Self.row, of: Self.table), track.take(focused: Self.row),
      track.take(descendant: Self.row, of: Self.table),
    ]
    #expect(told == [true, false, true, false, false])
    #expect(track.current == Self.row)
    let left = track.take(focused: Self.entry)
    #expect(left && track.current == Self.entry)
    // Back in the list, which does not tell of its row again.
    let back = track.take(focused: Self.table)
    #expect(back && track.current == Self.row)
  }

  @Test("A list that is not in focus does not take it")
  func background() {
    var track = FocusTracker()
    _ = track.take(focused: Self.entry)
    let isTaken = track.take(descendant: Self.other, of: Self.other)
    #expect(!isTaken && track.current == Self.entry)
    track.left(":1.5")
    #expect(track.current != Self.entry)
  }

  @Test("A program that tells of a thousand lists costs the memory of a few")
  func bounded() {
    var track = FocusTracker()
    for number in 0..<1_000 {
      let list = ElementID(program: ":1.5", path: "/list/\(number)")
      _ = track.take(descendant: Self.row, of: list)
    }
    #expect(String(describing: track).count < 20_000)
  }

  @Test("Of equal changes in a moment the first is told at once, and one more at its end")
  func gate() {
    var gate = ChangeThrottle()
    let first = [gate.take(.focus), gate.take(.programs)]
    #expect(first == [true, true])
    let again = (0..<1_000).map { _ in gate.take(.focus) }
    #expect(!again.contains(true))
    let opened = [gate.open(.focus), gate.open(.programs), gate.open(.focus)]
    #expect(opened == [true, false, false])
    let later = gate.take(.focus)
    #expect(later)
  }

  @Test("A million events are a few changes, and only watched windows are told of")
  func flood() {
    let told = Mutex<[ProgramChange]>([])
    let changes = ProgramChanges()
    let tell = { @Sendable change in told.withLock { $0.append(change) } }
    changes.observe(on: { _, _ in }, tell)
    changes.watch([Self.table])
    func signal(_ member: String, _ source: ElementID, _ detail: String = "add") -> BusSignal {
      BusSignal(
        sender: source.program, path: source.path, interface: ProgramChanges.prefix + "Object",
        member: member, arguments: [.string(detail), .int32(1), .int32(0), .other])
    }
    for _ in 0..<10_000 {
      changes.take(signal("ChildrenChanged", Self.row))
      changes.take(signal("BoundsChanged", Self.other))
    }
    #expect(told.withLock { $0 } == [.elements(frame: Self.table)])
    changes.take(signal("PropertyChange", Self.table, "accessible-name"))
    changes.take(signal("StateChanged", Self.row, "focused"))
    #expect(told.withLock { $0 } == [.elements(frame: Self.table), .programs, .focus])
    #expect(changes.focused == Self.row)
  }

  @Test("A name that is told again is no change; another name is, and so is one that is not told")
  func namedAgain() {
    var track = NameTrack()
    let told = ["View", "View", "List", "View", nil, nil].map { track.take($0, of: Self.table) }
    #expect(told == [true, false, true, true, true, true])
    let elsewhere = track.take("View", of: Self.other)
    #expect(elsewhere)
    for number in 0..<10_000 {
      let row = ElementID(program: ":1.5", path: "/row/\(number)")
      _ = track.take(String(repeating: "long ", count: 1_000), of: row)
    }
    #expect(String(describing: track).count < 200_000)
  }

  @Test("A view that names itself anew while it is read is told of once")
  func named() {
    let told = Mutex(0)
    let changes = ProgramChanges()
    changes.observe(on: { _, later in later() }, { _ in told.withLock { $0 += 1 } })
    changes.watch([Self.other])
    for _ in 0..<100 {
      changes.take(
        BusSignal(
          sender: ":1.6", path: "/view", interface: ProgramChanges.prefix + "Object",
          member: "PropertyChange",
          arguments: [
            .string("accessible-name"), .int32(0), .int32(0), .variant(.string("Details view")),
          ]))
    }
    #expect(told.withLock { $0 } == 1)
  }

  @Test("Events of another shape are left out")
  func malformed() {
    let changes = ProgramChanges()
    for arguments: [BusValue] in [
      [], [.int32(1)], [.string("focused")], [.string("focused"), .string("1")],
      [.string(""), .int32(0), .int32(0), .variant(.string("/x"))],
    ] {
      for member in ["StateChanged", "ActiveDescendantChanged"] {
        changes.take(
          BusSignal(
            sender: ":1.5", path: "/x", interface: ProgramChanges.prefix + "Object",
            member: member, arguments: arguments))
      }
    }
    #expect(changes.focused == nil)
  }

  @Test(
    "Events have the names of the registry and rules of the bus",
    arguments: [
      (
        ProgramChanges.Event(interface: "Object", member: "StateChanged", detail: "focused"),
        "object:state-changed:focused",
        "type='signal',interface='org.a11y.atspi.Event.Object',member='StateChanged',"
          + "arg0='focused',sender=':1.5'"
      ),
      (
        ProgramChanges.Event(interface: "Window", member: "Create"), "window:create",
        "type='signal',interface='org.a11y.atspi.Event.Window',member='Create',sender=':1.5'"
      ),
    ])
  func names(event: ProgramChanges.Event, name: String, rule: String) {
    #expect(event.name == name)
    #expect(event.rule(from: ":1.5") == rule)
  }
}
