import CArchive
import Foundation
import SystemPackage

@testable import KeyDragFiles

/// Makes archives with Python's own packers, which leave names as they are told.
struct ArchivePacker {
  enum Entry {
    case file(String, String)
    case link(String, to: String)
    case hardLink(String, to: String)
    case device(String)
    case zeros(String, megabytes: Int)
    case noise(String, kilobytes: Int)

    fileprivate var words: [String] {
      switch self {
      case .file(let name, let text): ["file", name, text]
      case .link(let name, let target): ["link", name, target]
      case .hardLink(let name, let target): ["same", name, target]
      case .device(let name): ["device", name, ""]
      case .zeros(let name, let count): ["zeros", name, String(count)]
      case .noise(let name, let count): ["noise", name, String(count)]
      }
    }
  }

  struct Failure: Error {
    let status: Int32
  }

  let folder: FilePath

  /// Whether the library that reads archives is there.
  static var isReadable: Bool {
    guard let reader = carchive_reader() else { return false }
    archive_read_free(reader)
    return true
  }

  /// A new archive in the folder, named "packed" and by its kind.
  func pack(_ kind: String, _ entries: [Entry]) throws -> FilePath {
    let path = folder.appending("packed." + kind)
    let packer = Process()
    packer.executableURL = URL(filePath: "/usr/bin/python3")
    packer.arguments = ["-c", Self.program, path.string] + entries.flatMap(\.words)
    try packer.run()
    packer.waitUntilExit()
    guard packer.terminationStatus == 0 else { throw Failure(status: packer.terminationStatus) }
    return path
  }

  private static let program = """
    import io, os, sys, tarfile, time, zipfile
    path, words = sys.argv[1], sys.argv[2:]
    entries = [words[i:i + 3] for i in range(0, len(words), 3)]
    moment = 1000000000
    def data(kind, text):
        if kind == "zeros":
            return bytes(int(text) << 20)
        if kind == "noise":
            return os.urandom(int(text) << 10)
        return text.encode()
    if path.endswith(".zip"):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for kind, name, text in entries:
                entry = zipfile.ZipInfo(name, time.localtime(moment)[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data(kind, text))
    else:
        kinds = {"link": tarfile.SYMTYPE, "same": tarfile.LNKTYPE, "device": tarfile.CHRTYPE}
        with tarfile.open(path, "w") as archive:
            for kind, name, text in entries:
                entry = tarfile.TarInfo(name)
                entry.mtime = moment
                entry.type = kinds.get(kind, tarfile.REGTYPE)
                body = b""
                if kind in kinds:
                    entry.linkname = text
                else:
                    body = data(kind, text)
                entry.size = len(body)
                archive.addfile(entry, io.BytesIO(body))
    """
}
