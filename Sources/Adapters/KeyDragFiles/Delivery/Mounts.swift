import SystemPackage

/// Mount points from `/proc/self/mountinfo` (proc(5)).
enum Mounts {
  private static let most = 10_000

  /// Whether anything is mounted at or below a folder. Resolves links in the path, which may block.
  static func areIn(_ folder: FilePath) -> Bool {
    guard let folder = folder.withoutLinksBefore else { return false }
    // The table escapes spaces and a few other characters.
    let mark = folder.string.allSatisfy { $0.isASCII && $0 > " " && $0 != "\\" }
    let marks = [mark ? " \(folder.string)" : " /"]
    return points(with: marks, most: most).contains { $0.starts(with: folder) }
  }

  /// Mount points of the lines that contain one of the marks.
  ///
  /// - Parameter most: limit on matching lines.
  static func points(
    in table: FilePath = "/proc/self/mountinfo", with marks: [String], most: Int
  ) -> [FilePath] {
    FileCalls.lines(of: table, with: marks, most: most).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count > 5 else { return nil }
      return FilePath("/").appending(bytes: unescaped(fields[4].dropFirst()))
    }
  }

  /// Decodes the octal escapes of spaces, tabs, newlines and backslashes.
  private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = field
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8), value > 0
      {
        result.append(value)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
      }
    }
    return result
  }
}
