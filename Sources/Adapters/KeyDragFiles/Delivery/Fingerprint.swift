import CXXHash
import Glibc

/// The digest of many things in no particular order: 128-bit digests (XXH3) of each, added up.
struct Fingerprint: Hashable, Sendable {
  private(set) var value: UInt128 = 0

  init() {}

  /// From 16 stored bytes, lowest first; anything else is no fingerprint.
  init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    for byte in bytes.reversed() { value = value << 8 | UInt128(byte) }
  }

  var bytes: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }

  mutating func add(_ digest: UInt128) { value &+= digest }
}

/// The digest of one entry of a tree: where it is in the tree and what is known of it.
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
  static func contents(_ path: [UInt8], _ kind: FileKind, _ contents: UInt128) -> UInt128 {
    digest(
      path,
      [
        kind.rawValue, Int64(truncatingIfNeeded: contents),
        Int64(truncatingIfNeeded: contents >> 64),
      ])
  }

  /// That it is what was read, before anything of it is removed.
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
struct ContentDigest: ~Copyable {
  private let state: OpaquePointer?

  init() {
    state = XXH3_createState()
    start()
  }

  deinit { XXH3_freeState(state) }

  /// Forgets what has been added.
  func start() { XXH3_128bits_reset(state) }

  func add(_ bytes: UnsafeRawBufferPointer) {
    XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
  }

  /// `count` zeros: a hole of a sparse file.
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
