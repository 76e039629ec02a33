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

  /// Whether both have the same name in their folders.
  func hasName(of other: FilePath) -> Bool {
    withPlatformString { one in
      other.withPlatformString { other in
        strcmp(FilePath.startOfName(one), FilePath.startOfName(other)) == 0
      }
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

  /// Whether a folder is the one that ``folder`` gives, which costs a path less.
  func lies(in folder: FilePath) -> Bool {
    withPlatformString { start in
      let end = FilePath.startOfName(start) - start
      let length = end > 1 ? end - 1 : end
      return folder.length == length
        && folder.withPlatformString { memcmp($0, start, length) } == 0
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
  /// The same folder by a path on which no link lies (realpath(3)); `nil` where it can't be followed.
  /// May block.
  var withoutLinks: FilePath? {
    guard let found = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return FilePath(platformString: found)
  }

  /// The same thing, which may be a link itself, by a path on which no link lies.
  var withoutLinksBefore: FilePath? {
    guard let name, let folder = folder.withoutLinks else { return nil }
    return folder.appending(name)
  }

  func appending(bytes name: [UInt8]) -> FilePath { name.withUnsafeBytes { appending($0) } }

  /// The same for bytes that are valid during the call.
  func appending(_ name: UnsafeRawBufferPointer) -> FilePath {
    withPlatformString { start in
      // The root ends with its own "/".
      let length = start[0] == CChar(UInt8(ascii: "/")) && start[1] == 0 ? 0 : strlen(start)
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + name.count + 2) {
        whole in
        guard let path = whole.baseAddress else { return self }
        var end = path
        if start[0] != 0 {
          memcpy(path, start, length)
          path[length] = CChar(UInt8(ascii: "/"))
          end += length + 1
        }
        if let bytes = name.baseAddress { memcpy(end, bytes, name.count) }
        end[name.count] = 0
        return FilePath(platformString: path)
      }
    }
  }

  /// Whether it leads from the root to a name without any step to a folder itself or the one above.
  var isStraight: Bool {
    withPlatformString { start in
      guard start[0] == CChar(UInt8(ascii: "/")) else { return false }
      var slash: UnsafePointer<CChar>? = start
      while let before = slash {
        let name = before + 1
        let dots = strspn(name, ".")
        if dots == 1 || dots == 2, name[dots] == 0 || name[dots] == CChar(UInt8(ascii: "/")) {
          return false
        }
        slash = strchr(name, CInt(UInt8(ascii: "/"))).map { UnsafePointer($0) }
      }
      return true
    }
  }
}

extension FilePath.Component {
  /// The name as the system takes it, which need not be UTF-8. Without the closing zero.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
