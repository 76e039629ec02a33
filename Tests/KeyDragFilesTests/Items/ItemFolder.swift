import KeyDragCore
import SystemPackage

@testable import KeyDragFiles

/// A folder that items without files of their own are written to.
///
/// A contact becomes a .vcf, an event an .ics, text a .txt: the best representation whose type has
/// a file extension. Nothing is replaced, and failed writes leave nothing behind.
///
/// Not journaled, unlike ``ItemRun``.
struct ItemFolder: ItemWriting {
  private let path: FilePath
  private let types: any ContentTypes

  init(_ path: FilePath, types: any ContentTypes) {
    self.path = path
    self.types = types
  }

  /// Why nothing can be written here now; may block.
  func refusal() -> Reason? {
    do {
      return try OpenFolder(path).refusesChanges()
    } catch {
      return Reason(error)
    }
  }

  /// `nil` if no representation may leave the app.
  func plan(for provider: ItemProvider) -> ItemFile? {
    ItemFile(for: provider, types)
  }

  /// Returns the final name, safe to speak. Leaves no file on an error or cancellation.
  func write(
    _ file: ItemFile, from provider: ItemProvider, progress: LoadProgress
  ) async throws -> String {
    let chunks = try provider.chunks(of: file.contentType, progress: progress)
    do {
      let part = try await Disk.run { [path] in try PartFile(in: OpenFolder(path)) }
      let count = try await part.fill(chunks)
      let name = try await Disk.run { try part.finish(as: FileName(file.name), count: count) }
      return SpokenName.file(name.bytes)
    } catch let error where error is Reason || error is Errno {
      throw Reason(error)
    }
  }
}
