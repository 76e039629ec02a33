import Glibc

/// Small files, such as the kernel's, and folders of few names.
package enum SystemFiles {
  /// Anybody may fill a folder.
  private static let mostNames = 1 << 16

  /// The beginning of a regular file; `nil`, with the reason in `errno`, if it can't be read: EISDIR
  /// for a folder, ENXIO for a FIFO and the like, which are never waited for.
  ///
  /// - Parameter most: in bytes.
  package static func bytes(_ path: String, most: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    var error = fstat(descriptor, &status) == 0 ? 0 : errno
    switch status.st_mode & S_IFMT {
    case _ where error != 0, S_IFREG: break
    case S_IFDIR: error = EISDIR
    default: error = ENXIO
    }
    // The kernel's own files have no size.
    let size = status.st_size > 0 ? min(most, Int(status.st_size) + 1) : most
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while error == 0, count < size, let start = buffer.baseAddress {
        let got = read(descriptor, start + count, size - count)
        if got == 0 { return }
        if got > 0 { count += got } else if errno != EINTR { error = errno }
      }
    }
    close(descriptor)
    errno = error
    return error == 0 ? bytes : nil
  }

  /// The same as text.
  package static func text(_ path: String, most: Int) -> String? {
    bytes(path, most: most).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names in a folder, sorted, 65,536 of them at the most; `nil` if it can't be read.
  package static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < mostNames, let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }
}
