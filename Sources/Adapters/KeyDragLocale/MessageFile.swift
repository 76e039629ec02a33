import Glibc

/// A binary catalogue, as msgfmt writes it.
///
/// libintl maps such a file and believes every number in it, so one that is damaged or made to do
/// harm could end the program: it is looked through before libintl gets to see it.
struct MessageFile {
  /// A larger file is none of ours.
  static let largest = 4 << 20

  private let bytes: [UInt8]
  private let count: Int
  private let originals: Int
  private let translations: Int

  /// The file at a path; nothing when it can't be read or is not sound.
  init?(path: String) {
    guard let bytes = MessageFile.read(path) else { return nil }
    self.init(bytes)
  }

  /// The format is described in gettext's manual, "The Format of GNU MO Files".
  init?(_ bytes: [UInt8]) {
    func word(_ index: Int) -> Int { MessageFile.word(in: bytes, at: index * 4) }
    // In the byte order that msgfmt writes everywhere; revision 0 has no parts that depend on the
    // system.
    guard bytes.count >= 28, bytes.count <= MessageFile.largest, word(0) == 0x9504_12DE,
      word(1) == 0
    else { return nil }
    (count, originals, translations) = (word(2), word(3), word(4))
    self.bytes = bytes
    guard count > 0, areStringsSound(originals), areStringsSound(translations),
      isTableSound(size: word(5), offset: word(6)), string(0, of: originals).isEmpty,
      MessageHeader.isSound(string(0, of: translations))
    else { return nil }
  }

  private static func word(in bytes: [UInt8], at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }

  private func fits(_ offset: Int, _ length: Int) -> Bool {
    offset >= 28 && offset % 4 == 0 && length <= bytes.count && offset <= bytes.count - length
  }

  /// A table of lengths and offsets; every string ends inside of the file, with a zero.
  private func areStringsSound(_ table: Int) -> Bool {
    guard count <= bytes.count / 8, fits(table, count * 8) else { return false }
    return (0..<count).allSatisfy { index in
      let (offset, length) = place(index, of: table)
      return offset >= 28 && length < bytes.count && offset < bytes.count - length
        && bytes[offset + length] == 0
    }
  }

  private func place(_ index: Int, of table: Int) -> (offset: Int, length: Int) {
    (
      MessageFile.word(in: bytes, at: table + index * 8 + 4),
      MessageFile.word(in: bytes, at: table + index * 8)
    )
  }

  private func string(_ index: Int, of table: Int) -> ArraySlice<UInt8> {
    let (offset, length) = place(index, of: table)
    return bytes[offset..<offset + length]
  }

  /// The hash table. libintl steps through it until it finds an empty place: there has to be one,
  /// and the size has to be prime, or it steps for ever.
  private func isTableSound(size: Int, offset: Int) -> Bool {
    guard size > 2 else { return true }
    guard size <= bytes.count / 4, fits(offset, size * 4), MessageFile.isPrime(size) else {
      return false
    }
    let places = (0..<size).map { MessageFile.word(in: bytes, at: offset + $0 * 4) }
    return places.contains(0) && places.allSatisfy { $0 <= count }
  }

  private static func isPrime(_ number: Int) -> Bool {
    var divisor = 2
    while divisor * divisor <= number {
      if number % divisor == 0 { return false }
      divisor += 1
    }
    return number > 1
  }

  /// Never waits, whatever lies at the path.
  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= largest
    else { return nil }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      while filled < size, let start = buffer.baseAddress {
        let got = Glibc.read(descriptor, start + filled, size - filled)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
    return bytes.count == size ? bytes : nil
  }
}
