import CLibIntl
import Foundation
import Testing

@testable import KeyDragLocale

/// Our look-up beside that of the C library, over all that the catalogues hold.
@Suite("The look-up is the one that gettext has")
struct SystemLookUpTests {
  private static let counts: [UInt] = Array(0...120) + [200, 201, 1_000, 1_000_000, 2_000_001]

  /// From glibc 2.39 on nothing is looked up in a locale whose name begins with "C.".
  private static var isOld: Bool {
    let parts = String(cString: gnu_get_libc_version()).split(separator: ".").compactMap { Int($0) }
    return parts.lexicographicallyPrecedes([2, 39])
  }

  /// The messages in a binary catalogue, read without the code that is under test: with its context,
  /// and its plural where it has one.
  private static func messages(_ bytes: [UInt8]) -> [(one: String, other: String?)] {
    func word(_ offset: Int) -> Int {
      Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
    }
    return (0..<word(8)).map { index in
      let entry = word(12) + index * 8
      let text = bytes[word(entry + 4)..<word(entry + 4) + word(entry)]
      let parts = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return (parts.first ?? "", parts.dropFirst().first)
    }
  }

  @Test(
    "H12: every message of every catalogue is what libintl gives for it, in the form for each count",
    .enabled(if: isOld, "this C library looks nothing up without an installed locale"))
  func equal() async {
    // In a process of its own: a locale belongs to all threads.
    await #expect(processExitsWith: .success) {
      unsetenv("LANGUAGE")
      try #require(setlocale(LC_MESSAGES, "C.UTF-8") != nil)
      let scratch = try Scratch()
      let path = CataloguePath(environment: [:])
      var lookUps = 0
      for language in Project.languages {
        let file = try #require(
          path.folders.map { "\($0)/\(language)/LC_MESSAGES/keydrag.mo" }
            .first { FileManager.default.fileExists(atPath: $0) })
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        // A domain for each language, in the one locale that every system has.
        let domain = "keydrag-\(language)"
        try scratch.write(bytes, to: "C.UTF-8/LC_MESSAGES/\(domain).mo")
        try #require(bindtextdomain(domain, scratch.folder.path) != nil)
        bind_textdomain_codeset(domain, "UTF-8")
        let ours = try #require(MessageFile(bytes))
        let messages = Self.messages(bytes)
        #expect(messages.count > 300)
        for (one, other) in messages {
          let theirs = String(cString: dgettext(domain, one))
          #expect(ours.text(one) == theirs, "\(language): \(one)")
          lookUps += 1
          guard let other else { continue }
          for count in Self.counts {
            let theirs = String(cString: dngettext(domain, one, other, count))
            #expect(ours.text(one, count: Int(count)) == theirs, "\(language) \(count): \(one)")
            lookUps += 1
          }
        }
        for unknown in ["Never seen.", "", "\u{4}", "zzz", "~", "é"] where !unknown.isEmpty {
          #expect(String(cString: dgettext(domain, unknown)) == unknown)
          #expect(ours.text(unknown) == nil)
        }
      }
      #expect(lookUps > 30_000)
    }
  }
}
