import KeyDragCore

/// Items without files of their own, for a folder's drop rules. ``FolderRules`` covers items with
/// files.
struct WrittenItems: Sendable {
  var items: [DragItem]
  /// The file that each item becomes; `nil` if it can't become one.
  var files: [ItemFile?]
  /// Raw names of items that may clash with existing names.
  var names: [[UInt8]] = []

  /// Refused with the first reason that applies to all items. Offers copy only.
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

  /// Total of the known sizes, which another program may invent: negative ones count as 0, and the
  /// sum saturates.
  private var needed: Int64 {
    items.reduce(0) { sum, item in
      let (next, isTooMuch) = sum.addingReportingOverflow(max(item.byteCount ?? 0, 0))
      return isTooMuch ? .max : next
    }
  }
}
