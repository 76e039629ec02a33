import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Copies bytes between two open files in the cheapest way that the file systems support: cloning
/// (FICLONE), in-kernel copying (copy_file_range(2)), or a buffer.
///
/// One object serves a whole delivery, on its thread: it owns a page-aligned buffer of 1 MiB and
/// the digest's state. All offsets and lengths are in bytes.
final class ContentCopy {
  /// Files up to this size are copied through the buffer, with a digest.
  static let smallest: Int64 = 131_072
  /// Smaller files are not treated as sparse.
  private static let smallestSparse: Int64 = 16_384
  /// Interval between cancellation checks, because copy_file_range(2) can't be interrupted.
  private static let piece = 16 << 20

  /// ext4, as statfs(2) numbers it: preallocation made copies of large files a fifth faster there.
  /// tmpfs would fill the space with zeros.
  private static let reserving: Int64 = 0xEF53

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
  private let digest = ContentDigest()
  private let meter: ProgressMeter
  /// Cleared by the first failed clone: most file systems don't support it, so later ones would
  /// fail too.
  private var mayClone = true
  /// Cleared by the first error that rules out in-kernel copying between these file systems.
  private var mayDelegate = true

  init(meter: ProgressMeter) { self.meter = meter }

  deinit { buffer.deallocate() }

  /// Copies a whole file of the given size.
  ///
  /// - Returns: the digest of the data read; `nil` if the kernel copied it and none was requested.
  /// - Throws: `Reason.changed` if the size differs, `CancelledByPerson`, or `Errno`. The target is
  ///   incomplete then, and the caller removes it.
  /// - Parameters:
  ///   - stamp: the source's at open: its size is the expected byte count.
  ///   - digesting: whether a digest is required, which rules out cloning and in-kernel copying.
  func copy(
    from: CInt, _ stamp: FileStamp, to: CInt, digesting: Bool
  ) throws -> UInt128? {
    let isSparse = stamp.stored < stamp.size && stamp.size > Self.smallestSparse
    if !isSparse, digesting || stamp.size <= Self.smallest {
      return try copyThroughBuffer(from: from, to: to, size: stamp.size)
    }
    // FICLONE is all or nothing, so that no offset has to be reset.
    if !digesting, clone(from: from, to: to) {
      try meter.add(stamp.size)
      return nil
    }
    if isSparse {
      return try copyWithHoles(from: from, to: to, size: stamp.size, digesting: digesting)
    }
    // Ignores failure: the copy itself detects a full disk.
    if stamp.size >= Self.piece, clinux_file_system_type(to) == Self.reserving {
      _ = clinux_reserve(to, stamp.size)
    }
    try copyRange(from: from, to: to, 0..<stamp.size)
    return nil
  }

  /// Copies a file of /proc or /sys, which reports no or a wrong size because its contents are
  /// generated on reading.
  ///
  /// - Returns: the digest; `nil` for any other file.
  func copyGenerated(from: CInt, _ stamp: FileStamp, to: CInt) throws -> UInt128? {
    guard Self.isGenerated(stamp, from) else { return nil }
    try FileCalls.checked { ftruncate(to, 0) }
    _ = try readAll(from, to: to)
    return digest.value
  }

  /// Reads a file to its end, and into another one if that is given; returns its length.
  private func readAll(_ file: CInt, to copy: CInt? = nil) throws -> Int64 {
    digest.start()
    var offset: Int64 = 0
    while true {
      try meter.check()
      let count = try read(file, at: offset, limit: buffer.count)
      if count == 0 { return offset }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if let copy { try write(bytes, to: copy, at: offset) }
      digest.add(bytes)
      offset += Int64(count)
    }
  }

  static func isGenerated(_ stamp: FileStamp, _ file: CInt) -> Bool {
    stamp.stored == 0 && generating.contains(clinux_file_system_type(file))
  }

  /// proc, sysfs, cgroup2, debugfs, tracefs and securityfs, as statfs(2) numbers them.
  private static let generating: Set<Int64> = [
    0x9fa0, 0x6265_6572, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673,
  ]

  /// The digest of a file's contents, read completely. Throws `Reason.changed` if the length is not
  /// `size`.
  func digest(of file: CInt, size: Int64) throws -> UInt128 {
    guard try readAll(file) == size else { throw Reason.changed }
    return digest.value
  }

  /// `false` if blocks can't be shared between the two files.
  private func clone(from: CInt, to: CInt) -> Bool {
    guard mayClone else { return false }
    mayClone = clinux_clone(to, from) == 0
    return mayClone
  }

  private func copyThroughBuffer(from: CInt, to: CInt, size: Int64) throws -> UInt128 {
    digest.start()
    var offset: Int64 = 0
    // Requests one byte more than expected, to detect a growing file.
    while offset <= size {
      let limit = Int(min(Int64(buffer.count), size - offset + 1))
      let count = try read(from, at: offset, limit: limit)
      if count == 0 { break }
      guard offset + Int64(count) <= size else { throw Reason.changed }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      try write(bytes, to: to, at: offset)
      digest.add(bytes)
      offset += Int64(count)
      try meter.add(Int64(count))
      // The caller's check of the stamp detects later growth.
      if offset == size, count < limit { break }
    }
    guard offset == size else { throw Reason.changed }
    return digest.value
  }

  /// Copies only the written ranges, which keeps holes. The digest counts holes as zeros. Throws
  /// `Reason.changed` if the file shrinks meanwhile.
  private func copyWithHoles(
    from: CInt, to: CInt, size: Int64, digesting: Bool
  ) throws -> UInt128? {
    // The full length first: a hole at the end would otherwise be lost, because nothing is written
    // there.
    try Self.written { ftruncate(to, off_t(size)) }
    digest.start()
    var offset: Int64 = 0
    while offset < size {
      let start = try nextData(in: from, at: offset, size: size)
      if digesting { digest.addZeros(start - offset) }
      try meter.add(start - offset)
      guard start < size else { break }
      // Every file has an implied hole at its end, so that SEEK_HOLE always succeeds after data.
      let hole = try FileCalls.checked { clinux_seek_hole(from, start) }
      // A hole where data was found: the file was truncated or punched meanwhile.
      let end = min(size, hole)
      guard end > start else { throw Reason.changed }
      if digesting {
        try copyDigesting(from: from, to: to, start..<end)
      } else {
        try copyRange(from: from, to: to, start..<end)
      }
      offset = end
    }
    return digesting ? digest.value : nil
  }

  /// Start of the next written range, or `size` if only a hole follows (ENXIO from lseek(2)).
  private func nextData(in file: CInt, at offset: Int64, size: Int64) throws -> Int64 {
    let start = clinux_seek_data(file, offset)
    if start >= 0 { return min(size, start) }
    let error = Errno(rawValue: errno)
    guard error == .noSuchAddressOrDevice else { throw Reason.reading(error) }
    return size
  }

  /// Copies one written range through the buffer; a range that ends early was truncated meanwhile.
  private func copyDigesting(from: CInt, to: CInt, _ range: Range<Int64>) throws {
    var offset = range.lowerBound
    while offset < range.upperBound {
      let limit = Int(min(Int64(buffer.count), range.upperBound - offset))
      let count = try read(from, at: offset, limit: limit)
      guard count > 0 else { throw Reason.changed }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      try write(bytes, to: to, at: offset)
      digest.add(bytes)
      offset += Int64(count)
      try meter.add(Int64(count))
    }
  }

  /// Copies one written range without a digest, with cancellation checks.
  private func copyRange(from: CInt, to: CInt, _ range: Range<Int64>) throws {
    var input = range.lowerBound
    var output = range.lowerBound
    while input < range.upperBound {
      let limit = Int(min(Int64(Self.piece), range.upperBound - input))
      let count = try delegate(from: from, &input, to: to, &output, limit: limit)
      guard count > 0 else { throw Reason.changed }
      try meter.add(Int64(count))
    }
  }

  /// Copies in the kernel, or through the buffer if that is not possible. Returns the byte count, 0
  /// at the end of the source, and advances both offsets.
  private func delegate(
    from: CInt, _ input: inout Int64, to: CInt, _ output: inout Int64, limit: Int
  ) throws -> Int {
    if mayDelegate {
      let count = clinux_copy_file_range(from, &input, to, &output, limit)
      if count >= 0 { return count }
      // EXDEV: different kinds of file systems, or any two before Linux 5.3. EINVAL, EOPNOTSUPP:
      // not supported by the file system. ENOSYS: not supported by the kernel. EPERM: filtered by a
      // sandbox. EIO: of either file; the buffer shows which. No byte was copied, so the buffer
      // continues at the same offset.
      switch errno {
      case EXDEV, EINVAL, EOPNOTSUPP, ENOSYS, EBADF, EPERM, EIO: mayDelegate = false
      case EINTR: return try delegate(from: from, &input, to: to, &output, limit: limit)
      case let code: throw Errno(rawValue: code)
      }
    }
    let count = try read(from, at: input, limit: min(limit, buffer.count))
    try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: to, at: output)
    input += Int64(count)
    output += Int64(count)
    return count
  }

  /// May return fewer bytes than `limit`, and 0 at end of file.
  private func read(_ file: CInt, at offset: Int64, limit: Int) throws -> Int {
    do {
      return try FileCalls.checked { pread(file, buffer.baseAddress, limit, off_t(offset)) }
    } catch { throw Reason.reading(error) }
  }

  /// Repeats partial writes of pwrite(2).
  private func write(_ bytes: UnsafeRawBufferPointer, to file: CInt, at offset: Int64) throws {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let start = off_t(offset + Int64(done))
      done += try Self.written { pwrite(file, rest.baseAddress, rest.count, start) }
    }
  }
  /// The result of a call on a file that was opened for writing: a disk in user space that permits it no
  /// more refuses what is in it.
  @discardableResult
  private static func written<Number: FixedWidthInteger>(_ call: () -> Number) throws -> Number {
    do { return try FileCalls.checked(call) } catch {
      switch error {
      case .notPermitted, .permissionDenied: throw Reason.notSupported
      default: throw error
      }
    }
  }
}
