extension Phrasebook {
  /// "notes.txt, text document, 4 kilobytes. Changed 2026-11-21 21:31. Path: …"
  func factsText(_ facts: ItemFacts) -> String {
    let size = facts.bytes.map(self.size) ?? facts.count.map { items($0) } ?? ""
    let type = facts.typeName.isEmpty ? kindWord(facts.kind) : facts.typeName
    return join(
      closed(list([isBrief ? "" : type, size])),
      // A detail of a file: what a symbolic link leads to. %1$@ is that.
      facts.target.map { phrase("Leads to %1$@.", $0) } ?? "",
      // A detail of a file. %1$@ is a day and a time, such as "2026-11-21 21:31".
      phrase("Changed %1$@.", facts.changed),
      // A detail of a file: the folders that it is in, from the outermost. %1$@ is a path, or for a
      // voice the names of the folders with commas between them.
      phrase("Path: %1$@.", path(of: facts)))
  }

  /// Size and date as columns of a table, equally wide in every row.
  func columns(_ facts: RowFacts) -> String {
    let size = facts.bytes.map(shortSize) ?? ""
    return String(repeating: " ", count: max(8 - size.count, 0)) + size + "  " + facts.changed
  }

  /// With unit symbols, which are the same in every language.
  private func shortSize(_ bytes: Int64) -> String {
    let (unit, whole, tenths) = scaled(bytes)
    let text = unit > 0 && tenths < 100 ? catalogue.decimal(tenths: tenths) : number(whole)
    return text + " " + ["B", "kB", "MB", "GB", "TB"][unit]
  }

  /// Slashes are for the eye: a voice reads the folder names one after the other.
  private func path(of facts: ItemFacts) -> String {
    isSpoken
      ? list(facts.path + [facts.name]) : "/" + (facts.path + [facts.name]).joined(separator: "/")
  }
}
