/// Names that listings hide, and the form of our temporary names. As bytes, because names need not
/// be text.
enum NameFilter {
  private static let prefix = ".keydrag-"
  private static let ending = ".part"

  /// A hidden name for a partial or set-aside file, left out of every listing.
  ///
  /// - Parameter middle: at most 240 bytes; no slash and no NUL.
  static func temporary(_ middle: String) -> FileName { FileName(prefix + middle + ending) }

  static func isTemporary(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    isHidden(name) && name.starts(with: prefix.utf8)
      && name.suffix(ending.utf8.count).elementsEqual(ending.utf8)
  }

  static func isHidden(_ name: some Collection<UInt8>) -> Bool {
    name.first == UInt8(ascii: ".")
  }

  /// Matches "." and "..".
  static func isSelfOrParent(_ name: some Collection<UInt8>) -> Bool {
    isHidden(name) && name.count <= 2 && name.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}

extension FileName {
  /// Whether it is neither "." nor "..".
  var isRegular: Bool { !NameFilter.isSelfOrParent(bytes) }
}
