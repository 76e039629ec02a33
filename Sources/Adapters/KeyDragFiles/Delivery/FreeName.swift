import SystemPackage

/// Chooses names that keep both: `notes.txt` becomes `notes (2).txt`, a folder `v1.2` becomes `v1.2
/// (2)`. Pure: the caller decides which names are taken.
enum FreeName {
  /// The wished name with a number from 2 on before its extension.
  ///
  /// Truncates the stem between UTF-8 sequences. The extension follows the last dot, and includes a
  /// preceding `.tar`. One that leaves no room for a stem is given up, and the number stands at the
  /// end.
  ///
  /// - Parameter longest: in bytes.
  static func numbered(
    _ name: FileName, _ number: Int, isFolder: Bool = false, longest: Int = FileName.longest
  ) -> FileName {
    let bytes = Array(name.bytes)
    var split = isFolder ? bytes.count : extensionStart(of: bytes)
    let mark = Array(" (\(number))".utf8)
    if bytes.count - split + mark.count >= longest { split = bytes.count }
    // At least one byte of the stem is left.
    let room = longest - mark.count - (bytes.count - split)
    var stem = bytes[..<split]
    if stem.count > room {
      // A sequence has three continuation bytes at the most, RFC 3629.
      let end = (max(room - 3, 0)...room).last { bytes[$0] & 0b1100_0000 != 0b1000_0000 }
      stem = bytes[..<(end ?? room)]
    }
    return FileName(bytes: stem + mark + bytes[split...])
  }

  /// The first name that is not taken, starting with the wished one. Loops forever if all are.
  ///
  /// - Parameter number: the last number tried, updated to the one chosen.
  static func choose(
    _ name: FileName, after number: inout Int, isFolder: Bool = false,
    longest: Int = FileName.longest, isTaken: (FileName) -> Bool
  ) -> FileName {
    if number == 0 {
      number = 1
      if !isTaken(name) { return name }
    }
    while true {
      number += 1
      let candidate = numbered(name, number, isFolder: isFolder, longest: longest)
      if !isTaken(candidate) { return candidate }
    }
  }

  /// Start of the extension. A leading dot starts none.
  private static func extensionStart(of bytes: [UInt8]) -> Int {
    let dot = UInt8(ascii: ".")
    guard let last = bytes.lastIndex(of: dot), last > 0, last < bytes.count - 1,
      bytes[..<last].contains(where: { $0 != dot }),
      // "Mr. Smith" has a dot, but no extension.
      !bytes[last...].contains(UInt8(ascii: " "))
    else { return bytes.count }
    let stem = bytes[..<last]
    let archive = Array(".tar".utf8)
    return stem.count > archive.count && stem.suffix(archive.count).elementsEqual(archive)
      ? last - archive.count : last
  }
}
