import RealPrograms
import Testing

@Suite("The transcript's grammar", .realPrograms(by: .test))
struct TranscriptTests {
  /// Fields of each kind, as the design lists them.
  private static let fields: [String: Set<String>] = [
    "command": ["name", "key"],
    "announcement": ["id", "text", "urgency", "lang", "by", "args"],
    "state": [
      "phase", "container", "app", "item", "selected", "carried", "dropPoint", "position", "of",
      "verdict", "reason", "result", "accepted", "operation", "index", "total",
    ],
    "delivery": [
      "id", "stage", "outcome", "operation", "route", "app", "items", "delivered", "failed",
      "bytes", "totalBytes", "verified",
    ],
    "end": ["status"],
  ]

  private static let ids: Set<String> = [
    "ready", "item", "empty", "edge", "echo", "no-match", "selected", "deselected",
    "nothing-to-pick-up",
    "picked-up", "nothing-accepts", "added", "refused-to-add", "removed", "drop-point", "details",
    "back-at-source", "opened", "cannot-open", "left", "appeared", "vanished", "operation",
    "operation-unavailable", "confirm", "choice", "declined", "refused", "delivering", "progress",
    "delivered", "partly-delivered", "unconfirmed", "failed", "cancelled", "delivery-cancelled",
    "task", "moved", "mode", "undone", "redone", "nothing-to-undo", "nothing-to-redo",
    "cannot-undo", "recovered", "holding", "help", "unknown-key", "problem", "session-ended",
    "goodbye", "nothing-landed", "picking-up",
  ]

  @Test(
    "Each line is a JSON object of a known kind with known fields; seq counts from 1; end is last",
    arguments: [
      #"down up end home "b" ctrl+t ctrl+a ctrl+a f2 f3 f12 ? f4 . ."#,
      #"right left left space tab shift+tab f8 tab right left ctrl+d f5 f6 f7 space f2 escape"#,
      #""b.txt" space "docs" enter down down up enter ctrl+g ctrl+z ctrl+y ctrl+r"#,
      #"space ctrl+t down space delete delete f9 down enter escape"#,
      #""b.txt" space "trash" enter ctrl+z ctrl+l ctrl+q"#,
    ])
  func grammar(keys: String) throws {
    let stage = try Stage("Inbox/Sorted/x.txt", "Inbox/a.txt", "Inbox/b.txt", "Docs/b.txt")
    let run = try stage.files("Inbox", "Docs", keys: keys)
    #expect(run.records.all.map { $0["seq"] } == (1...run.records.all.count).map { .number($0) })
    #expect(run.records.all.last?.kind == "end")
    #expect(run.records.all.last?["status"] == .number(run.status))
    #expect(run.records.all.count { $0.kind == "end" } == 1)
    for record in run.records.all {
      let known = try #require(Self.fields[record.kind], "\(record)")
      let others = Set(record.fields.keys).subtracting(known)
        .subtracting(["seq", "kind", "spoken"])
      #expect(others.isEmpty, "\(others) in \(record)")
      if record.kind == "announcement" {
        #expect(Self.ids.contains(record.id), "\(record)")
        #expect(Set(record.fields.keys).isSuperset(of: known), "\(record)")
        #expect(!record.text.isEmpty, "\(record)")
        #expect(["assertive", "polite"].contains(record["urgency"]))
      }
      if record.kind == "state" {
        #expect(["browsing", "carrying", "confirming"].contains(record["phase"]))
      }
    }
  }

  @Test("H01: the state says phase, container, item, what is carried, the place and its verdict")
  func states() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/Letters/")
    let run = try stage.files("Inbox", "Docs", keys: #"ctrl+t space "letters" escape"#)
    let carrying = try #require(
      run.records.states.last { $0["phase"] == "carrying" && $0["dropPoint"] == "Letters" },
      "\(run)")
    #expect(carrying["container"] == "Docs")
    #expect(carrying["selected"] == ["a.txt"])
    #expect(carrying["carried"] == 1)
    #expect(carrying["verdict"] == "accept")
    #expect(carrying["operation"] == "copy")
    #expect(carrying["index"] == 2)
    #expect(carrying["total"] == 2)
  }

  @Test("A transcript in a file is the same as on standard output, for its owner alone")
  func file() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let path = stage.base + "/transcript"
    let run = try stage.run(
      ["files", "Inbox", "Docs", "--keys", "space escape", "--transcript", path], transcript: false)
    let lines = try #require(stage.read(path)).split(separator: "\n")
    let ids = try lines.map { try Record(line: String($0)) }.filter { $0.kind == "announcement" }
      .map(\.id)
    #expect(ids == ["ready", "picked-up", "drop-point", "cancelled"])
    #expect(run.output.split(separator: "\n").count == ids.count)
  }

  @Test("Without a transcript, what is said is on standard output, a line each")
  func text() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.run(
      ["files", "Inbox", "Docs", "--keys", "space escape", "--speech", "off"], transcript: false)
    #expect(
      run.output == """
        Inbox, 1 file. a.txt. Space picks up.
        Picked up a.txt. 1 place. Tab walks, Enter drops, Escape cancels.
        Docs: copy. 1 of 1
        Cancelled. Back at a.txt.

        """)
  }
}
