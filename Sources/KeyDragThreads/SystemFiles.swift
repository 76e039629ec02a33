import Glibc

/// Small files, such as the kernel's, and folders of few names.
package enum SystemFiles {
  /// Anybody may fill a folder.
  private static let mostNames = 1 << 16

  /// The beginning of a file, in bytes; `nil` if it can't be read.
  package static func text(_ path: String, most: Int) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    return String(unsafeUninitializedCapacity: most) { fread($0.baseAddress, 1, most, file) }
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
