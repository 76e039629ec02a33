import Glibc
import KeyDragThreads
import Synchronization
import Testing

@Suite("The loop that everything waits in")
struct EventLoopTests {
  /// A pair of sockets that a loop waits for; what it reads is told.
  private final class Ear: EventSource {
    let mouth: Int32
    private let ear: Int32
    private let loop: EventLoop
    private let heard: AsyncStream<UInt8>.Continuation
    let bytes: AsyncStream<UInt8>

    init(on loop: EventLoop) throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      (mouth, ear) = (ends[0], ends[1])
      self.loop = loop
      (bytes, heard) = AsyncStream.makeStream()
    }

    deinit {
      close(mouth)
      close(ear)
    }

    func waits() -> EventWait {
      EventWait(descriptors: [pollfd(fd: ear, events: Int16(POLLIN), revents: 0)])
    }

    func ready(_ descriptors: [pollfd]) {
      loop.checkIsolated()
      guard descriptors.contains(where: { $0.fd == ear }) else { return }
      var byte: UInt8 = 0
      if read(ear, &byte, 1) == 1 { heard.yield(byte) }
    }

    func say(_ byte: UInt8) { _ = [byte].withUnsafeBytes { write(mouth, $0.baseAddress, 1) } }
  }

  private func started() throws -> EventLoop {
    let loop = try #require(EventLoop())
    try #require(loop.start())
    return loop
  }

  @Test("Work is done on its thread in the order in which it came, also what work hands over")
  func order() async throws {
    let loop = try started()
    let done = Mutex<[Int]>([])
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // The thread may be done with the first half before the other is handed over.
      @Sendable func note(_ number: Int) {
        let count = done.withLock { done in
          done.append(number)
          return done.count
        }
        if count == 1_001 { continuation.resume() }
      }
      for number in 0..<1_000 {
        loop.post {
          loop.checkIsolated()
          note(number)
          if number == 500 { loop.post { note(1_000) } }
        }
      }
    }
    let all = done.withLock { $0 }
    #expect(all.filter { $0 < 1_000 } == Array(0..<1_000))
    #expect(all.contains(1_000))
  }

  @Test("Its thread takes no signal from outside, and a crash of its own reaches who handles it")
  func signals() async throws {
    let loop = try started()
    let blocked = await withCheckedContinuation { (done: CheckedContinuation<Set<Int32>, Never>) in
      loop.post {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        done.resume(returning: Set((1...31).filter { sigismember(&mask, $0) == 1 }))
      }
    }
    // Those that the kernel never blocks are not in a mask.
    let faults: Set = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS]
    #expect(blocked == Set(1...31).subtracting(faults).subtracting([SIGKILL, SIGSTOP]))
  }

  @Test("An actor lives on it")
  func actors() async throws {
    actor Counter {
      let loop: EventLoop
      private var count = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
      init(_ loop: EventLoop) { self.loop = loop }
      func add() -> Int {
        loop.checkIsolated()
        count += 1
        return count
      }
    }
    let counter = Counter(try started())
    for number in 1...100 { #expect(await counter.add() == number) }
  }

  @Test("Each of its sources hears of its own descriptor, until it is detached")
  func sources() async throws {
    let loop = try started()
    let (first, second) = (try Ear(on: loop), try Ear(on: loop))
    loop.attach(first)
    loop.attach(second)
    for byte in [1, 2, 3] as [UInt8] {
      first.say(byte)
      second.say(byte + 10)
    }
    var (left, right) = (first.bytes.makeAsyncIterator(), second.bytes.makeAsyncIterator())
    for byte in [1, 2, 3] as [UInt8] {
      #expect(await left.next() == byte)
      #expect(await right.next() == byte + 10)
    }
    loop.detach(first)
    first.say(4)
    second.say(14)
    #expect(await right.next() == 14)
    // Attached again it finds what has come meanwhile, and nothing of it was read before.
    loop.attach(first)
    #expect(await left.next() == 4)
    loop.detach(first)
    loop.detach(second)
  }

  @Test("What is waited for is looked at after work, though no descriptor tells of it")
  func afterWork() async throws {
    let loop = try #require(EventLoop())
    let seen = Mutex<(wanted: Int, done: Int)>((0, 0))
    let (steps, step) = AsyncStream.makeStream(of: Int.self)
    try #require(
      BackgroundThread.start {
        loop.run(reading: -1, deadline: { nil }) {
          let number = seen.withLock { state -> Int? in
            guard state.wanted > state.done else { return nil }
            state.done = state.wanted
            return state.done
          }
          if let number { step.yield(number) }
          return true
        }
        step.finish()
      })
    var told = steps.makeAsyncIterator()
    for number in 1...200 {
      loop.post { seen.withLock { $0.wanted = number } }
      #expect(await told.next() == number)
    }
    loop.stop()
    #expect(await told.next() == nil)
  }

  @Test("A time that has come is told of without a descriptor")
  func deadline() async throws {
    let loop = try #require(EventLoop())
    let (times, time) = AsyncStream.makeStream(of: Milliseconds.self)
    let due = MonotonicClock.now + 30
    try #require(
      BackgroundThread.start {
        loop.run(reading: -1, deadline: { due }) {
          guard MonotonicClock.now >= due else { return true }
          time.yield(MonotonicClock.now)
          return false
        }
        time.finish()
      })
    var told = times.makeAsyncIterator()
    #expect(try #require(await told.next()) >= due)
    #expect(await told.next() == nil)
    #expect(!loop.post {})
  }

  @Test("Work from before the end is done, and none is taken after it")
  func end() async throws {
    let loop = try started()
    let count = Mutex(0)
    await withCheckedContinuation { continuation in
      for _ in 0..<100 { loop.post { count.withLock { $0 += 1 } } }
      loop.post { continuation.resume() }
      loop.stop()
    }
    #expect(count.withLock { $0 } == 100)
    #expect(!loop.post { count.withLock { $0 = -1 } })
    #expect(count.withLock { $0 } == 100)
  }

  @Test("Its thread ends when nobody holds it any more")
  func letGo() async throws {
    final class Witness: EventSource {
      private let end: AsyncStream<Void>.Continuation
      init(_ end: AsyncStream<Void>.Continuation) { self.end = end }
      deinit { end.finish() }
      func waits() -> EventWait { EventWait() }
      func ready(_ descriptors: [pollfd]) {}
    }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    do {
      let loop = try started()
      loop.attach(Witness(end))
    }
    for await _ in ends {}
  }
}
