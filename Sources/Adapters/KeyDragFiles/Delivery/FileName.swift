import Glibc
import SystemPackage

/// One component of a path as the kernel takes it: bytes, not text, ended by a zero.
///
/// Linux allows every byte but "/" and zero, and promises no encoding: a name of Latin-1 is as good
/// as one of UTF-8. Kept with its closing zero, so that a call needs no copy of it. ``SpokenName``
/// makes text of it, for people only.
struct FileName: Hashable, Sendable {
  /// The longest name Linux takes, in bytes.
  static let longest = 255

  /// Ends with the zero.
  private let terminated: [CChar]

  /// Bytes are taken as they are: a zero or a "/" among them is the caller's mistake, and no check
  /// is made.
  init(bytes: some Sequence<UInt8>) {
    var terminated: [CChar] = []
    terminated.reserveCapacity(bytes.underestimatedCount + 1)
    for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
    terminated.append(0)
    self.terminated = terminated
  }

  /// For names that we choose ourselves.
  init(_ text: String) { self.init(bytes: text.utf8) }

  init(_ component: FilePath.Component) {
    terminated = component.withPlatformString { pointer in
      Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer) + 1))
    }
  }

  /// The bytes are valid during the call alone, without the closing zero.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    terminated.withUnsafeBytes { all in
      all.dropLast().withMemoryRebound(to: UInt8.self) { body($0) }
    }
  }

  /// Copies a name that the kernel wrote.
  init(copying pointer: UnsafePointer<CChar>) {
    terminated = Array(UnsafeBufferPointer(start: pointer, count: strlen(pointer) + 1))
  }

  /// All bytes at once: an array of numbers would be hashed one by one.
  func hash(into hasher: inout Hasher) {
    terminated.withUnsafeBytes { hasher.combine(bytes: $0) }
  }

  /// Without the closing zero.
  var bytes: some RandomAccessCollection<UInt8> {
    terminated.dropLast().lazy.map { UInt8(bitPattern: $0) }
  }

  /// In bytes.
  var count: Int { terminated.count - 1 }

  /// Whether it is a name, and no way to this folder or the one above.
  var isRegular: Bool { !NameFilter.isSelfOrParent(bytes) }

  /// The pointer ends with a zero and is valid during the call alone.
  func withPointer<Result, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // An array's own conversion to a pointer is valid for the call alone, which is all that is
    // asked.
    try body(terminated)
  }
}

/// One name in one folder, whatever path leads there.
struct NameInFolder: Hashable {
  let folder: FileIdentity
  let name: FileName
}

/// Paths as bytes. `FilePath` itself keeps bytes, but `string` repairs what is no UTF-8.
extension FilePath {
  /// The path in a folder, byte for byte.
  ///
  /// The folder's own path for a name that is empty or holds a "/".
  func appending(_ name: FileName) -> FilePath {
    name.withPointer { start in
      guard name.count > 0, strchr(start, CInt(UInt8(ascii: "/"))) == nil else { return self }
      return appending(UnsafeRawBufferPointer(start: start, count: name.count))
    }
  }

  /// The bytes without the closing zero.
  var rawBytes: [UInt8] {
    withPlatformString { pointer in
      UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map { UInt8(bitPattern: $0) }
    }
  }

  /// A path from bytes that were stored; a zero byte ends it.
  init(rawBytes: some Sequence<UInt8>) {
    self = FileName(bytes: rawBytes).withPointer { FilePath(platformString: $0) }
  }

  /// The path from the root, without `.` and `..`.
  ///
  /// Steps back are taken by the kernel and not by the text, because a symbolic link may stand
  /// before them; the last component itself is never followed.
  ///
  /// Never fails: what can't be resolved is shortened by its text, and opening it will say why.
  var absolute: FilePath {
    if isStraight { return self }
    var path = self
    // getcwd(3) allocates the result, which is ours to free.
    if path.isRelative, let here = getcwd(nil, 0) {
      path = FilePath(platformString: here).pushing(path)
      free(here)
    }
    let goesBack = path.components.contains { $0.kind == .parentDirectory }
    guard goesBack, let name = path.name, name.isRegular else {
      return path.lexicallyNormalized()
    }
    let folder = path.folder
    guard let resolved = folder.withPlatformString({ realpath($0, nil) }) else {
      return path.lexicallyNormalized()
    }
    defer { free(resolved) }
    return FilePath(platformString: resolved).appending(name)
  }
}
