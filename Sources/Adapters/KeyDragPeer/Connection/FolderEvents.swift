import Glibc

/// Tells when a socket comes into a folder.
///
/// Belongs to the thread that waits for it.
final class FolderEvents {
  /// An event in the folder.
  enum Event: Hashable {
    /// A name came into it.
    case came(String)
    /// More came than the kernel could note.
    case overflowed
  }

  /// To be waited for together with the sockets.
  let descriptor: Int32

  /// `nil` when the kernel can't watch one more folder.
  init?(_ path: String) {
    descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    // A socket gets its name when it can be connected to; that a program goes, its connection says.
    guard inotify_add_watch(descriptor, path, UInt32(IN_MOVED_TO | IN_ONLYDIR)) >= 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Reads the events that have happened by now, up to a bound.
  func read() -> [Event] {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return [] }
      return Self.events(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// The events in what the kernel has written. An event that is cut off is left out.
  static func events(_ buffer: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    var offset = 0
    // Each has 16 bytes before its name: the watch, what happened, a number that joins two events,
    // and the length of the name.
    while offset + 16 <= buffer.count {
      let mask = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      guard offset + 16 + length <= buffer.count else { break }
      let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 {
        events.append(.overflowed)
      } else if !name.isEmpty {
        events.append(.came(String(decoding: name, as: UTF8.self)))
      }
      offset += 16 + length
    }
    return events
  }
}
