import Foundation
import KeyDragCore
import Testing

@testable import KeyDragFiles

@Suite("The end of a watch on a folder")
struct WatchEndTests {
  /// Whether this process watches a folder, as the kernel tells it (proc(5), fdinfo).
  private func isWatched(_ path: String) throws -> Bool {
    var status = stat()
    try #require(stat(path, &status) == 0)
    let folder = " ino:\(String(status.st_ino, radix: 16)) "
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").contains {
      let facts = try? String(contentsOfFile: "/proc/self/fdinfo/\($0)", encoding: .utf8)
      return facts?.contains("inotify wd:") == true && facts?.contains(folder) == true
    }
  }

  @Test("Who lists a folder and is let go of leaves no watch behind")
  func letGo() async throws {
    let scratch = try Scratch()
    let path = scratch.path.string
    do {
      let lister = FolderLister(registry: PlaceRegistry(roots: RootPaths.roots([scratch.path])))
      await withCheckedContinuation { continuation in
        lister.list(0, as: .browsed, includingHidden: false) { event in
          if case .listed = event { continuation.resume() }
        }
      }
      #expect(try isWatched(path))
      withExtendedLifetime(lister) {}
    }
    for _ in 0..<10_000 where try isWatched(path) { await Task.yield() }
    #expect(try !isWatched(path))
  }
}
