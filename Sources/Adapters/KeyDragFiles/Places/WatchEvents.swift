import Glibc

/// Events from one drain of the inotify queue. Pure: parses bytes, testable without a kernel.
struct WatchEvents: Equatable, Sendable {
  /// Created, removed or replaced names, by watch.
  var names: [Int32: Set<[UInt8]>] = [:]
  /// Watches whose folder was deleted, moved or unmounted.
  var gone: Set<Int32> = []
  /// Watches ended by the kernel (IN_IGNORED), because their folder is gone or we removed them.
  var ended: Set<Int32> = []
  /// Whether events were lost (IN_Q_OVERFLOW), in unknown folders.
  var overflowed = false

  var count: Int { names.values.reduce(0) { $0 + $1.count } }

  /// Adds events from a buffer filled by `read`, ignoring truncated ones (inotify(7)). Names are
  /// padded with NULs.
  mutating func add(_ buffer: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + Self.headerSize <= buffer.count {
      // struct inotify_event: int wd; uint32_t mask, cookie, len; char name[].
      let watch = buffer.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      let mask = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
      let length = Int(buffer.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
      let start = offset + Self.headerSize
      guard length <= buffer.count - start else { return }
      let name = UnsafeRawBufferPointer(rebasing: buffer[start..<start + length])
      add(watch, mask, name.prefix { $0 != 0 })
      offset = start + length
    }
  }

  /// Each event has one meaning here; IN_ISDIR is ignored.
  private mutating func add(_ watch: Int32, _ mask: UInt32, _ name: some Sequence<UInt8>) {
    if mask & UInt32(IN_Q_OVERFLOW) != 0 {
      overflowed = true
    } else if mask & UInt32(IN_IGNORED) != 0 {
      ended.insert(watch)
    } else if mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) != 0 {
      gone.insert(watch)
    } else {
      let bytes = Array(name)
      // Without a name it is about the folder itself.
      guard !bytes.isEmpty, !bytes.withUnsafeBufferPointer(NameFilter.isTemporary) else { return }
      names[watch, default: []].insert(bytes)
    }
  }

  private static let headerSize = 16
}
