/// A folder that items without files of their own can be written to.
///
/// Whoever composes a program gives an adapter's folder to a drop point; neither knows the other.
public protocol ItemWriting: Sendable {
  /// Why nothing can be written there now; `nil` when it can. One look at the folder, no more.
  func refusal() -> Reason?

  /// How an item would be written; `nil` when none of its forms makes a file.
  func plan(for provider: ItemProvider) -> ItemFile?

  /// Writes an item inside a drop, under an unused name, and returns that name.
  ///
  /// An item that can't be finished, or is cancelled, leaves nothing behind.
  ///
  /// - Throws: a ``Reason``, or `CancellationError`.
  func write(
    _ file: ItemFile, from provider: ItemProvider, progress: LoadProgress
  ) async throws -> String
}

/// A file that an item becomes.
public struct ItemFile: Hashable, Sendable {
  /// The form that is written.
  public var contentType: String
  /// The wished name, without a path and safe to use; an existing one is never replaced.
  public var name: String
  /// The ending of the name (".vcf"); empty where nothing is usual.
  public var ending: String

  /// A file that is to be written.
  ///
  /// - Parameter ending: with its dot; empty where nothing is usual.
  public init(contentType: String, name: String, ending: String) {
    self.contentType = contentType
    self.name = name
    self.ending = ending
  }
}

extension ItemFile {
  /// The news of the name that a file got; `nil` where it is the one that was expected.
  ///
  /// - Parameter count: how many items were dropped together; what one alone became is always told.
  package func news(of name: String, for item: String, among count: Int) -> String? {
    (count > 1 && name == self.name) || name == item ? nil : name
  }
}

extension Prediction {
  /// The files that items become: a file's name where there is one and the item is called
  /// otherwise; else "3 .vcf files", in the order in which they are carried. A file without an
  /// ending is left out.
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
