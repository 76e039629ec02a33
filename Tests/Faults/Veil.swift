import Foundation
import Glibc

/// Has a folder be a disk of fewer abilities for a while, by `poor-disk.py`.
final class Veil {
  /// Things a disk can't do, and for whom.
  struct Limit {
    /// A word for `poor-disk.py`.
    var word: String
    /// Reasons that the person may be told for it, as errors of the system; `nil` for what is only late.
    var cause: Int32?

    /// - Parameter error: as in the names of errno(3).
    static func failing(_ operation: String, _ error: String, _ cause: Int32, after: Int = 0)
      -> Limit
    {
      Limit(word: "fail=\(operation):\(error):\(after)", cause: cause)
    }
  }

  static let limits = [
    Limit(word: "names", cause: EINVAL), Limit(word: "names=ENOENT", cause: EINVAL),
    Limit(word: "no-links", cause: Reasons.noLinks), Limit(word: "no-case", cause: EEXIST),
    Limit(word: "largest=100000", cause: EFBIG), Limit(word: "room=100000", cause: ENOSPC),
    Limit(word: "no-modes", cause: nil), Limit(word: "no-attributes", cause: nil),
    Limit(word: "no-hard-links", cause: nil), Limit(word: "bad=x", cause: EIO),
    Limit(word: "slow=3", cause: nil), .failing("fsync", "EIO", EIO),
    .failing("write", "EROFS", EROFS, after: 4), .failing("write", "EDQUOT", ENOSPC, after: 4),
    .failing("rename", "EIO", EIO, after: 1), .failing("mkdir", "EMLINK", 0),
    .failing("unlink", "EACCES", EACCES), .failing("rmdir", "EBUSY", EACCES),
    .failing("readdir", "EIO", EIO), .failing("read", "EIO", EIO, after: 1),
    .failing("all", "ENODEV", EIO, after: 60), .failing("all", "EIO", EIO, after: 200),
    .failing("all", "ESTALE", ENOENT, after: 120), .failing("utimens", "EPERM", EPERM),
    .failing("open", "ENFILE", 0, after: 3), .failing("create", "EACCES", EACCES, after: 2),
  ]

  private var folder = ""
  private var behind = ""
  private var process: pid_t = 0

  /// The path by which it is looked at without the limits.
  func real(_ path: String) -> String {
    guard process > 0, path == folder || path.hasPrefix(folder + "/") else { return path }
    return behind + path.dropFirst(folder.count)
  }

  /// `false` where no such disk can be had: that takes root, /dev/fuse and fusepy.
  func lower(over folder: String, behind: String, _ limit: String) throws -> Bool {
    let support = #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Support"
    try FileManager.default.createDirectory(atPath: behind, withIntermediateDirectories: true)
    guard mount(folder, behind, nil, UInt(MS_BIND), nil) == 0 else { return false }
    (self.folder, self.behind) = (folder, behind)
    let output = Pipe()
    let words = ["/usr/bin/python3", "/\(support)/poor-disk.py", behind, folder, limit]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    guard posix_spawn(&process, words[0], &actions, nil, &arguments, environ) == 0 else {
      lift()
      return false
    }
    try output.fileHandleForWriting.close()
    let isReady = output.fileHandleForReading.availableData.starts(with: Data("ready".utf8))
    if !isReady { lift() }
    return isReady
  }

  /// Ends what fails; what the disk can't do it still can't.
  func heal() { _ = FileManager.default.createFile(atPath: behind + ".well", contents: nil) }

  /// Gives the folder its own disk again.
  func lift() {
    guard !behind.isEmpty else { return }
    if process > 0 {
      umount2(folder, Int32(MNT_DETACH))
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    umount2(behind, Int32(MNT_DETACH))
    unlink(behind + ".well")
    (folder, behind, process) = ("", "", 0)
  }
}

/// Which words are so for which errors.
enum Reasons {
  /// Stands for a disk that makes no symbolic links, which has no error of its own.
  static let noLinks: Int32 = -1

  private static let words: [(String, Set<Int32>)] = [
    ("not enough space", [ENOSPC, EDQUOT]), ("it is too large for that disk", [EFBIG]),
    ("not permitted", [EACCES, EPERM, EBUSY]), ("you may not read it", [EACCES, EPERM]),
    ("it can't be removed from its folder", [EACCES, EPERM, EROFS]),
    ("it is gone", [ENOENT]), ("it is read-only", [EROFS, EACCES]),
    ("the disk reports an error", [EIO]), ("the name already exists", [EEXIST]),
    ("this disk does not allow that name", [EINVAL]),
    ("this disk can't hold links", [noLinks, EPERM]), ("the name is too long", []),
    ("its links lead in a circle", []), ("it is not a folder", []), ("it is a folder", []),
    ("the reason is not known", [0]), ("another disk is mounted there", []),
    ("there is no trash", [EACCES, EPERM]), ("its contents are damaged", []),
  ]

  /// A reason that is told and can't be so, and that is not told without the error.
  static func wrong(in text: String, for cause: Int32, usual: String) -> String? {
    let (text, usual) = (text.lowercased(), usual.lowercased())
    return words.first {
      text.contains($0.0) && !usual.contains($0.0) && !$0.1.contains(cause)
    }?.0
  }
}
