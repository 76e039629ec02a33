/// A folder that items without files of their own can be written to.
///
/// The app passes an adapter's folder to a drop point; neither knows the other.
public protocol ItemWriting: Sendable {
  /// Why nothing can be written there now; `nil` when it can. A single check of the folder.
  func refusal() -> Reason?

  /// The file that an item would become; `nil` when none of its forms makes a file.
  func plan(for provider: ItemProvider) -> ItemFile?

  /// Writes an item during a drop, under an unused name, and returns that name.
  ///
  /// An incomplete or cancelled item leaves nothing behind.
  ///
  /// - Throws: a ``Reason``, or `CancellationError`.
  func write(
    _ file: ItemFile, from provider: ItemProvider, progress: LoadProgress
  ) async throws -> String
}

/// A file that an item becomes.
public struct ItemFile: Hashable, Sendable {
  /// The content type of the form to write.
  public var contentType: String
  /// The preferred name, without a path and safe to use; an existing file is never replaced.
  public var name: String
  /// The file extension (".vcf"); empty if there is none.
  public var ending: String

  /// A file to be written.
  ///
  /// - Parameter ending: with its dot; empty if there is none.
  public init(contentType: String, name: String, ending: String) {
    self.contentType = contentType
    self.name = name
    self.ending = ending
  }
}

extension ItemFile {
  /// The name of the written file if it is worth announcing; `nil` if it was expected.
  ///
  /// - Parameter count: the number of items dropped together; the name of a single one is announced
  ///   unless it is the item's.
  package func news(of name: String, for item: String, among count: Int) -> String? {
    (count > 1 && name == self.name) || name == item ? nil : name
  }
}

extension Prediction {
  /// The files that items become: the file name of a single one if it differs from the item's,
  /// otherwise counts such as "3 .vcf files", in carrying order. Files without an extension are
  /// left out of the counts.
  package static func becoming(_ files: [ItemFile], from names: [String]) -> Prediction? {
    if files.count == 1 {
      return names.contains(files[0].name) ? nil : .becomes(files[0].name)
    }
    var counts: [FileCount] = []
    for file in files where !file.ending.isEmpty {
      if let index = counts.firstIndex(where: { $0.ending == file.ending }) {
        counts[index].count += 1
      } else {
        counts.append(FileCount(ending: file.ending, count: 1))
      }
    }
    return counts.isEmpty ? nil : .becomesFiles(counts)
  }
}
