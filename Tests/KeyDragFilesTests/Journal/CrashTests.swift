import Foundation
import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragFiles

/// `KEYDRAG_CRASH_ROUNDS` sets how often a run is killed; `keydrag-faults` kills by the thousand.
private let rounds =
  ProcessInfo.processInfo.environment["KEYDRAG_CRASH_ROUNDS"].flatMap(Int.init) ?? 5

@Suite("A run that is killed", .serialized, .enabled(if: Bench.hasOtherFileSystem))
struct CrashTests {
  /// Everything that is moved, with its contents, below the folder it is moved from.
  private func fill(_ folder: FilePath) throws -> [String: String] {
    var all: [String: String] = [:]
    try (folder / "tree" / "inner").makeFolder()
    for number in 0..<300 {
      let path =
        number < 120
        ? "f\(number)" : number < 210 ? "tree/f\(number)" : "tree/inner/f\(number)"
      let text = String(repeating: "\(number) ", count: 20 + number % 700)
      try (folder / path).write(text)
      all[path] = text
    }
    return all
  }

  private func files(in folder: FilePath) throws -> [String: String] {
    var all: [String: String] = [:]
    let prefix = folder.string + "/"
    let walk = FileManager.default.enumerator(atPath: folder.string)
    for case let path as String in walk ?? .init() {
      if let text = FilePath(prefix + path).regularText { all[path] = text }
    }
    return all
  }

  @Test("A move between file systems, killed anywhere, leaves every file whole exactly once")
  func moves() async throws {
    var full = 400.0
    var kills = 0
    for round in 0..<rounds {
      let bench = try Bench()
      let other = try #require(bench.elsewhere)
      let (from, to) = round.isMultiple(of: 2) ? (bench.a, other) : (other, bench.b)
      let all = try fill(from)
      let sources = from.names.map { (from / $0).string }
      let begun = timespec.now.nanoseconds
      let run = try ProbeRun(
        ["move", bench.state.string, bench.home.string, to.string] + sources)
      let wasKilled = run.end(after: round == 0 ? 60_000 : Double.random(in: 0...(full * 1.1)))
      if wasKilled {
        kills += 1
      } else {
        // The first may have run beside much else: a later one is killed within what the last took.
        full = Double(timespec.now.nanoseconds - begun) / 1_000_000
      }
      let recovered = await bench.recover()
      let (left, arrived) = (try files(in: from), try files(in: to))
      #expect(Set(left.keys).isDisjoint(with: arrived.keys), "round \(round)")
      #expect(left.merging(arrived) { one, _ in one } == all, "round \(round)")
      #expect(!(from.names + to.names).contains { $0.hasSuffix(".part") }, "round \(round)")
      #expect(recovered.count <= 1)
      if let recovery = recovered.first {
        let expected: Recovery.Result =
          left.isEmpty ? .finished : arrived.isEmpty ? .rolledBack : .partly
        #expect(recovery.result == expected, "round \(round)")
      }
      #expect(await bench.recover().isEmpty)
      // What has arrived comes back in a later run, as after a quiet one.
      if !arrived.isEmpty, recovered.first?.result != .rolledBack {
        #expect(await bench.undo().isDone, "round \(round)")
        #expect(try files(in: from) == all, "round \(round)")
      }
    }
    #expect(kills > 0 || rounds < 4)
  }
}

extension FilePath {
  /// The contents of a plain file; `nil` for anything else.
  fileprivate var regularText: String? {
    (try? FileCalls.status(self))?.kind == .file ? text : nil
  }
}
