import KeyDragCore

extension Phrasebook {
  /// A guess at what was meant; empty without one.
  package func guess(_ word: String?) -> String {
    // After "There is no … of this name". %1$@ is the name that was probably meant.
    word.map { phrase("Did you mean %1$@?", $0) } ?? ""
  }
}
