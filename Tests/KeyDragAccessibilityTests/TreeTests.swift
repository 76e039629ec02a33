import Glibc
import KeyDragCore
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("The tree that assistive technologies ask")
struct TreeTests {
  private static func tree() -> AccessibleTree {
    var tree = AccessibleTree()
    tree.busName = ":1.42"
    tree.desktop = (":1.0", AccessibleTree.root)
    _ = tree.show(ViewTests.carrying)
    return tree
  }

  private static func values(
    _ tree: AccessibleTree, _ path: String, _ interface: String, _ member: String,
    _ arguments: BusValue...
  ) -> [BusValue]? {
    let call = BusCall(
      path: path, interface: "org.a11y.atspi." + interface, member: member, arguments: arguments)
    guard case .values(let values) = tree.answer(call).reply else { return nil }
    return values
  }

  @Test("Each object is its parent's child at the index it says, and no path is there twice")
  func shape() {
    let tree = Self.tree()
    let all = tree.all
    #expect(Set(all.map(\.path)).count == all.count)
    for object in all {
      for (index, path) in object.children.enumerated() {
        #expect(tree.object(path)?.parent == object.path)
        #expect(tree.object(path)?.index == index)
      }
    }
    let items = Self.values(tree, AccessibleTree.cache, "Cache", "GetItems")
    #expect(items?.first?.elements.count == all.count)
  }

  private struct Upside: Catalogue {
    let language = "en-XA"
    func sentence(_ source: String, context: String?) -> String { "\(context ?? ""): \(source)" }
    func sentence(one: String, other: String, count: Int) -> String { other }
  }

  @Test("What an object is, is said in the person's language; by name it stays English")
  func roles() {
    let tree = AccessibleTree(phrases: Phrasebook(catalogue: Upside()))
    for (path, name) in [
      (AccessibleTree.root, "application"), (AccessibleTree.status, "status bar"),
      (AccessibleTree.notification(0), "notification"), (AccessibleTree.label(0), "label"),
      (AccessibleTree.drag, "panel"), (AccessibleTree.list, "list"),
      (AccessibleTree.progress, "progress bar"),
    ] {
      #expect(Self.values(tree, path, "Accessible", "GetRoleName") == [.string(name)])
      #expect(
        Self.values(tree, path, "Accessible", "GetLocalizedRoleName") == [.string("role: " + name)])
    }
  }

  @Test(
    "Orca's version is read from what it says of itself",
    arguments: [
      ("# c\nname = \"x\"\nversion     = \"43.1\"\n", "43.1"), ("version = '46.2'\r\n", "46.2"),
      ("__version__ = \"$Revision$\"\n", nil), ("version = \"@VERSION@\"", nil),
      ("version = \"\"", nil), ("version", nil), ("", nil),
      ("version = \"1.2; rm\"", nil), ("version = \"\(String(repeating: "9", count: 30))\"", nil),
    ] as [(String, String?)])
  func version(text: String, version: String?) {
    #expect(OrcaProcess.version(in: text) == version)
  }

  @Test(
    "A process that has named itself is one of a script that its command line has the length of",
    arguments: [
      (31, "/usr/bin/orca", true), (41, "/usr/bin/orca", true), (34, "/usr/bin/orca", true),
      (41, "/opt/orca-46.2/bin/orca", true), (31, "/opt/orca-46.2/bin/orca", false),
      (40, "/usr/bin/orca", false), (0, "/usr/bin/orca", false),
    ])
  func commandLine(length: Int, script: String, isOne: Bool) {
    for line in ["#!/usr/bin/python3", "#! /usr/bin/python3 "] {
      #expect(OrcaProcess.isOfLength(length, script: script, firstLine: line[...]) == isOne)
    }
    #expect(!OrcaProcess.isOfLength(length, script: script, firstLine: "import os"))
  }

  @Test("Orca is looked for in the search path, and where people put what they have built")
  func places() throws {
    var name = Array("/tmp/packages.XXXXXX".utf8CString)
    #expect(mkdtemp(&name) != nil)
    let folder = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let packages = ["orca-47.5", "other"].map { "\(folder)/\($0)" }
    defer { for path in packages + [folder] { rmdir(path) } }
    for path in packages { #expect(mkdir(path, 0o700) == 0) }
    let places = OrcaProcess.places(paths: ["/a:/b", "/a"], home: "/home/me", packages: folder)
    let expected = [
      "/a", "/b", "/home/me/.local/bin", "/home/me/bin", "/usr/local/bin", "/usr/bin",
    ]
    let all = expected + packages.map { $0 + "/bin" }
    #expect(places == Set(all.map { $0 + "/orca" }))
    #expect(OrcaProcess.places(paths: [], home: nil, packages: "/nowhere").count == 2)
  }

  @Test(
    "Of several Orcas that are installed it is the one that behaves so, or an unknown one",
    arguments: [
      (ReaderRoute.atspi, 0..<47.0, "46.2"), (.atspi, 47..<48, "47.5"), (.atspi, 48..<1000, nil),
      (.orca, 48..<1000, "49.7"), (.notification, 0..<47, "43.1"), (nil, 0..<47, nil),
    ] as [(ReaderRoute?, Range<Double>, String?)])
  func only(way: ReaderRoute?, range: Range<Double>, version: String?) {
    let versions = ["43.1", "46.2", "47.5", "46.2", "49.7", "no version"]
    #expect(OrcaProcess.only(of: versions, takes: way, among: range) == version)
  }

  @Test("Orca's pace is known by the slowest rate in its settings, where they tell one")
  func pace() throws {
    func pace(_ rates: String...) -> Double? {
      let lines = rates.map { "                \"rate\": \($0),\n" }
      return OrcaProcess.pace(settings: "{\n    \"general\": {\n" + lines.joined() + "    }\n}\n")
    }
    #expect(pace() == nil && OrcaProcess.pace(rate: 101) == nil)
    #expect(OrcaProcess.pace(rate: 50) == pace("50"))
    #expect(pace("quick") == nil && pace("1e9") == nil)
    let (slow, usual, quick) = (pace("0"), pace("50", "90.5"), pace("100"))
    #expect(slow.map { (5...6).contains($0) } == true)
    #expect(usual.map { (12...13).contains($0) } == true)
    #expect(quick.map { (30...33).contains($0) } == true)
  }

  @Test("A child that is not there is answered with nothing, as the protocol says it")
  func noChild() {
    for index in [-1, 3, Int32.max] {
      let answer = Self.values(
        Self.tree(), AccessibleTree.root, "Accessible", "GetChildAtIndex", .int32(index))
      #expect(answer == [.tuple([.string(""), .path("/org/a11y/atspi/null")])])
    }
  }

  @Test(
    "What is not known is answered with an error",
    arguments: [
      BusCall(
        path: AccessibleTree.root, interface: "org.a11y.atspi.Component", member: "GetExtents"),
      BusCall(path: AccessibleTree.root, interface: "org.a11y.atspi.Accessible", member: "GetMore"),
      BusCall(
        path: AccessibleTree.root + "/none", interface: "org.a11y.atspi.Accessible",
        member: "GetRole"),
      BusCall(path: AccessibleTree.drag, interface: "org.a11y.atspi.Action", member: "DoAction"),
      BusCall(
        path: AccessibleTree.drag, interface: "org.a11y.atspi.Action", member: "DoAction",
        arguments: [.int32(-1)]),
      BusCall(
        path: AccessibleTree.root, interface: "org.freedesktop.DBus.Properties",
        member: "Get"),
      BusCall(
        path: AccessibleTree.root, interface: "org.freedesktop.DBus.Properties",
        member: "Get", arguments: [.string("org.a11y.atspi.Accessible"), .string("More")]),
      BusCall(
        path: AccessibleTree.root, interface: "org.freedesktop.DBus.Properties",
        member: "Set",
        arguments: [
          .string("org.a11y.atspi.Accessible"), .string("Name"), .variant(.string("x")),
        ]),
      BusCall(
        path: AccessibleTree.cache, interface: "org.a11y.atspi.Accessible", member: "GetRole"),
    ])
  func unknown(call: BusCall) {
    guard case .error = Self.tree().answer(call).reply else {
      Issue.record("\(call.member) was answered")
      return
    }
  }

  @Test("Messages keep their own words while others follow")
  func slots() {
    var tree = Self.tree()
    let slot = tree.tell("first")
    for number in 1..<AccessibleTree.slots { _ = tree.tell("\(number)") }
    #expect(tree.object(AccessibleTree.label(slot))?.name == "first")
    #expect(tree.tell("last") == slot)
    #expect(tree.object(AccessibleTree.label(slot))?.name == "last")
  }

  @Test("K18 a message that was told in another way is gone, until its place has a new one")
  func withdrawn() {
    var tree = Self.tree()
    let slot = tree.tell("first")
    let path = AccessibleTree.notification(slot)
    #expect(tree.object(path)?.states.contains(.defunct) == false)
    tree.withdraw("first")
    #expect(tree.object(path)?.states == .defunct)
    #expect(tree.object(AccessibleTree.label(slot))?.name.isEmpty == true)
    for _ in 0..<AccessibleTree.slots { _ = tree.tell("last") }
    #expect(tree.object(path)?.states == [.present, .transient])
    // What announces an object without words is not gone.
    let empty = tree.tell("")
    #expect(tree.object(AccessibleTree.notification(empty))?.states == [.transient])
  }

  @Test("Only what changed is told of, and lines that changed have new paths")
  func events() {
    var tree = Self.tree()
    let before = tree.object(AccessibleTree.list)?.children
    #expect(tree.show(ViewTests.carrying).isEmpty)
    var scene = ViewTests.carrying
    scene.percent = 41
    #expect(tree.show(scene) == [.value(AccessibleTree.progress, 41)])
    #expect(tree.object(AccessibleTree.list)?.children == before)
    scene.carried = nil
    scene.rows.removeLast()
    #expect(
      tree.show(scene) == [
        .name(AccessibleTree.drag, scene.subject), .attributes(AccessibleTree.drag),
      ])
    #expect(!scene.subject.isEmpty, "the actions are about something while nothing is carried")
    #expect(before?.compactMap(tree.object).isEmpty == true)
  }

  @Test(
    "What an action means in each phase",
    arguments: [
      (PhaseName.browsing, [CommandName.pickUp, nil, .cancel, .nextItem, .previousItem]),
      (.carrying, [nil, .drop, .cancel, .nextDropPoint, .previousDropPoint]),
      (.confirming, [nil, .take, .cancel, .nextChoice, .previousChoice]),
    ])
  func commands(phase: PhaseName, expected: [CommandName?]) {
    var tree = AccessibleTree()
    var scene = DragScene()
    scene.phase = phase
    _ = tree.show(scene)
    #expect(AccessibleAction.allCases.map(tree.command) == expected)
  }
}
