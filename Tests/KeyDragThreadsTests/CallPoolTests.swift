import Dispatch
import KeyDragThreads
import Testing

@Suite("Calls that may never return", .timeLimit(.minutes(5)))
struct CallPoolTests {
  @Test("H13: calls of one key that follow each other closely are answered, each in its time")
  func overlapping() async {
    let timeout = Duration.milliseconds(700)
    let pool = CallPool<String>(patience: timeout)
    let end = ContinuousClock.now + timeout * 2
    var answers: [Task<[Int?], Never>] = []
    var endOfLast: AsyncStream<Void>.Continuation?
    // Each call goes on until the next one has begun.
    while ContinuousClock.now < end {
      let (begun, tellBegun) = AsyncStream<Void>.makeStream()
      let (ended, tellEnded) = AsyncStream<Void>.makeStream()
      let number = answers.count
      answers.append(
        Task {
          await pool.values(["folder"]) { _ in
            tellBegun.finish()
            for await _ in ended {}
            return number
          }
        })
      // A call that is refused does not begin.
      let answer = answers[number]
      Task {
        _ = await answer.value
        tellBegun.finish()
      }
      for await _ in begun {}
      endOfLast?.finish()
      endOfLast = tellEnded
    }
    endOfLast?.finish()
    for (number, answer) in answers.enumerated() { #expect(await answer.value == [number]) }
  }

  @Test("H13: the key of a call that has been given up is refused until that call returns")
  func abandoned() async {
    let pool = CallPool<String>(patience: .milliseconds(50))
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (returned, tellReturned) = AsyncStream<Void>.makeStream()
    let lost = await pool.values(["folder"]) { _ in
      for await _ in gate {}
      tellReturned.finish()
      return 1
    }
    #expect(lost == [nil])
    #expect(await pool.values(["folder", "other"]) { $0 } == [nil, 1])
    open.finish()
    for await _ in returned {}
    var answer: Int?
    // The thread notes the return a moment after it.
    while answer == nil { answer = await pool.values(["folder"]) { _ in 2 }[0] }
    #expect(answer == 2)
  }

  @Test("H13: a key of which too many calls hang is refused at once, and no other one")
  func hanging() async {
    let pool = CallPool<String>()
    let gate = DispatchSemaphore(value: 0)
    let (begun, tellBegun) = AsyncStream<Void>.makeStream()
    let hung = (0..<16).map { number in
      Task {
        await pool.call("folder") {
          tellBegun.yield()
          gate.wait()
          return number
        }
      }
    }
    var rest = begun.makeAsyncIterator()
    for _ in hung { await rest.next() }
    #expect(await pool.call("folder") { 1 } == nil)
    #expect(await pool.call("other") { 2 } == 2)
    for _ in hung { gate.signal() }
    for (number, call) in hung.enumerated() { #expect(await call.value == number) }
    #expect(await pool.call("folder") { 3 } == 3)
  }
}
