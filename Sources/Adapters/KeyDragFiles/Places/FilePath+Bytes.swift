import Glibc
import SystemPackage

/// The parts of a path, found from its end: swift-system looks at every component first, and in a
/// build for debugging at each byte of each, which a delivery would pay several times for each
/// file.
extension FilePath {
  /// The name in its folder; nil where the path is empty or the root.
  var name: FileName? {
    withPlatformString { start in
      let name = FilePath.startOfName(start)
      return name.pointee == 0 ? nil : FileName(copying: name)
    }
  }

  /// The path without its name; the root and an empty path are themselves.
  var folder: FilePath {
    withPlatformString { start in
      let end = FilePath.startOfName(start) - start
      // The slash before the name goes too, unless it is the root.
      let length = end > 1 ? end - 1 : end
      return FilePath(rawBytes: UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// Goes to the folder.
  ///
  /// - Returns: false where there is none, the path is empty or the root.
  @discardableResult
  mutating func goUp() -> Bool {
    let above = folder
    guard above != self else { return false }
    self = above
    return true
  }

  /// The last component; empty for a path that ends with "/", which ours do not.
  private static func startOfName(_ path: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    strrchr(path, Int32(UInt8(ascii: "/"))).map { UnsafePointer($0) + 1 } ?? path
  }
}

extension FilePath {
  /// The path of an entry whose name is these bytes.
  ///
  /// No check is made: bytes with a "/" lead further down.
  func appending(bytes name: [UInt8]) -> FilePath {
    withPlatformString { start in
      let length = strlen(start)
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + name.count + 2) {
        whole in
        var end = length
        for place in 0..<length { whole[place] = start[place] }
        // The root ends with its own "/".
        if length > 0, start[length - 1] != CChar(UInt8(ascii: "/")) {
          whole[end] = CChar(UInt8(ascii: "/"))
          end += 1
        }
        for byte in name {
          whole[end] = CChar(bitPattern: byte)
          end += 1
        }
        whole[end] = 0
        guard let path = whole.baseAddress else { return self }
        return FilePath(platformString: path)
      }
    }
  }
}

extension FilePath.Component {
  /// The name as the system takes it, which need not be UTF-8. Without the closing zero.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
