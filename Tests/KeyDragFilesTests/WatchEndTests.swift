import Foundation
import KeyDragCore
import KeyDragThreads
import Testing

@testable import KeyDragFiles

@Suite("The end of a watch on a folder")
struct WatchEndTests {
  /// The descriptors by which this process watches a folder.
  private func watches(on path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")
      .filter { try isWatch($0, on: path) }
  }

  /// Whether a descriptor watches a folder, as the kernel tells it (proc(5), fdinfo).
  private func isWatch(_ descriptor: String, on path: String) throws -> Bool {
    var status = stat()
    try #require(stat(path, &status) == 0)
    let folder = " ino:\(String(status.st_ino, radix: 16)) "
    let facts = try? String(contentsOfFile: "/proc/self/fdinfo/" + descriptor, encoding: .utf8)
    return facts?.contains("inotify wd:") == true && facts?.contains(folder) == true
  }

  @Test("T13 A signal is not taken for silence in a folder that is waited for")
  func interrupted() async throws {
    let scratch = try Scratch()
    var waiting = FolderWait([scratch.path])
    // Others that run beside this one may have all watches that a person is given.
    while waiting.descriptor < 0 {
      await Task.yield()
      waiting = FolderWait([scratch.path])
    }
    let (threads, thread) = AsyncStream<pthread_t>.makeStream()
    let (ends, end) = AsyncStream<Bool>.makeStream()
    signal(SIGURG) { _ in }
    nonisolated(unsafe) let wait = waiting
    #expect(
      BackgroundThread.start {
        var signals = sigset_t()
        sigaddset(&signals, SIGURG)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        thread.yield(pthread_self())
        end.yield(wait.wait(milliseconds: .max))
      })
    let waiter = try #require(await threads.first { _ in true })
    // One of them at least comes while it sleeps.
    for _ in 0..<1_000 {
      pthread_kill(waiter, SIGURG)
      sched_yield()
    }
    try (scratch.path / "new").write("new")
    #expect(await ends.first { _ in true } == true)
  }

  @Test("Who lists a folder and is let go of leaves no watch behind")
  func letGo() async throws {
    let scratch = try Scratch()
    let path = scratch.path.string
    let watch: String
    do {
      let lister = FolderLister(registry: PlaceRegistry(roots: RootPaths.roots([scratch.path])))
      await withCheckedContinuation { continuation in
        lister.list(0, as: .browsed, includingHidden: false) { event in
          if case .listed = event { continuation.resume() }
        }
      }
      watch = try #require(try watches(on: path).first)
      withExtendedLifetime(lister) {}
    }
    // Of all descriptors, of which the tests beside it have many, only this one is looked at again.
    var looks = 0
    while try isWatch(watch, on: path), looks < 10_000 {
      looks += 1
      await Task.yield()
    }
    #expect(try watches(on: path).isEmpty)
  }
}
