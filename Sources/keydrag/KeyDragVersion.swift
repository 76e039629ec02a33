/// The version, which the package, the manual pages and the menu entry take from the program.
enum KeyDragVersion {
  static let current = "0.1.0"
}
