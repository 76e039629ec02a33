import KeyDragCore

extension FolderDropPrecheck {
  /// Within one folder things are moved, as by its own program; all else is copied.
  var usual: DragOperation? { isBeside ? .move : nil }

  /// A program's answer, with what is to be heard before a drop: that names exist there, about which the
  /// program asks by itself. In a folder that was found a drop can be taken back, whatever the program
  /// can.
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
