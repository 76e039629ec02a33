extension Recipe {
  static var browsers: [Recipe] { [] }
  static var documents: [Recipe] { [] }
  static var media: [Recipe] { [] }
  static var liars: [Recipe] { [] }
}
