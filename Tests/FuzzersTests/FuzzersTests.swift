import Foundation
import Testing

/// The corpus that CONTRIBUTING.md speaks of, and a few changes of it, in processes of their own.
@Suite("Readers of bytes from outside", .timeLimit(.minutes(2)))
struct FuzzersTests {
  @Test("H14 The corpus and changes of it end no reader, and nothing unsafe is read")
  func corpus() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "keydrag-fuzzers")
    let found = NSTemporaryDirectory() + "keydrag-fuzzers-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: found) }
    process.arguments = ["--inputs", "100", "--found", found]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(text)")
    #expect(text.split(separator: "\n").count > 10, "\(text)")
  }
}
