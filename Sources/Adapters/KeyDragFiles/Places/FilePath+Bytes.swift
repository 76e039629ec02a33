import Glibc
import SystemPackage

extension FilePath {
  /// The path as the system takes it, which need not be UTF-8.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// The path of an entry whose name is these bytes.
  func appending(bytes name: [UInt8]) -> FilePath {
    withPlatformString { start in
      let length = strlen(start)
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + name.count + 2) {
        whole in
        var end = length
        for place in 0..<length { whole[place] = start[place] }
        if length == 0 || start[length - 1] != CChar(UInt8(ascii: "/")) {
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
  /// The name as the system takes it, which need not be UTF-8.
  var bytes: [UInt8] {
    withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
