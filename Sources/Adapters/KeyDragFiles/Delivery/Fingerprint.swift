import CXXHash
import Glibc

/// An order-independent digest of many entries: the sum of their 128-bit XXH3 digests. Folders list
/// entries in any order. Detects modified copies; not collision-resistant against attackers.
struct Fingerprint: Hashable, Sendable {
  private(set) var value: UInt128 = 0

  init() {}

  /// From the 16 bytes stored in the journal, little-endian.
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    for byte in bytes.reversed() { value = value << 8 | UInt128(byte) }
  }

  /// Sixteen, little-endian.
  var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  /// Adding a digest twice counts twice; the sum wraps.
  mutating func add(_ digest: UInt128) { value &+= digest }
}

/// Digests of one entry of a tree: its path and metadata.
///
/// ``untouched(_:_:)`` needs no reading, ``contents(_:_:_:)`` covers every byte and survives a copy
/// to another disk, and ``mark(_:_:)`` has 64 bits for large sets.
enum EntryDigest {
  /// Identifies the same, unmodified file.
  static func untouched(_ path: [UInt8], _ stamp: FileStamp) -> UInt128 {
    // A folder's times change with its entries, which have digests of their own.
    stamp.kind == .folder
      ? digest(path, [stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode)])
      : digest(
        path,
        [
          stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode), stamp.size, stamp.modified,
          stamp.changed,
        ])
  }

  /// Identifies the contents, regardless of the inode.
  ///
  /// - Parameter contents: 0 for a folder or a special file.
  static func contents(_ path: [UInt8], _ kind: FileKind, _ contents: UInt128) -> UInt128 {
    digest(
      path,
      [
        kind.rawValue, Int64(truncatingIfNeeded: contents),
        Int64(truncatingIfNeeded: contents >> 64),
      ])
  }

  /// Identifies a file that was read, before it is removed. 64 bits, because sets of these stay in
  /// memory while a tree is removed.
  static func mark(_ path: [UInt8], _ stamp: FileStamp) -> UInt64 {
    // Without the change time, which changes for all hard links when one is removed.
    let numbers: [Int64] =
      stamp.kind == .folder
      ? [stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode)]
      : [
        stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode), stamp.size, stamp.modified,
      ]
    return UInt64(truncatingIfNeeded: digest(path, numbers))
  }

  /// Hashes numbers in native byte order: digests are only compared on the same machine.
  private static func digest(_ path: [UInt8], _ numbers: [Int64]) -> UInt128 {
    withUnsafeTemporaryAllocation(byteCount: path.count + 8 * numbers.count, alignment: 8) {
      buffer in
      for (index, number) in numbers.enumerated() {
        buffer.storeBytes(of: number, toByteOffset: 8 * index, as: Int64.self)
      }
      UnsafeMutableRawBufferPointer(rebasing: buffer[(8 * numbers.count)...])
        .copyBytes(from: path)
      return UInt128(XXH3_128bits(buffer.baseAddress, buffer.count))
    }
  }
}

/// An incremental 128-bit XXH3 digest. Owns the library's state; not thread-safe.
struct ContentDigest: ~Copyable {
  /// `nil` only if out of memory.
  private let state: OpaquePointer?

  init() {
    state = XXH3_createState()
    start()
  }

  deinit { XXH3_freeState(state) }

  func start() { XXH3_128bits_reset(state) }

  func add(_ bytes: UnsafeRawBufferPointer) {
    // The bytes are consumed at once.
    XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
  }

  /// Adds the zeros of a sparse file's hole. Takes the time of hashing them, but only 64 KiB of
  /// memory.
  func addZeros(_ count: Int64) {
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 64) { zeros in
      zeros.initializeMemory(as: UInt8.self, repeating: 0)
      var left = count
      while left > 0 {
        let length = min(left, Int64(zeros.count))
        XXH3_128bits_update(state, zeros.baseAddress, Int(length))
        left -= length
      }
    }
  }

  /// Does not change the state: more may be added afterwards.
  var value: UInt128 { UInt128(XXH3_128bits_digest(state)) }

  static func of(_ bytes: [UInt8]) -> UInt128 {
    bytes.withUnsafeBytes { UInt128(XXH3_128bits($0.baseAddress, $0.count)) }
  }
}

extension UInt128 {
  fileprivate init(_ hash: XXH128_hash_t) {
    self = UInt128(hash.high64) << 64 | UInt128(hash.low64)
  }
}
