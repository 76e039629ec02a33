import Glibc
import KeyDragCore
import KeyDragRuntime
import SystemPackage

enum StandardStreams {
  /// Fills the descriptors of closed streams before anything else is opened: messages would
  /// overwrite a history or a copy opened as number 1.
  static func reserve() {
    // Reading from the first and writing to the others fails, as on a closed one.
    for (descriptor, flags) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free descriptor is the closed one.
      _ = open("/dev/null", flags)
    }
  }

  /// Keeps the sound server's library from writing its complaints on the person's screen.
  static func quietLibraries() { setenv("PULSE_LOG_SYSLOG", "1", 0) }
}

enum Descriptor {
  /// `false` when the other end is closed or the disk is full.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

final class TextStream: TextOutput {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  func write(_ line: String) -> Bool {
    // A stream that was closed at the start wants no output: see `reserve()`.
    Descriptor.write(Array((line + "\n").utf8), to: descriptor)
      || fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDONLY
  }
}

final class TranscriptFile: TranscriptSink {
  private let descriptor: Int32

  /// Opens the file that `--transcript` names; `-` is standard output.
  init(_ name: String, _ phrases: Phrasebook) throws(CommandError) {
    if name == "-" {
      descriptor = STDOUT_FILENO
      return
    }
    let path = FilePath(argument: name)
    descriptor = Self.open(path)
    let isLink = descriptor < 0 && errno == ELOOP
    if isLink || descriptor >= 0 && !Self.begin(descriptor) {
      if !isLink { close(descriptor) }
      throw CommandError(
        description: phrases.phrase(
          // The file to write everything down in exists, and holds something else. %1$@ is the file.
          "%1$@ is not a transcript, so it is left as it is. Choose another name.",
          ArgumentText.spoken(name)),
        status: .usage)
    }
    guard descriptor >= 0 else {
      let reason = Reason(errno: errno)
      guard reason == .gone else { throw .file(name, reason, as: .transcript, phrases) }
      throw CommandError(
        description: phrases.phrase(
          // The file to write everything down in is in a folder that does not exist. %1$@ is the
          // file.
          "There is no folder for the transcript %1$@. Make the folder first.",
          ArgumentText.spoken(name)),
        status: .noInput)
    }
  }

  func write(_ line: [UInt8]) -> Bool { Descriptor.write(line, to: descriptor) }

  /// Follows a symbolic link to a pipe, a terminal or a device only.
  private static func open(_ path: FilePath) -> Int32 {
    let flags = O_CLOEXEC | O_NOCTTY
    var status = stat()
    if path.withPlatformString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT != S_IFREG {
      return path.withPlatformString { Glibc.open($0, O_WRONLY | flags) }
    }
    return path.withPlatformString {
      Glibc.open($0, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | flags, 0o600)
    }
  }

  /// Truncates a transcript or an empty file, and restricts it to its owner; `false` for any other
  /// file. Leaves anything else alone.
  private static func begin(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return true }
    let start = Array(#"{"seq":1,"#.utf8)
    var head = [UInt8](repeating: 0, count: start.count)
    let count = pread(descriptor, &head, head.count, 0)
    guard count == 0 || head == start else { return false }
    return fchmod(descriptor, 0o600) == 0 && ftruncate(descriptor, 0) == 0
  }
}

/// An error that ends a command before it begins: what, why and what to do, in one or two
/// sentences.
struct CommandError: Error, CustomStringConvertible {
  var description: String
  var status: ExitStatus

  enum Role { case folder, file, transcript }

  /// The error for an unusable file.
  static func file(
    _ name: String, _ reason: Reason, as role: Role, _ phrases: Phrasebook
  ) -> CommandError {
    // The remedy is given whatever the verbosity of sessions.
    var phrases = phrases
    phrases.verbosity = .full
    return CommandError(
      description: phrases.join(
        unusable(name, role, phrases), phrases.sentence(for: reason)),
      status: reason == .unknown ? .inputOutput : ExitStatus(reason))
  }

  private static func unusable(_ name: String, _ role: Role, _ phrases: Phrasebook) -> String {
    let shown = ArgumentText.spoken(name)
    switch role {
    // A lone dot is inaudible.
    case _ where name == ".":
      // The folder in which the command was started; the reason follows.
      return phrases.phrase("The folder you are in can't be used.")
    // A folder that was named on the command line; the reason follows. %1$@ is the folder.
    case .folder: return phrases.phrase("The folder %1$@ can't be used.", shown)
    // A file that was named on the command line; the reason follows. %1$@ is the file.
    case .file: return phrases.phrase("The file %1$@ can't be used.", shown)
    // The file to write everything down in; the reason follows. %1$@ is the file.
    case .transcript: return phrases.phrase("The transcript %1$@ can't be used.", shown)
    }
  }
}

/// Prints an error, and returns the exit status to end with.
func report(_ error: CommandError) -> ExitStatus {
  _ = Descriptor.write(Array(("keydrag: " + error.description + "\n").utf8), to: STDERR_FILENO)
  return error.status
}
