import Foundation
import KeyDragCore
import Testing
import Thorough
import _FoundationICU

/// The table of letters that look alike, against the ICU that the toolchain brings.
///
/// With `KEYDRAG_WRITE_GOLDEN=1` in the environment the table is written anew instead.
struct LookAlikesTests {
  private static let table = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/KeyDragCore/Items/LookAlikes.txt").standardized

  /// Scalars that are listed where they look like others: nothing unseen, and no syllable.
  private static var scalars: some Sequence<Unicode.Scalar> {
    (UInt32(0)...0x10FFFF).lazy.filter { !(0xAC00...0xD7A3).contains($0) }
      .compactMap(Unicode.Scalar.init).filter {
        $0.properties.generalCategory != .unassigned && $0.properties.generalCategory != .privateUse
          && !$0.properties.isDefaultIgnorableCodePoint
      }
  }

  @Test("H14 Each letter looks as Unicode's confusables say, capitals also where small, and wide")
  func table() throws {
    let detector = try Detector()
    if ProcessInfo.processInfo.environment["KEYDRAG_WRITE_GOLDEN"] != nil {
      return try write(detector)
    }
    // Most are ideographs, of which nearly all look like themselves alone.
    let tried = Self.scalars.filter {
      Thorough.isOn || $0.value < 0x3400 || $0.value.isMultiple(of: 16)
    }
    let wrong = tried.filter { ConfusableLetters.look(of: $0) ?? [$0] != detector.look(of: $0) }
    #expect(wrong.isEmpty, "\(wrong.map { String($0.value, radix: 16) })")
  }

  @Test("H14 A Korean syllable looks like its parts, as Unicode's confusables say")
  func syllables() throws {
    let detector = try Detector()
    let wrong = (UInt32(0xAC00)...0xD7A3).compactMap(Unicode.Scalar.init).filter {
      ConfusableLetters.look(of: $0) != detector.skeleton($0)
    }
    #expect(wrong.isEmpty, "\(wrong)")
  }

  private func write(_ detector: Detector) throws {
    let rows = Dictionary(grouping: Self.scalars, by: detector.look).map { look, all in
      (look: look, all: all.filter { look != [$0] })
    }
    let text = rows.filter { !$0.all.isEmpty }
      .sorted { $0.look.lexicographicallyPrecedes($1.look) }
      .map { Self.text($0.look) + "\t" + Self.text($0.all) + "\n" }.joined()
    try Data(text.utf8).write(to: Self.table)
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  /// ICU's own, and what differs from it.
  private struct Detector {
    private let checker: OpaquePointer

    init() throws {
      var status = U_ZERO_ERROR
      checker = try #require(swift_uspoof_open(&status))
      try #require(status == U_ZERO_ERROR)
    }

    func skeleton(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
      var status = U_ZERO_ERROR
      var buffer = [CChar](repeating: 0, count: 256)
      let count = swift_uspoof_getSkeletonUTF8(
        checker, 0, String(scalar), Int32(String(scalar).utf8.count), &buffer,
        Int32(buffer.count), &status)
      let bytes = buffer.prefix(Int(count)).map(UInt8.init(bitPattern:))
      return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    func look(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
      let isWide = (0xFF01...0xFF5E).contains(scalar.value)
      let narrow = isWide ? Unicode.Scalar(scalar.value - 0xFEE0) : nil
      let own = skeleton(scalar)
      return (own == [scalar] ? narrow.map(skeleton) ?? own : own).map(capital)
    }

    /// Small capitals by their letters. Kra, which Cyrillic "к" looks like, is one in all but its name.
    private func capital(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
      if scalar == "\u{138}" { return "K" }
      let name = scalar.properties.name ?? ""
      let isSmall = name.hasPrefix("LATIN LETTER SMALL CAPITAL ") && name.utf8.count == 28
      return isSmall ? name.unicodeScalars.last ?? scalar : scalar
    }
  }
}
