import Glibc

/// The events in watched folders, from one drain of the kernel's queue.
///
/// Pure: bytes in, sets out, so that it is tested without a kernel.
struct WatchEvents: Equatable, Sendable {
  /// Names that came, went or were replaced, by watch.
  var names: [Int32: Set<[UInt8]>] = [:]
  /// Watches whose folder itself is gone: deleted, moved or unmounted.
  var gone: Set<Int32> = []
  /// Watches the kernel has ended.
  ///
  /// By IN_IGNORED: the folder is gone, or we have ended it ourselves.
  var ended: Set<Int32> = []
  /// Whether events were lost.
  ///
  /// The kernel's queue was full (IN_Q_OVERFLOW): what happened in which folder is not known.
  var overflowed = false

  /// Names, over all watches.
  var count: Int { names.values.reduce(0) { $0 + $1.count } }

  /// Adds the events in a buffer filled by `read`; what is cut off is left out (inotify(7)).
  ///
  /// A name is filled up with zeros to the next multiple of the header's alignment.
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

  /// One event has one meaning here; IN_ISDIR may stand beside it and tells nothing new.
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

  /// Two numbers, a mask and the length of the name that follows.
  private static let headerSize = 16
}
