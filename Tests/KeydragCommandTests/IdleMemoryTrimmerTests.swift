import Foundation
import Synchronization
import Testing
import ToldDesktop

@testable import keydrag

@Suite("What the agent keeps in memory while nobody uses it")
struct IdleMemoryTrimmerTests {
  @Test("Memory is given back after a rest, not while something is carried")
  func rests() async {
    let (rests, told) = AsyncStream.makeStream(of: Void.self)
    let count = Mutex(0)
    let clock = ToldClock()
    let memory = IdleMemoryTrimmer(
      after: .seconds(5),
      giveBack: {
        count.withLock { $0 += 1 }
        told.yield()
      }, clock: clock)
    await clock.sleeper()
    clock.advance(by: .seconds(4))
    // What began before it is no rest any more.
    memory.follow(.carrying)
    memory.follow(.confirming)
    clock.advance(by: .seconds(60))
    memory.follow(.browsing)
    await clock.sleeper()
    clock.advance(by: .seconds(4))
    #expect(count.withLock { $0 } == 0)
    clock.advance(by: .seconds(1))
    for await _ in rests { break }
    #expect(count.withLock { $0 } == 1)
    memory.follow(.carrying)
    memory.follow(.browsing)
    await clock.sleeper()
    clock.advance(by: .seconds(5))
    for await _ in rests { break }
    #expect(count.withLock { $0 } == 2)
  }

  @Test("Code that nobody runs leaves memory, and runs all the same when it is called")
  func code() async {
    // In a process of its own: other tests run all the time in this one.
    await #expect(processExitsWith: .success) {
      // Enough of this program has run by now.
      let before = try IdleMemoryTrimmerTests.codeInMemory()
      IdleMemoryTrimmer.giveBack()
      let after = try IdleMemoryTrimmerTests.codeInMemory()
      #expect(after < before * 3 / 4, "\(before) kB, then \(after)")
      #expect(JSONSerialization.isValidJSONObject(["a": 1]))
    }
  }

  /// How much of its own code this process has in memory, in kB.
  private static func codeInMemory() throws -> Int {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let maps = FileManager.default.contents(atPath: "/proc/self/smaps") ?? Data()
    var isCode = false
    var sum = 0
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
      if line.hasSuffix(program) { isCode = line.contains(" r-xp ") }
      if isCode, line.hasPrefix("Rss:") {
        sum += line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        isCode = false
      }
    }
    return sum
  }
}
