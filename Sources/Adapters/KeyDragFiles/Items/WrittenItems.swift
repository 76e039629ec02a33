import KeyDragCore

/// Items that have no files of their own, as a folder is asked about them.
///
/// The half of the rules that needs no file of the items: ``FolderRules`` is for those with files.
struct WrittenItems: Sendable {
  var items: [DragItem]
  /// The file that each would become; `nil` for one that can't become any.
  var files: [ItemFile?]
  /// The names of those that may meet others of their name there, in their own bytes.
  var names: [[UInt8]] = []

  /// The verdict of a folder, by the first reason that refuses all. Only copies are offered.
  func proposal(at target: TargetFacts) -> DropProposal {
    if let reason = target.refusal { return .refused(reason) }
    let missing = files.indices.filter { files[$0] == nil }
    guard missing.count < items.count else { return .refused(.wrongType) }
    if let free = target.freeBytes, needed > free { return .refused(.noSpace) }
    let prediction = Prediction.becoming(files.compactMap(\.self), from: items.map(\.name))
    return DropProposal(
      missing.isEmpty
        ? .all : .some(refused: Dictionary(uniqueKeysWithValues: missing.map { ($0, .wrongType) })),
      offers: .copy, predictions: prediction.map { [$0] } ?? [])
  }

  /// Bytes as far as they are known; another program may say anything.
  ///
  /// Negative lengths count as 0; a sum that is too large is the largest.
  private var needed: Int64 {
    items.reduce(0) { sum, item in
      let (next, isTooMuch) = sum.addingReportingOverflow(max(item.byteCount ?? 0, 0))
      return isTooMuch ? .max : next
    }
  }
}
