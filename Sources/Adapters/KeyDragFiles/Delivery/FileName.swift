import Glibc
import SystemPackage

/// A file name or path as NUL-terminated bytes. Linux allows every byte but "/" and NUL, in any
/// encoding. ``SpokenName`` converts it to text, for users only.
struct FileName: Hashable, Sendable {
  /// In bytes.
  static let longest = 255

  /// Including the NUL.
  private let terminated: [CChar]

  /// Unchecked: the bytes must not contain NUL or "/".
  init(bytes: some Sequence<UInt8>) {
    var terminated: [CChar] = []
    terminated.reserveCapacity(bytes.underestimatedCount + 1)
    for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
    terminated.append(0)
    self.terminated = terminated
  }

  init(_ text: String) { self.init(bytes: text.utf8) }

  init(_ component: FilePath.Component) {
    terminated = component.withPlatformString { pointer in
      Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer) + 1))
    }
  }

  /// The bytes are valid during the call only, without the NUL.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    terminated.withUnsafeBytes { all in
      all.dropLast().withMemoryRebound(to: UInt8.self) { body($0) }
    }
  }

  /// Copies a name from a system call.
  init(copying pointer: UnsafePointer<CChar>) {
    terminated = Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer) + 1))
  }

  /// Hashes all bytes at once, which is faster than one by one.
  func hash(into hasher: inout Hasher) {
    terminated.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Without the NUL.
  var bytes: some RandomAccessCollection<UInt8> {
    terminated.dropLast().lazy.map { UInt8(bitPattern: $0) }
  }

  /// In bytes.
  var count: Int { terminated.count - 1 }

  /// The pointer is NUL-terminated and valid during the call only.
  func withPointer<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The implicit pointer conversion is valid for this call, which is sufficient.
    try body(terminated)
  }
}

/// Paths as bytes: `FilePath.string` repairs invalid UTF-8.
extension FilePath {
  /// Appends a name byte for byte. Returns the folder's own path for an empty name or one with a
  /// "/".
  func appending(_ name: FileName) -> FilePath {
    name.withPointer { start in
      guard name.count > 0, strchr(start, CInt(UInt8(ascii: "/"))) == nil else { return self }
      return appending(UnsafeRawBufferPointer(start: start, count: name.count))
    }
  }

  /// Without the NUL.
  var rawBytes: [UInt8] {
    withPlatformString { pointer in
      UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) }
    }
  }

  /// From stored bytes, truncated at the first NUL.
  init(rawBytes: some Sequence<UInt8>) {
    self = FileName(bytes: rawBytes).withPointer { FilePath(platformString: $0) }
  }

  /// The absolute path without `.` and `..`.
  ///
  /// ".." is resolved by the kernel, because a symbolic link may precede it; the last component is
  /// never followed. An unresolvable path is normalized lexically, and opening it will fail.
  var absolute: FilePath {
    if isStraight { return self }
    var path = self
    if path.isRelative, let here = getcwd(nil, 0) {
      path = FilePath(platformString: here).pushing(path)
      free(here)
    }
    let goesBack = path.components.contains { $0.kind == .parentDirectory }
    guard goesBack, let name = path.name, name.isRegular else {
      return path.lexicallyNormalized()
    }
    return path.folder.withoutLinks?.appending(name) ?? path.lexicallyNormalized()
  }
}
