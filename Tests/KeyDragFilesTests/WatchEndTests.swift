import Foundation
import KeyDragCore
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
