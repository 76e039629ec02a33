/// Where catalogues may lie.
enum CatalogueFolders {
  static let built = BuiltCatalogues.folder
}
