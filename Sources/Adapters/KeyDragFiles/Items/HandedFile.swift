import CLinux
import Glibc
import KeyDragCore
import KeyDragThreads
import SystemPackage

/// A file or folder that another program hands over open, when its turn has come: it is opened with
/// that program's rights, and never by a path.
struct HandedFile: Hashable, Sendable {
  let source: DragSourceID
  /// Its name there.
  let name: FileName
  private let loading: any ItemLoading

  /// `nil` for what is no file of another program.
  init?(_ source: DragSourceID, from loading: any ItemLoading) {
    guard let name = loading.fileName(of: source) else { return nil }
    self.source = source
    self.name = FileName(bytes: name)
    self.loading = loading
  }

  /// Waits until it is handed over, which its program has a bounded time for. What is open is the
  /// thing itself, under an empty name in it.
  func open() throws -> OpenFolder {
    let answer = LateAnswer<Result<CInt, any Error>>()
    Task { [source, loading] in
      do { answer.give(.success(try await loading.openFile(source))) } catch {
        answer.give(.failure(error))
      }
    }
    guard let result = answer.value(until: .distantFuture) else { throw Reason.notResponding }
    return try OpenFolder(handed: OwnedDescriptor(owning: try result.get()))
  }

  static func == (one: Self, other: Self) -> Bool {
    one.source == other.source && one.name == other.name
  }

  func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
