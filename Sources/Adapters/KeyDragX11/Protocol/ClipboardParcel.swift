/// A clipboard's contents, as bytes for the process that goes on holding it.
///
/// Atoms are the display's own numbers: who opens the parcel is on the same display.
///
/// Pure. Handed to a process that lives longer than this one, see `ClipboardHolder`.
struct ClipboardParcel: Hashable, Sendable {
  /// In the order in which they were offered. At most 64; each with the type that it was given in.
  var forms: [SelectionFetch.Form]
  /// The server's time at which it was put into the clipboard. Who takes the clipboard over with it
  /// takes nothing away from a program that has copied since: the server refuses an older time.
  var time: UInt32
  /// How long it is held at most; milliseconds, 0 for as long as nobody else copies.
  var lifetime: UInt32 = 0

  /// The first line names the format and its version.
  private static let mark = Array("keydrag-clipboard-1\n".utf8)
  /// As many as are read from a clipboard.
  ///
  /// See ``SelectionFetch``.
  private static let mostForms = 64
  /// 64 MiB, all forms together.
  private static let mostBytes = SelectionFetch.Limits().whole
  /// The upper bits of a number that names an atom are never set.
  private static let atoms: ClosedRange<UInt32> = 1...0x1FFF_FFFF

  /// No parcel has more bytes than this.
  static let longest = mark.count + 12 + mostForms * 12 + mostBytes

  init(forms: [SelectionFetch.Form], time: UInt32, lifetime: UInt32 = 0) {
    (self.forms, self.time, self.lifetime) = (forms, time, lifetime)
  }

  // MARK: Bytes

  /// `nil` for more than is held.
  ///
  /// Numbers are of 32 bits, lowest byte first: time, lifetime, number of forms; for each form its
  /// target, type and length, and its bytes.
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

  /// `nil` for bytes that are no parcel, or one that is torn.
  ///
  /// Nothing of the bytes is trusted: lengths are compared with what is there before anything is
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
