import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Moves bytes between two open files by the cheapest way the file systems allow.
///
/// One object serves all files of a delivery: it owns a buffer of 1 MiB, page-aligned, and the
/// digest's state. Neither may be shared, so the object belongs to the thread that works on the
/// delivery. Three ways exist, tried from the cheapest: a clone that shares blocks (FICLONE), a
/// copy inside the kernel (copy_file_range(2)), and bytes through the buffer. Every offset and
/// length here is in bytes.
final class ContentCopy {
  /// Up to this length a file is read and written in one piece and its digest is taken on the way.
  /// 128 KiB.
  static let smallest: Int64 = 131_072
  /// Below this length a hole saves nothing. 16 KiB.
  private static let smallestSparse: Int64 = 16_384
  /// Between two looks at the person's wish to stop. 16 MiB: one call of copy_file_range(2) can't
  /// be interrupted by us.
  private static let piece = 16 << 20

  /// ext4, as statfs(2) numbers it: with room set aside for all of a large file first it was measured
  /// to be copied a fifth faster. tmpfs would fill that room with zeros.
  private static let reserving: Int64 = 0xEF53

  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
  private let digest = ContentDigest()
  private let meter: Meter
  /// Cleared by the first clone that fails, for whatever reason: most file systems know none, and
  /// the next file would fail alike.
  private var mayClone = true
  /// Cleared by the first error that says the kernel can't copy between these two file systems.
  private var mayDelegate = true

  init(meter: Meter) { self.meter = meter }

  deinit { buffer.deallocate() }

  /// Copies all of a file of the given length.
  ///
  /// - Returns: the digest of what was read, or `nil` when the kernel did the copying and none was
  ///   asked for.
  /// - Throws: `Reason.changed` when the file is not as long as it was said to be.
  /// - Throws: `CancelledByPerson` between two pieces, `Errno` for what the system answers. The
  ///   target then holds an incomplete file, which the caller removes.
  /// - Parameters:
  ///   - stamp: the source as it was opened: its size decides how many bytes are expected.
  ///   - digesting: whether a digest is wanted. It rules out the two ways on which no byte is seen
  ///     here.
  func copy(
    from: CInt, _ stamp: FileStamp, to: CInt, digesting: Bool
  ) throws -> UInt128? {
    let isSparse = stamp.stored < stamp.size && stamp.size > Self.smallestSparse
    if !isSparse, digesting || stamp.size <= Self.smallest {
      return try copyThroughBuffer(from: from, to: to, size: stamp.size)
    }
    // FICLONE takes the whole file or nothing: no offset has to be undone when it fails.
    if !digesting, clone(from: from, to: to) {
      try meter.add(stamp.size)
      return nil
    }
    if isSparse {
      return try copyWithHoles(from: from, to: to, size: stamp.size, digesting: digesting)
    }
    // Where there is no room for all of it, the copy itself finds out.
    if stamp.size >= Self.piece, clinux_file_system_type(to) == Self.reserving {
      _ = clinux_reserve(to, stamp.size)
    }
    try copyRange(from: from, to: to, 0..<stamp.size)
    return nil
  }

  /// The files of /proc and /sys tell no length, or a wrong one: their contents are made as they are
  /// read.
  ///
  /// - Returns: the digest; `nil` where the file is none of them.
  func copyGenerated(from: CInt, _ stamp: FileStamp, to: CInt) throws -> UInt128? {
    guard Self.isGenerated(stamp, from) else { return nil }
    try FileCalls.checked { ftruncate(to, 0) }
    digest.start()
    var offset: Int64 = 0
    while true {
      try meter.check()
      let count = try read(from, at: offset, limit: buffer.count)
      if count == 0 { return digest.value }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      try write(bytes, to: to, at: offset)
      digest.add(bytes)
      offset += Int64(count)
    }
  }

  /// Whether it is such a file.
  static func isGenerated(_ stamp: FileStamp, _ file: CInt) -> Bool {
    stamp.stored == 0 && generating.contains(clinux_file_system_type(file))
  }

  /// proc, sysfs, cgroup2, debugfs, tracefs and securityfs, as statfs(2) numbers them.
  private static let generating: Set<Int64> = [
    0x9fa0, 0x6265_6572, 0x6367_7270, 0x6462_6720, 0x7472_6163, 0x7363_6673,
  ]

  /// The digest of a file's contents as they are stored.
  ///
  /// Blocks while the whole file is read. Throws `Reason.changed` where the length is not `size`.
  func digest(of file: CInt, size: Int64) throws -> UInt128 {
    digest.start()
    var offset: Int64 = 0
    while true {
      try meter.check()
      let count = try read(file, at: offset, limit: buffer.count)
      if count == 0 { break }
      digest.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += Int64(count)
    }
    guard offset == size else { throw Reason.changed }
    return digest.value
  }

  /// `false` where the file system can't share blocks, or the two files lie on different ones.
  private func clone(from: CInt, to: CInt) -> Bool {
    guard mayClone else { return false }
    mayClone = clinux_clone(to, from) == 0
    return mayClone
  }

  /// Copies by read and write, and takes the digest of what was read on the way.
  private func copyThroughBuffer(from: CInt, to: CInt, size: Int64) throws -> UInt128 {
    digest.start()
    var offset: Int64 = 0
    // One byte more than expected is asked for, so that a file that grows is noticed.
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
      // The look at the file that follows tells whether it grew behind its last byte.
      if offset == size, count < limit { break }
    }
    guard offset == size else { throw Reason.changed }
    return digest.value
  }

  /// Copies the written ranges alone, so that holes take no room at the target either.
  ///
  /// The digest counts a hole as the zeros that a reader would get. Throws `Reason.changed` where
  /// the file got shorter while it was copied.
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
      // SEEK_HOLE finds an implied hole at the end of every file, so this fails for none that has
      // data.
      let hole = try FileCalls.checked { clinux_seek_hole(from, start) }
      // A hole where data was found a moment ago: somebody cut or punched the file.
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

  /// Start of the next written range, or `size` where only a hole follows, for which lseek(2)
  /// answers ENXIO.
  private func nextData(in file: CInt, at offset: Int64, size: Int64) throws -> Int64 {
    let start = clinux_seek_data(file, offset)
    if start >= 0 { return min(size, start) }
    let error = Errno(rawValue: errno)
    // Nothing but a hole follows.
    guard error == .noSuchAddressOrDevice else { throw Reason.reading(error) }
    return size
  }

  /// Copies one written range through the buffer; a range that ends early has been cut meanwhile.
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

  /// Copies one written range without a digest, in pieces between which the person may stop it.
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

  /// Lets the kernel copy, or does it here where it can't.
  ///
  /// Returns how many bytes were copied, 0 at the end of the source, and moves both offsets on by
  /// as many.
  private func delegate(
    from: CInt, _ input: inout Int64, to: CInt, _ output: inout Int64, limit: Int
  ) throws -> Int {
    if mayDelegate {
      let count = clinux_copy_file_range(from, &input, to, &output, limit)
      if count >= 0 { return count }
      // EXDEV: two kinds of file systems, or any two before Linux 5.3. EINVAL, EOPNOTSUPP: the file
      // system has no such call. ENOSYS: the kernel has none. EPERM: what a sandbox that filters
      // calls may answer. EIO: of either file, and the buffer tells of which. None of these has moved
      // a byte, so the buffer goes on at the same offset.
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

  /// May return fewer bytes than `limit`, and 0 at the end of the file.
  private func read(_ file: CInt, at offset: Int64, limit: Int) throws -> Int {
    do {
      return try FileCalls.checked { pread(file, buffer.baseAddress, limit, off_t(offset)) }
    } catch { throw Reason.reading(error) }
  }

  /// Writes all of it: pwrite(2) may take less than it is given.
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
