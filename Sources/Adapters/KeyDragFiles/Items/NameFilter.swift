/// Which names a listing leaves out, and the form of those that are our own.
///
/// Bytes, because names need not be text.
enum NameFilter {
  private static let prefix = ".keydrag-"
  private static let ending = ".part"

  /// A hidden name for what is half delivered or put aside: every listing leaves it out.
  ///
  /// - Parameter middle: at most 240 bytes; no slash and no zero.
  static func temporary(_ middle: String) -> FileName { FileName(prefix + middle + ending) }

  /// Whether a name has the form of ``temporary(_:)``.
  static func isTemporary(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    isHidden(name) && name.starts(with: prefix.utf8)
      && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  /// Whether it begins with a dot.
  static func isHidden(_ name: some Collection<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".")
  }

  /// Whether it is "." or "..".
  static func isSelfOrParent(_ name: some Collection<UInt8>) -> Bool {
    isHidden(name) && name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}
