import Foundation
import Testing
import Thorough

/// A slice of the campaign that CONTRIBUTING.md describes, in processes of its own: it waits for all of
/// its children, which would take them from other tests.
@Suite("The campaign of faults", .serialized, .timeLimit(.minutes(3)))
struct FaultsTests {
  /// Waits on a thread of its own: those of the tests are few.
  private func run(_ words: [String]) async throws -> (status: Int32, text: String) {
    try await withCheckedThrowingContinuation { done in
      Thread.detachNewThread { done.resume(with: Result { try Self.wait(for: words) }) }
    }
  }

  private static func wait(for words: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "keydrag-faults")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  @Test(
    "H19 Nothing is lost, torn or told wrong when a call fails, fails from then on, or is the last",
    arguments: Thorough.cases(
      ordinarily: 4,
      of: [
        ["--every", "797", "copy, replacing", "move to another disk", "trash"],
        ["--every", "211", "--kills", "move, replacing", "move to another disk"],
        // Somebody works on the same files, beside a move and beside the recovery of one.
        ["--no-calls", "--writers", "8", "move to another disk", "recovery across disks"],
        // Calls that do not return.
        ["--no-calls", "--stalls", "4", "move to another disk"],
        [
          "--every", "211", "--lasting", "--calls", "newfstatat", "undo from another disk",
          "recovery across disks",
        ],
        // A thread that can't be made, now or ever.
        ["--every", "4", "--seed", "3", "--lasting", "--calls", "clone3", "copy"],
        // A lock of the history that can't be let go.
        ["--every", "17", "--calls", "fcntl", "copy"],
        // Calls of the history, which is closed last, do not return.
        ["--no-calls", "--stalls", "3", "--calls", "pwrite64", "copy", "move, replacing"],
        // Somebody opens a file at the last moment, when it is about to be removed.
        ["--no-calls", "--writers", "24", "--calls", "unlinkat", "move to another disk"],
      ]))
  func slice(words: [String]) async throws { try await check(words) }

  @Test(
    "H14 Nothing is lost, torn or told wrong with disks mounted in the folders and on poor disks",
    .enabled("needs root") { geteuid() == 0 },
    arguments: Thorough.cases(
      ordinarily: 1,
      of: [
        ["--memory", "--every", "211", "move away, a disk inside", "trash, a folder bound inside"],
        ["--memory", "--every", "211", "undo of a copy, a disk inside", "trash, a disk over it"],
        [
          "--memory", "--no-calls", "--poor", "--every", "9", "copy to another disk",
          "undo from another disk",
        ],
      ]))
  func mounts(words: [String]) async throws { try await check(words) }

  private func check(_ words: [String]) async throws {
    // The tests beside it leave little of the machine.
    let (status, text) = try await run(["--patience", "60"] + words)
    // Where system calls can't be looked at, that is said.
    #expect(status == 0 || status == 69, "\(text)")
    #expect(status == 69 || text.contains("\nall  "), "\(text)")
  }
}
