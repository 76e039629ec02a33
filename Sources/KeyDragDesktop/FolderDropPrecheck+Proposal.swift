import KeyDragCore

extension FolderDropPrecheck {
  /// Within one folder items are moved, as its own program would; anything else is copied.
  var usual: DragOperation? { isBeside ? .move : nil }

  /// Adds to a program's answer the names that exist there, about which the program asks by itself.
  /// A drop into a folder that was found can be undone, whatever the program can.
  func told(with proposal: DropProposal) -> DropProposal {
    guard !proposal.isRefusal else { return proposal }
    var proposal = proposal
    if isFound {
      proposal.predictions = proposal.predictions.compactMap { prediction in
        guard case .inProgram(let isPasted, _) = prediction else { return prediction }
        return isPasted ? .inProgram(isPasted: true, undo: .certain) : nil
      }
    }
    guard !existing.isEmpty else { return proposal }
    proposal.predictions.insert(.nameClash(existing), at: 0)
    proposal.asksItself = true
    return proposal
  }
}
