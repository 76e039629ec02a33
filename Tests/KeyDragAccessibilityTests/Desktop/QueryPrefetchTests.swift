import KeyDragCore
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("What the reading of a window is expected to ask")
struct ForesightTests {
  private static func question(_ number: Int, of program: String = ":1.5") -> BusRequest {
    ElementID(program: program, path: "/\(number)").name
  }

  private static func reading(
    _ number: Int, of program: String = ":1.5"
  ) -> QueryPattern.Reading {
    QueryPattern.Reading(
      frame: ElementID(program: program, path: "/frame/\(number)"),
      wanted: ElementQuery(roles: ["table"], most: 5))
  }

  @Test("What was asked is expected the next time, and what was not asked again no more")
  func next() {
    let first = QueryPrefetch(ExpectedQuestions(), [])
    for number in [1, 2, 2, 3] {
      let answer = first.answer(to: Self.question(number))
      #expect(answer == nil)
    }
    #expect(first.next.questions == [1, 2, 3].map { Self.question($0) })
    // One of them was answered with an error.
    let second = QueryPrefetch(first.next, [[.string("one")], nil, [.string("three")]])
    #expect(second.answer(to: Self.question(1)) == .some([.string("one")]))
    #expect(second.answer(to: Self.question(2)) == .some(nil))
    #expect(second.answer(to: Self.question(4)) == nil)
    #expect(second.next.questions == [1, 2, 4].map { Self.question($0) })
  }

  @Test("Of a window with thousands of elements no more is expected than goes out at once")
  func bounded() {
    let foresight = QueryPrefetch(ExpectedQuestions(), [])
    for number in 0..<5_000 { _ = foresight.answer(to: Self.question(number)) }
    #expect(foresight.next.questions.count == ExpectedQuestions.most)
    let again = QueryPrefetch(foresight.next, foresight.next.questions.map { _ in [] })
    for number in 0..<5_000 { _ = again.answer(to: Self.question(number)) }
    #expect(again.next.questions == foresight.next.questions)
  }

  @Test("Only the windows that were read last are known, and none of a program that has ended")
  func windows() {
    var habits = QueryPattern()
    let habit = ExpectedQuestions([Self.question(1)])
    habits.keep(habit, of: Self.reading(0, of: ":1.6"))
    for number in 0..<QueryPattern.most { habits.keep(habit, of: Self.reading(number)) }
    #expect(habits.take(Self.reading(0, of: ":1.6")).questions.isEmpty)
    var other = Self.reading(3)
    other.wanted.roles = ["icon"]
    #expect(habits.take(other).questions.isEmpty)
    #expect(habits.take(Self.reading(3)).questions == habit.questions)
    // It is being read, and may fail.
    #expect(habits.take(Self.reading(3)).questions.isEmpty)
    habits.forget(program: ":1.5")
    #expect(habits.take(Self.reading(5)).questions.isEmpty)
  }

  @Test("What a reading begins with is expected once, of a window that was not read yet")
  func beginnings() {
    var habits = QueryPattern()
    let window = Self.reading(1)
    habits.expect([Self.question(1)], of: window.frame)
    #expect(habits.take(window).questions == [Self.question(1)])
    #expect(habits.take(window).questions.isEmpty, "it may have failed")
    habits.keep(ExpectedQuestions([Self.question(2)]), of: window)
    habits.expect([Self.question(1)], of: window.frame)
    #expect(habits.take(window).questions == [Self.question(2)])
    habits.expect([Self.question(1)], of: window.frame)
    habits.forget(program: window.frame.program)
    #expect(habits.take(window).questions.isEmpty)
    for number in 0..<1_000 { habits.expect([], of: Self.reading(number).frame) }
    habits.expect([Self.question(3)], of: window.frame)
    #expect(habits.take(window).questions == [Self.question(3)])
  }
}

@Suite("The thread of a bus", .realPrograms(by: .suite), .timeLimit(.minutes(5)))
struct BusThreadTests {
  private final class Count: Sendable {
    let value = Mutex(0)
  }

  @Test("Jobs that hand over jobs and those from other threads are all run, each once")
  func jobs() async {
    let thread = BusThread()
    let count = Count()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          await withCheckedContinuation { continuation in
            // Each hands over the next, as questions and answers do.
            @Sendable func run(_ left: Int) {
              thread.run {
                count.value.withLock { $0 += 1 }
                if left > 1 { run(left - 1) } else { continuation.resume() }
              }
            }
            run(1_000)
          }
        }
      }
    }
    #expect(count.value.withLock { $0 } == 8_000)
    thread.stop()
  }

  @Test("A job that comes from elsewhere while the thread rests is run, each time")
  func resting() async {
    let thread = BusThread()
    for _ in 0..<2_000 {
      await withCheckedContinuation { continuation in thread.run { continuation.resume() } }
    }
    thread.stop()
  }

  @Test("Jobs that never end hold up no moment")
  func endless() async {
    let thread = BusThread()
    let hasCome = Count()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      @Sendable func goOn() {
        thread.run {
          if hasCome.value.withLock({ $0 }) == 0 { goOn() } else { continuation.resume() }
        }
      }
      thread.run {
        thread.run(after: 1) { hasCome.value.withLock { $0 += 1 } }
        goOn()
      }
    }
    thread.stop()
  }

  @Test("A moment that was ended does not come")
  func ended() async {
    let thread = BusThread()
    let came = Count()
    await withCheckedContinuation { continuation in
      thread.run {
        let first = thread.run(after: 20) { came.value.withLock { $0 += 1 } }
        thread.run(after: 40) {
          // What a moment hands over comes, though nobody else wakes the thread for it.
          thread.run { continuation.resume() }
        }
        first.end()
      }
    }
    #expect(came.value.withLock { $0 } == 0)
    thread.stop()
  }
}

@Suite("Silence on a line to a program")
struct SilenceTests {
  /// A way to a program on which everything is answered, or nothing.
  private final class Way: BusCallChannel {
    private let answers: Bool
    private let thread: BusThread
    private let state = Mutex<(isClosed: Bool, waiting: [@Sendable (BusCallOutcome) -> Void])>(
      (false, []))

    init(answers: Bool, on thread: BusThread) {
      self.answers = answers
      self.thread = thread
    }

    var isClosed: Bool { state.withLock { $0.isClosed } }

    func ask(
      _ destination: String, _ call: BusCall, limit: Int,
      _ done: @escaping @Sendable (BusCallOutcome) -> Void
    ) {
      if answers {
        thread.run { done(.values([.string("there")])) }
      } else {
        state.withLock { $0.waiting.append(done) }
      }
    }

    func close() {
      let waiting = state.withLock { state in
        defer { state = (true, []) }
        return state.waiting
      }
      for done in waiting { done(.silence) }
    }
  }

  @Test(
    "A line on which nothing comes is closed when the program answers elsewhere, and only then",
    arguments: [true, false])
  func witness(isHeardElsewhere: Bool) async {
    let thread = BusThread()
    defer { thread.stop() }
    let line = Way(answers: false, on: thread)
    let bus = Way(answers: isHeardElsewhere, on: thread)
    let question = ElementID(program: ":1.5", path: "/1").name
    let answers = await withCheckedContinuation { continuation in
      thread.run {
        BusCallBatch.ask(
          line, beside: bus, [question], limit: 10, on: thread, hearing: BusHearing()
        ) {
          continuation.resume(returning: $0)
        }
      }
    }
    #expect(answers == [.silence] && line.isClosed == isHeardElsewhere && !bus.isClosed)
  }
}
