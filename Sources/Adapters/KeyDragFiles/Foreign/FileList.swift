import Glibc
import KeyDragCore
import SystemPackage

/// Paths in the formats that other programs use. Only ``text(in:)`` reads the disk.
enum FileList {
  /// The path of a local `file:` URI (RFC 8089); `nil` for any other URI and for an escaped NUL.
  ///
  /// Other schemes and other computers are `nil`, as is an escaped zero.
  static func path(_ address: String) -> FilePath? {
    let scheme = "file:"
    guard address.lowercased().hasPrefix(scheme) else { return nil }
    var rest = Array(address.utf8.dropFirst(scheme.utf8.count))[...]
    // Without them there is no computer in it.
    if rest.starts(with: Array("//".utf8)) { rest = rest.dropFirst(2) }
    guard let start = rest.firstIndex(of: UInt8(ascii: "/")),
      start == rest.startIndex
        || ["localhost", computer].contains(
          String(decoding: rest[..<start], as: UTF8.self).lowercased())
    else { return nil }
    guard let bytes = PercentEncoding.decoded(rest[start...]), !bytes.contains(0) else {
      return nil
    }
    return FilePath("/").appending(bytes: Array(bytes.dropFirst()))
  }

  /// The name of this computer, in small letters.
  private static var computer: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .lowercased()
  }

  /// A URI list of RFC 2483 section 5: one URI per line, terminated by CR LF. Bytes that are not
  /// text are escaped, so that every path has a URI.
  static func uriList(_ paths: [FilePath]) -> [UInt8] {
    var bytes: [UInt8] = []
    for path in paths { bytes += Array("file://".utf8) + escaped(path.rawBytes) + [13, 10] }
    return bytes
  }

  /// Newline-separated paths, unescaped and without a trailing newline. A path that contains a
  /// newline reads as two.
  static func text(_ paths: [FilePath]) -> [UInt8] {
    Array(paths.map { $0.rawBytes }.joined(separator: [10]))
  }

  /// A short text file's contents: UTF-8 without NUL, from 12 bytes to 64 KiB, otherwise `nil`. May
  /// block.
  static func text(in file: FilePath) -> [UInt8]? {
    guard let stamp = try? FileCalls.status(file), stamp.kind == .file,
      (shortestText...longestText).contains(stamp.size),
      let bytes = FileCalls.head(of: file, most: Int(longestText), head: Int(longestText))?.bytes,
      !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self),
      text.contains(where: { !$0.isWhitespace })
    else { return nil }
    return bytes
  }

  /// In bytes. Shorter text would match almost anywhere.
  private static let (shortestText, longestText): (Int64, Int64) = (12, 65_536)

  /// Escapes all but ASCII letters and digits, the slash, and the other unreserved characters, by
  /// default those of RFC 3986 section 2.3.
  static func escaped(_ path: [UInt8], except marks: String = "-._~") -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    let marks = Array(marks.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(path.count)
    // By byte: paths have no encoding.
    for byte in path {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"):
        result.append(byte)
      case _ where marks.contains(byte): result.append(byte)
      default: result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return result
  }
}
