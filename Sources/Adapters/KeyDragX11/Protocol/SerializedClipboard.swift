/// Clipboard contents, serialised for the process that keeps holding them, see `ClipboardHolder`.
/// Pure. Atoms are the display's own numbers: the receiver is on the same display.
struct SerializedClipboard: Hashable, Sendable {
  /// In the order offered, at most 64; each with the type it was given in.
  var forms: [SelectionFetch.Form]
  /// The server time at which it was put into the clipboard. Taking over with it takes nothing from
  /// a program that has copied since: the server refuses an older time.
  var time: UInt32
  /// Longest time to hold it, in milliseconds; 0 until somebody else copies.
  var lifetime: UInt32 = 0

  private static let mark = Array("keydrag-clipboard-1\n".utf8)
  /// As many as ``SelectionFetch`` reads.
  private static let mostForms = 64
  /// 64 MiB, all forms together.
  private static let mostBytes = SelectionFetch.Limits().whole
  /// Atoms never have their upper three bits set.
  private static let atoms: ClosedRange<UInt32> = 1...0x1FFF_FFFF

  static let longest = mark.count + 12 + mostForms * 12 + mostBytes

  // MARK: Bytes

  /// `nil` beyond the limits. 32-bit little-endian numbers: time, lifetime, number of forms; for
  /// each form its target, type and length, then its bytes.
  var bytes: [UInt8]? {
    let sum = forms.reduce(0) { $0 + $1.bytes.count }
    guard !forms.isEmpty, forms.count <= Self.mostForms, sum <= Self.mostBytes else { return nil }
    var result = Self.mark
    result.reserveCapacity(Self.mark.count + 12 + forms.count * 12 + sum)
    func add(_ word: UInt32) { withUnsafeBytes(of: word.littleEndian) { result += $0 } }
    for word in [time, lifetime, UInt32(forms.count)] { add(word) }
    for form in forms {
      for word in [form.target.rawValue, form.type.rawValue, UInt32(form.bytes.count)] { add(word) }
      result += form.bytes
    }
    return result
  }

}

extension SerializedClipboard {
  /// `nil` for anything but a complete parcel. Untrusted: lengths are checked before anything is
  /// copied.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.longest, bytes.starts(with: Self.mark) else { return nil }
    var rest = bytes[Self.mark.count...]
    func word() -> UInt32? {
      guard rest.count >= 4 else { return nil }
      defer { rest = rest.dropFirst(4) }
      return rest.prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    guard let time = word(), let lifetime = word(), let count = word(),
      (1...UInt32(Self.mostForms)).contains(count)
    else { return nil }
    var forms: [SelectionFetch.Form] = []
    for _ in 0..<count {
      guard let target = word(), let type = word(), let length = word(),
        Self.atoms.contains(target), Self.atoms.contains(type), length <= rest.count
      else { return nil }
      forms.append(
        .init(
          target: XAtom(rawValue: target), type: XAtom(rawValue: type),
          bytes: Array(rest.prefix(Int(length)))))
      rest = rest.dropFirst(Int(length))
    }
    guard rest.isEmpty else { return nil }
    self.init(forms: forms, time: time, lifetime: lifetime)
  }
}
