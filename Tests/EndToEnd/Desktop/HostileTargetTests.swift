import Foundation
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

@Suite(
  "What programs make of a drop is told, and not what it looks like", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct HostileTargetTests {
  @Test("T02, T05 A title is a document's where it stays and nothing alarms: not that of a field")
  func titles() throws {
    let desktop = try DesktopStage("a.txt")
    for (behavior, place, kind, isOpened) in Thorough.cases(
      ordinarily: 8,
      of: [
        ("stays", "Area", TextWindow.Kind.gtk3, true), ("followed", "Subject", .qt5, false),
        ("paged", "Body", .gtk3, true), ("elsewhere", "Body", .gtk3, false),
        ("moment", "Area", .gtk3, false), ("alarmed", "Area", .gtk4, false),
        ("barred", "Area", .gtk3, false), ("tabbed", "Area", .gtk3, false),
        ("stays", "Area", .qt5, true), ("followed", "Subject", .gtk3, false),
        ("elsewhere", "Area", .gtk3, false), ("alarmed", "Area", .gtk3, false),
        ("alarmed", "Area", .qt5, false), ("stays", "Area", .gtk4, true),
      ])
    {
      let run = try HostileTarget.drop("a.txt", on: place, of: behavior, in: kind, desktop)
      let told = run.first("delivered")?.argument("operation")
      #expect(run.status != 66, "\(run)")
      #expect((told == "open") == isOpened, "\(behavior) \(kind): \(run) \(run.records)")
    }
  }

  @Test("T03 After an answer nothing is denied that may be in a list which can't be seen")
  func attached() throws {
    let desktop = try DesktopStage("a.txt")
    let run = try HostileTarget.drop("a.txt", on: "Body", of: "attach", desktop)
    let end = run.last("unconfirmed")
    #expect(end?.argument("question") != "answered", "\(run.records)")
    let doubts = ["did not confirm", "has not changed"]
    #expect(doubts.contains { end?.text.contains($0) == true }, "\(run.records)")
  }

  @Test(
    "T02 What a list has by its name alone is added there, not copied",
    arguments: Thorough.cases(ordinarily: 1, of: [TextWindow.Kind.gtk3, .qt5]))
  func references(kind: TextWindow.Kind) throws {
    let desktop = try DesktopStage("a.txt")
    let run = try HostileTarget.drop("a.txt", on: "List", of: "listing", in: kind, desktop)
    #expect(run.status == 0)
    let end = run.last("delivered")
    #expect(end?.text.hasPrefix("Added a.txt to List") == true, "\(run.records)")
    #expect(end?.argument("operation") == "copy", "\(run.records)")
    #expect(end?.argument("form") == "reference", "\(run.records)")
    #expect(run.records.finished.last?["verified"] == true)
    let history = try desktop.run("history")
    #expect(!history.output.contains("copied"), "\(history)")
  }

  @Test(
    "T03, T06 What shows how far something is asks nothing",
    arguments: Thorough.cases(ordinarily: 1, of: [TextWindow.Kind.gtk3, .qt5]))
  func progress(kind: TextWindow.Kind) throws {
    let desktop = try DesktopStage("a.txt")
    let run = try HostileTarget.drop("a.txt", on: "List", of: "busy", in: kind, desktop)
    #expect(
      run.records.every("unconfirmed").allSatisfy { $0.argument("question") == nil },
      "\(run.records)")
    #expect(run.status == 0 && run.last("delivered") != nil, "\(run.records)")
  }

  @Test("T03, T06 A question is waited for, and told with what it offers")
  func offers() throws {
    let desktop = try DesktopStage("a.txt")
    let run = try HostileTarget.drop("a.txt", on: "List", of: "offering", desktop)
    let question = run.first("unconfirmed")
    #expect(question?.argument("question") == "window", "\(run.records)")
    #expect(question?.argument("buttons") == .list(["Cancel", "Move"]), "\(run.records)")
    #expect(run.status == 0 && run.last("delivered") != nil, "\(run.records)")
  }

  @Test("T02 What a window, a mark or an alert shows of a drop is told for what it is worth")
  func signs() throws {
    let desktop = try DesktopStage("a.txt")
    for (behavior, id, name, value) in [
      ("turned", "delivered", "operation", "open"),
      // A text may have been written there, or its path.
      ("marked", "unconfirmed", "confirmed", "by-program"),
      ("chip", "delivered", "form", "reference"), ("broken", "unconfirmed", "confirmed", nil),
    ] as [(String, String, String, Value?)] {
      let run = try HostileTarget.drop("a.txt", of: behavior, desktop)
      #expect(run.last(id) != nil, "\(behavior) \(run.records)")
      #expect(run.last(id)?.argument(name) == value, "\(behavior) \(run.records)")
      #expect(
        (run.records.finished.last?["verified"] == true) == ["turned", "chip"].contains(behavior))
      if behavior == "chip" {
        #expect(run.first("drop-point")?.argument("result") == "Perhaps can't be undone.")
      }
    }
  }
}

extension HostileTargetTests {
  private static let pixel: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 0, count: 64)

  @Test("T02 What a window of a program that nobody knows shows of a drop is told")
  func strangers() throws {
    let desktop = try DesktopStage("song.txt")
    try Data(Self.pixel).write(to: URL(fileURLWithPath: desktop.stage.path("a.png")))
    for (behavior, file, place, kind, text) in [
      ("undone", "a.png", "Area", TextWindow.Kind.gtk3, "Added a.png to Area"),
      ("undone", "song.txt", "Area", .gtk3, "took song.txt. What came of it can't be seen."),
      ("counted", "a.png", "Area", .gtk3, "Opened a.png with counted."),
      ("shortened", "song.txt", "Area", .gtk3, "Opened song.txt with shortened."),
      ("drawn", "a.png", "Area", .qt5, "Added a.png to"),
      ("drawn", "song.txt", "Area", .qt5, "took song.txt. What came of it can't be seen."),
    ] {
      let run = try HostileTarget.drop(file, on: place, of: behavior, in: kind, desktop)
      #expect(run.said.last?.contains(text) == true, "\(behavior) \(run) \(run.records)")
    }
  }

  @Test("T05 What only has the name of a picture is not opened by what shows that name")
  func noPicture() throws {
    let desktop = try DesktopStage("old.txt")
    let noise = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 0x9B) }
    try Data(noise).write(to: URL(fileURLWithPath: desktop.stage.path("a.png")))
    for behavior in ["counted", "stays"] {
      let run = try HostileTarget.drop("a.png", of: behavior, desktop)
      #expect(run.last("delivered") == nil, "\(behavior) \(run.records)")
    }
  }
}

/// Alone: an archive is looked into for as long as its program works at it, and no longer.
@Suite(
  "Rows of a window that takes drops by itself", .realPrograms(by: .alone),
  .serialized, .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct HostileRowTests {
  @Test("T02, T13 A row that takes for its window is not told to have what is dropped on it")
  func rows() throws {
    let desktop = try DesktopStage("a.txt")
    for (behavior, id, place) in [
      ("shelf", "unconfirmed", "shelf"), ("arch", "delivered", "arch"),
      ("inner", "delivered", "dir"), ("listing", "delivered", "listing"),
    ] {
      let run = try HostileTarget.drop("a.txt", on: "dir", of: behavior, desktop)
      let end = run.last(id)
      #expect(end?.argument("place") == .text(place), "\(behavior) \(run) \(run.records)")
      let isCopied = ["arch", "inner"].contains(behavior)
      #expect((end?.text.hasPrefix("Copied a.txt to") == true) == isCopied, "\(run.records)")
    }
  }
}
