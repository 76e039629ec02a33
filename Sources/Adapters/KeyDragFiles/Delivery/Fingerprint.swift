import CXXHash
import Glibc

/// The digest of many things in no particular order: 128-bit digests (XXH3) of each, added up.
///
/// Adding makes the order irrelevant: folders give their names in any. Not a defence against
/// somebody who looks for two trees with the same sum; it recognises a copy that was changed.
struct Fingerprint: Hashable, Sendable {
  private(set) var value: UInt128 = 0

  init() {}

  /// From 16 stored bytes, lowest first; anything else is no fingerprint.
  ///
  /// As read from the journal.
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    for byte in bytes.reversed() { value = value << 8 | UInt128(byte) }
  }

  /// Sixteen, lowest first.
  var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  /// Twice the same digest counts twice. The sum wraps.
  mutating func add(_ digest: UInt128) { value &+= digest }
}

/// The digest of one entry of a tree: where it is in the tree and what is known of it.
///
/// Three strengths: ``untouched(_:_:)`` needs no reading, ``contents(_:_:_:)`` reads every byte and
/// survives a copy to another disk, ``mark(_:_:)`` is 64 bits for sets of many entries.
enum EntryDigest {
  /// That it is the same thing and that nothing has been written to it.
  static func untouched(_ path: [UInt8], _ stamp: FileStamp) -> UInt128 {
    // A folder's own times change whenever something goes in or out; its entries speak for it.
    stamp.kind == .folder
      ? digest(path, [stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode)])
      : digest(
        path,
        [
          stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode), stamp.size, stamp.modified,
          stamp.changed,
        ])
  }

  /// The digest of the contents, whatever bears them.
  ///
  /// - Parameter contents: 0 for a folder and for a special file.
  static func contents(_ path: [UInt8], _ kind: FileKind, _ contents: UInt128) -> UInt128 {
    digest(
      path,
      [
        kind.rawValue, Int64(truncatingIfNeeded: contents),
        Int64(truncatingIfNeeded: contents >> 64),
      ])
  }

  /// That it is what was read, before anything of it is removed. Cut to 64 bits: sets of them stay
  /// in memory while a tree is removed.
  static func mark(_ path: [UInt8], _ stamp: FileStamp) -> UInt64 {
    // No change time: taking away one name of a file with several changes it for the others.
    let numbers: [Int64] =
      stamp.kind == .folder
      ? [stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode)]
      : [
        stamp.kind.rawValue, Int64(bitPattern: stamp.identity.inode), stamp.size, stamp.modified,
      ]
    return UInt64(truncatingIfNeeded: digest(path, numbers))
  }

  /// Hashes numbers in this machine's byte order: what is stored is compared on this machine only.
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

/// The digest of contents that come piece by piece.
///
/// XXH3 with 128 bits. Owns the library's state, which it frees; not for two threads at once.
struct ContentDigest: ~Copyable {
  /// `nil` only where there was no memory.
  private let state: OpaquePointer?

  init() {
    state = XXH3_createState()
    start()
  }

  deinit { XXH3_freeState(state) }

  /// Forgets what has been added.
  func start() { XXH3_128bits_reset(state) }

  func add(_ bytes: UnsafeRawBufferPointer) {
    // Bytes are read at once: nothing points to them afterwards.
    XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
  }

  /// `count` zeros: a hole of a sparse file. Takes as long as hashing so many bytes does; no memory
  /// is used but 64 KiB.
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

  /// May be asked before more is added: the state is not changed by it.
  var value: UInt128 { UInt128(XXH3_128bits_digest(state)) }

  /// All at once, without a state.
  static func of(_ bytes: [UInt8]) -> UInt128 {
    bytes.withUnsafeBytes { UInt128(XXH3_128bits($0.baseAddress, $0.count)) }
  }
}

extension UInt128 {
  fileprivate init(_ hash: XXH128_hash_t) {
    self = UInt128(hash.high64) << 64 | UInt128(hash.low64)
  }
}
