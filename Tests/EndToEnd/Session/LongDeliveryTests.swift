import FoundationEssentials
import RealPrograms
import Testing

@Suite("Deliveries that take their time", .realPrograms(by: .test))
struct LongDeliveryTests {
  /// Another disk than the stage's, so that bytes are really copied.
  private func far() throws -> Stage { try Stage(in: "/dev/shm") }

  private func large(_ stage: Stage, _ path: String, megabytes: Int) throws {
    try stage.make(path)
    try Data(repeating: 0x2A, count: megabytes << 20).write(to: URL(filePath: stage.path(path)))
  }

  @Test("H19: a long one says its size and count at the start, and the result at the end")
  func sizeAndCount() throws {
    let stage = try Stage("Inbox/", "Docs/")
    try stage.configure("threshold: 1 kB\n")
    try large(stage, "Inbox/one.bin", megabytes: 1)
    try large(stage, "Inbox/two.bin", megabytes: 2)
    let run = try stage.files("Inbox", "Docs", keys: "ctrl+a space enter")
    #expect(run.status == 0, "\(run)")
    let start = try #require(run.first("delivering"))
    #expect(start.text == "Copying one.bin and two.bin, 3.1 megabytes.")
    #expect(start.argument("count") == 2)
    #expect(start.argument("bytes") == .number(3 << 20))
    #expect(run.ids.last == "delivered")
    let finished = try #require(run.records.finished.first)
    #expect(finished["bytes"] == .number(3 << 20))
    #expect(finished["verified"] == true)
  }

  @Test("H19: a short one says nothing at the start")
  func shortOne() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: "space enter")
    #expect(!run.ids.contains("delivering"), "\(run)")
  }

  @Test("H19: progress is said at thresholds, each once")
  func progress() throws {
    let (stage, far) = (try Stage("Inbox/"), try far())
    try far.make("Far/")
    try stage.configure("threshold: 1 kB\n")
    try large(stage, "Inbox/large.bin", megabytes: 320)
    let run = try stage.files("Inbox", far.path("Far"), keys: "f6 enter")
    #expect(run.status == 0, "\(run)")
    let said = run.records.every("progress").compactMap { record -> Int? in
      if case .number(let percent)? = record.argument("percent") { percent } else { nil }
    }
    #expect(said == Array(Set(said)).sorted())
    #expect(Set(said).isSubset(of: [25, 50, 75]))
    #expect(!said.isEmpty, "\(run)")
    #expect(run.records.deliveries.contains { $0["stage"] == "progress" })
    #expect(far.list("Far") == ["large.bin"])
    #expect(stage.list("Inbox").isEmpty)
  }

  @Test("H19 H31: the list names what runs, and Delete cancels it with nothing lost")
  func cancels() throws {
    let (stage, far) = (try Stage("Inbox/"), try far())
    try far.make("Far/")
    try stage.configure("threshold: 1 kB\n")
    try large(stage, "Inbox/large.bin", megabytes: 192)
    let run = try stage.files(
      "Inbox", far.path("Far"), keys: "f6 enter @delivering !ctrl+r !delete")
    #expect(run.status == 1, "\(run)")
    let list = try #require(run.first("confirm"))
    #expect(list.text == "1 delivery runs.")
    #expect(run.first("choice")?.text.hasPrefix("Moving large.bin") == true)
    #expect(run.last("delivery-cancelled")?.argument("remaining") == 1)
    #expect(run.records.finished.first?["outcome"] == "cancelled")
    #expect(far.list("Far").isEmpty)
    #expect(stage.list("Inbox") == ["large.bin"])
  }

  @Test("H19: an empty list of deliveries says so and is not entered")
  func emptyList() throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.files("Inbox", keys: "ctrl+r")
    #expect(run.said.last == "Nothing is being delivered.", "\(run)")
    #expect(run.records.states.last?["phase"] == "browsing")
  }
}
