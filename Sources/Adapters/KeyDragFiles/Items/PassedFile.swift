import CLinux
import Glibc
import KeyDragCore
import KeyDragThreads
import SystemPackage

/// A file or folder that another program passes as an open descriptor when its turn comes: opened
/// with that program's rights, never by path.
struct PassedFile: Sendable {
  let source: DragSourceID
  let name: FileName
  private let loading: any ItemLoading

  /// `nil` for anything but another program's file.
  init?(_ source: DragSourceID, from loading: any ItemLoading) {
    guard let name = loading.fileName(of: source) else { return nil }
    self.source = source
    self.name = FileName(bytes: name)
    self.loading = loading
  }

  /// Blocks until the program passes the descriptor, which has a timeout on its side. The
  /// descriptor is the item itself, under an empty name.
  func open() throws -> OpenFolder {
    let answer = BlockingResult<Result<CInt, any Error>>()
    Task { [source, loading] in
      do { answer.give(.success(try await loading.openFile(source))) } catch {
        answer.give(.failure(error))
      }
    }
    guard let result = answer.value(until: .distantFuture) else { throw Reason.notResponding }
    return try OpenFolder(handed: OwnedDescriptor(owning: try result.get()))
  }
}
