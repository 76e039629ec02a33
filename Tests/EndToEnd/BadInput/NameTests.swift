import Glibc
import RealPrograms
import Testing

/// A name that is trouble for a terminal, a synthesizer or a path.
enum BadName: String, CaseIterable, CustomTestStringConvertible {
  case newline, escape, invalid, rightToLeft, longest

  var testDescription: String { rawValue }

  var bytes: [UInt8] {
    switch self {
    case .newline: Array("zz\nline".utf8)
    case .escape: Array("zz\u{1B}[31mred\u{7}".utf8)
    case .invalid: Array("zz".utf8) + [0xFF, 0xFE, 0x80]
    case .rightToLeft: Array("zz\u{202E}txt.exe".utf8)
    case .longest: Array(repeating: UInt8(ascii: "z"), count: 255)
    }
  }
}

@Suite("Names that are trouble", .realPrograms(by: .test))
struct NameTests {
  private func make(_ name: BadName, in folder: String) {
    let path = Array((folder + "/").utf8) + name.bytes + [0]
    let descriptor = path.withUnsafeBufferPointer { path in
      path.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600) } ?? -1
      }
    }
    #expect(descriptor >= 0)
    close(descriptor)
  }

  @Test("K19: a name of one blank, and blanks at an end, are heard")
  func blanks() throws {
    let stage = try Stage("Inbox/ ", "Inbox/a.txt ", "Docs/")
    let run = try stage.files("Inbox", "Docs", keys: #"ctrl+a space "docs" f5 enter"#)
    #expect(run.status == 0, "\(run)")
    for name in ["\u{FFFD}20", "a.txt\u{FFFD}20"] { #expect("\(run)".contains(name)) }
    #expect(stage.list("Docs").sorted() == [" ", "a.txt "])
  }

  private func names(in path: String) -> [[UInt8]] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names
  }

  @Test(
    "A name is carried byte for byte, and said with nothing raw in it", arguments: BadName.allCases)
  func carried(name: BadName) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    make(name, in: stage.path("Inbox"))
    let run = try stage.files("Inbox", "Docs", keys: #"end space f2 "docs" enter ctrl+z ctrl+y"#)
    #expect(run.status == 0, "\(run)")
    #expect(names(in: stage.path("Docs")) == [name.bytes])
    for record in run.records.announcements {
      let isClean = record.text.unicodeScalars.allSatisfy { scalar in
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
          && scalar.properties.generalCategory != .format
      }
      #expect(isClean, "\(record)")
    }
  }

  @Test("On standard output as text, nothing raw appears either", arguments: BadName.allCases)
  func text(name: BadName) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    make(name, in: stage.path("Inbox"))
    let run = try stage.run(
      ["files", "Inbox", "Docs", "--keys", #"end space "docs" enter"#, "--speech", "off"],
      transcript: false)
    let allowed = run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }
    #expect(allowed, "\(run)")
    #expect(run.output.contains("Copied z"))
  }

  @Test(
    "What is wrong on the command line is quoted with nothing raw in it",
    arguments: [
      ["files", "\u{1B}[31m", "--keys", ""], ["files", "--keys", "\u{1B}]0;x\u{7}"],
      ["files", "--speech", "\u{1B}[31m"], ["copy", "\u{1B}[31m", "--to", "Inbox"],
      ["files", "--\u{1B}[31m"], ["files", "Inbox", "--keys", "", "--config", "\u{1B}[31m"],
      ["files", "Inbox", "--keys", "", "--transcript", "no/\u{1B}[31m"],
    ])
  func commandLine(arguments: [String]) throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.run(arguments, transcript: false)
    #expect([64, 66].contains(run.status), "\(run)")
    #expect(!run.errors.isEmpty)
    #expect(!(run.errors + run.output).unicodeScalars.contains("\u{1B}"), "\(run)")
    #expect(!(run.errors + run.output).unicodeScalars.contains("\u{7}"))
  }
}
