import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// A real folder to which items without files of their own are written.
///
/// A contact becomes a .vcf, an event an .ics, text a .txt: the item's best form whose files have a
/// usual ending. Nothing is replaced, and what can't be finished leaves nothing behind.
package struct ItemFolder: ItemWriting {
  private let path: FilePath
  private let types: any ContentTypes

  package init(_ path: FilePath, types: any ContentTypes) {
    self.path = path
    self.types = types
  }

  package func refusal() -> Reason? {
    do {
      return try OpenFolder(path).refusesChanges().map(Reason.init(code:))
    } catch {
      return Reason(error)
    }
  }

  package func plan(for provider: ItemProvider) -> ItemFile? {
    // A folder is everyone's, and so is what lies in it.
    let offered = provider.typesForEveryone
    guard let type = offered.first(where: { types.fileExtension(for: $0) != nil }) ?? offered.first
    else { return nil }
    let ending = ending(of: type)
    let name = ItemName.file(
      for: provider.suggestedName, ending: ending,
      others: offered.filter { $0 != type }.map(ending(of:)), fallback: types.name(of: type))
    return ItemFile(contentType: type, name: name, ending: ending)
  }

  private func ending(of type: String) -> String {
    types.fileExtension(for: type).map { ".\($0)" } ?? ""
  }

  package func write(
    _ file: ItemFile, from provider: ItemProvider, progress: LoadProgress
  ) async throws -> String {
    let chunks = try provider.chunks(of: file.contentType, progress: progress)
    do {
      let part = try await Disk.run { [path] in try PartFile(in: OpenFolder(path)) }
      for try await piece in chunks { try await Disk.run { try part.append(piece) } }
      // Until here a cancel undoes everything; from here on the file is there.
      try Task.checkCancellation()
      let name = try await Disk.run { try part.finish(as: FileName(file.name)) }
      return SpokenName.clean(name.bytes)
    } catch let error where error is Reason || error is Errno {
      throw Reason(error)
    }
  }
}

/// A file on its way, under a hidden name until it is whole; removed when its owner lets go of it
/// before that.
private final class PartFile: Sendable {
  private let folder: OpenFolder
  private let hidden = FileName(".keydrag-\(RandomName.hexadecimal(16)).part")
  private let file: OwnedDescriptor
  private let isFinished = Atomic(false)

  init(in folder: OpenFolder) throws {
    self.folder = folder
    // The person's umask applies, as to any new file.
    file = try FileCalls.open(
      folder.raw, hidden, flags: O_CREAT | O_EXCL | O_WRONLY | O_APPEND, mode: 0o666)
  }

  deinit { if !isFinished.load(ordering: .relaxed) { try? FileCalls.unlink(folder.raw, hidden) } }

  func append(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      done += try bytes[done...].withUnsafeBytes { rest in
        try FileCalls.checked { Glibc.write(file.raw, rest.baseAddress, rest.count) }
      }
    }
  }

  /// Makes it last, and gives it the wished name or the next that nobody uses.
  func finish(as wished: FileName) throws -> FileName {
    try FileCalls.flush(file.raw)
    var number = 0
    var name = nextName(wished, &number)
    while try !take(name) { name = nextName(wished, &number) }
    isFinished.store(true, ordering: .relaxed)
    // A folder that may not be read can't be flushed; the file itself is on the device.
    try? folder.flush()
    return name
  }

  private func nextName(_ wished: FileName, _ number: inout Int) -> FileName {
    let folder = folder.raw
    return FreeName.choose(wished, after: &number) { FileCalls.exists(folder, $0) }
  }

  /// Whether the name was still free.
  private func take(_ name: FileName) throws -> Bool {
    do {
      try FileCalls.rename(folder.raw, hidden, to: folder.raw, name)
      return true
    } catch Errno.fileExists {
      return false
    }
  }
}
