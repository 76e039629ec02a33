import KeyDragCore

extension ItemFile {
  /// The best representation whose type has a file extension, otherwise the best. `nil` if no
  /// representation may leave the app.
  init?(for provider: ItemProvider, _ types: any ContentTypes) {
    // A folder is public, and so is everything in it.
    let offered = provider.typesForEveryone
    guard let type = offered.first(where: { types.fileExtension(for: $0) != nil }) ?? offered.first
    else { return nil }
    func ending(of type: String) -> String { types.fileExtension(for: type).map { ".\($0)" } ?? "" }
    let name = ItemName.file(
      for: provider.suggestedName, ending: ending(of: type),
      others: offered.filter { $0 != type }.map(ending(of:)), fallback: types.name(of: type))
    self.init(contentType: type, name: name, ending: ending(of: type))
  }
}
