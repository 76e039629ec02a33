import Glibc
import SystemPackage

/// Path components found from the end. swift-system parses all components first, which is slow in
/// debug builds, and a delivery does it several times per file.
extension FilePath {
  /// The last component; `nil` for an empty path or the root.
  var name: FileName? {
    withPlatformString { start in
      let name = FilePath.startOfName(start)
      return name.pointee == 0 ? nil : FileName(copying: name)
    }
  }

  func hasName(of other: FilePath) -> Bool {
    withPlatformString { one in
      other.withPlatformString { other in
        strcmp(FilePath.startOfName(one), FilePath.startOfName(other)) == 0
      }
    }
  }

  /// The parent; the root and an empty path return themselves.
  var folder: FilePath {
    withPlatformString { start in
      let end = FilePath.startOfName(start) - start
      // Drops the slash before the name, except for the root.
      let length = end > 1 ? end - 1 : end
      return FilePath(rawBytes: UnsafeRawBufferPointer(start: start, count: length))
    }
  }

  /// Compares with ``folder`` without creating a path.
  func lies(in folder: FilePath) -> Bool {
    withPlatformString { start in
      let end = FilePath.startOfName(start) - start
      let length = end > 1 ? end - 1 : end
      return folder.length == length
        && folder.withPlatformString { memcmp($0, start, length) } == 0
    }
  }

  /// Changes to the parent.
  ///
  /// - Returns: `false` for an empty path or the root.
  @discardableResult
  mutating func goUp() -> Bool {
    let above = folder
    guard above != self else { return false }
    self = above
    return true
  }

  /// The last component; empty for a path that ends with "/", which ours never do.
  private static func startOfName(_ path: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
    strrchr(path, Int32(UInt8(ascii: "/"))).map { UnsafePointer($0) + 1 } ?? path
  }
}

extension FilePath {
  /// The path with all links resolved (realpath(3)); `nil` if that fails. May block.
  var withoutLinks: FilePath? {
    guard let found = withPlatformString({ realpath($0, nil) }) else { return nil }
    defer { free(found) }
    return FilePath(platformString: found)
  }

  /// As ``withoutLinks``, but does not resolve the last component.
  var resolvingParentLinks: FilePath? {
    guard let name, let folder = folder.withoutLinks else { return nil }
    return folder.appending(name)
  }

  func appending(bytes name: [UInt8]) -> FilePath { name.withUnsafeBytes { appending($0) } }

  /// Appends bytes valid during the call. Unchecked: a "/" leads further down.
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
  /// Without the NUL; may be invalid UTF-8.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
