import Glibc
import SystemPackage

/// Mount points from `/proc/self/mountinfo` (proc(5)).
enum Mounts {
  private static let most = 10_000

  /// All mount points.
  static var all: [FilePath] {
    get throws(Errno) { try points(with: [" /"], most: most) }
  }

  /// The mount point that a path lies below, by its text: to follow the links on its way could block.
  /// `nil` if that can't be known.
  static func point(above path: FilePath) -> FilePath? {
    (try? all)?.filter { path.starts(with: $0) }.max { $0.components.count < $1.components.count }
  }

  /// Whether something is mounted on a folder, or below it. May block: links on the way are
  /// followed. Throws where that can't be known.
  static func areIn(_ folder: FilePath, of points: [FilePath]) throws(Errno) -> Bool {
    guard let folder = folder.resolvingParentLinks else { throw Errno(rawValue: errno) }
    return points.contains { $0.starts(with: folder) }
  }

  /// Mount points of the lines that contain one of the marks.
  ///
  /// - Parameter most: limit on matching lines.
  static func points(
    in table: FilePath = "/proc/self/mountinfo", with marks: [String], most: Int
  ) throws(Errno) -> [FilePath] {
    try FileCalls.lines(of: table, with: marks, most: most).compactMap { line in
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
