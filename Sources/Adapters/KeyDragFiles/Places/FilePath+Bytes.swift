import Glibc
import SystemPackage

extension FilePath {
  /// The path as the system takes it, which need not be UTF-8.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// The path of an entry whose name is these bytes.
  func appending(bytes name: [UInt8]) -> FilePath {
    let start = bytes
    let separator: [UInt8] = start.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(platformString: (start + separator + name + [0]).map { CChar(bitPattern: $0) })
  }
}

extension FilePath.Component {
  /// The name as the system takes it, which need not be UTF-8.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
