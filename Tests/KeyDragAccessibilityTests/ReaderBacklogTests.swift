import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("Messages that a reader has not come to")
struct ReaderBacklogTests {
  private let start = ContinuousClock.now
  private let path = "/org/a11y/atspi/accessible/message/1"

  private func call(_ member: String, _ path: String) -> BusCall {
    BusCall(path: path, interface: "org.a11y.atspi.Accessible", member: member)
  }

  @Test("K19 a reader that is behind at a key has what it was told before cut off, once")
  func behind() {
    var backlog = ReaderBacklog()
    backlog.send(.init(path: path, isLabel: false))
    for _ in 0..<2 { backlog.take(call("GetState", path), at: start) }
    backlog.press(at: start + .seconds(1))
    let cut1 = backlog.takeCut()
    #expect(!cut1)
    // The first of two is dropped by the reader, and the second not come to.
    for slot in 2...3 {
      backlog.send(.init(path: "/org/a11y/atspi/accessible/label/\(slot)", isLabel: true))
    }
    backlog.press(at: start + .seconds(2))
    let cut2 = backlog.takeCut()
    #expect(cut2)
    let cut3 = backlog.takeCut()
    #expect(!cut3)
    backlog.take(
      call("GetRelationSet", "/org/a11y/atspi/accessible/label/3"), at: start + .seconds(3))
    backlog.press(at: start + .seconds(3.01))
    let cut4 = backlog.takeCut()
    #expect(cut4)
    backlog.press(at: start + .seconds(4))
    let cut5 = backlog.takeCut()
    #expect(!cut5)
  }

  @Test("A reader that never asks is not cut off")
  func silent() {
    var backlog = ReaderBacklog()
    backlog.send(.init(path: path, isLabel: false))
    backlog.take(call("GetState", path), at: start)
    backlog.press(at: start)
    let cut6 = backlog.takeCut()
    #expect(!cut6)
  }
}
