import Glibc

/// Reports new sockets in a folder. Belongs to the thread that polls it.
final class FolderEvents {
  enum Event: Hashable {
    case came(String)
    case overflowed
  }

  /// Polled together with the sockets.
  let descriptor: Int32

  /// `nil` if the kernel can't watch another folder.
  init?(_ path: String) {
    descriptor = inotify_init1(Int32(O_CLOEXEC | O_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    // A socket is renamed when it accepts connections. A program's end shows in its connection.
    guard inotify_add_watch(descriptor, path, UInt32(IN_MOVED_TO | IN_ONLYDIR)) >= 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Reads pending events, up to a limit.
  func read() -> [Event] {
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 8) { buffer in
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      guard count > 0 else { return [] }
      return Self.events(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Parses the kernel's buffer, ignoring truncated events.
  static func events(_ buffer: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    var offset = 0
    // A 16-byte header precedes each name: watch, mask, cookie and name length.
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
