import Testing

@testable import KeyDragFiles

struct EntryTimeTests {
  @Test("What was done today is told by its time alone, what was done before with its day")
  func short() {
    let now: Int64 = 1_795_000_000
    let today = EntryTime.full(now)
    #expect(today.count == 16 && today.dropFirst(10).first == " ", "\(today)")
    #expect(EntryTime.short(now, now: now) == String(today.suffix(5)))
    let before = now - 3 * 86_400
    #expect(EntryTime.short(before, now: now) == EntryTime.full(before))
    #expect(EntryTime.full(before) != today)
  }

  @Test("A time that no calendar has is no trouble", arguments: [Int64.min, -1, 0, .max])
  func odd(seconds: Int64) {
    #expect(EntryTime.full(seconds).utf8.count < 32)
  }
}
