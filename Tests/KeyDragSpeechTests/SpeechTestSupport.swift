import Glibc
import KeyDragCore
import Testing

@testable import KeyDragSpeech

/// How long a recording may take to end, in seconds: all tests of this process share the one thread
/// of the library, and wait for each other there.
let patience = 600.0

/// A folder of the test's own, removed with all that is in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/keydrag-speech-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var result: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { result.append(name) }
    }
    return result
  }
}

/// All bytes of a file; empty when there is none.
func contents(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var result: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 65_536)
  while case let count = read(descriptor, &block, block.count), count > 0 {
    result += block[..<count]
  }
  return result
}

func put(_ bytes: [UInt8], into path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
  defer { close(descriptor) }
  _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

/// Samples from little-endian bytes.
func decodedSamples(_ bytes: some Collection<UInt8>) -> [Int16] {
  let bytes = Array(bytes)
  return stride(from: 0, to: bytes.count - 1, by: 2).map {
    Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
  }
}

/// A recording taken apart by the letter of the format, apart from the code that writes it.
struct Recording {
  var rate: Int
  var samples: [Int16]

  init(_ path: String) throws {
    let bytes = contents(path)
    try #require(bytes.count >= 72)
    func number(_ offset: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    #expect(bytes[0..<4].elementsEqual("RIFF".utf8))
    #expect(number(4, 4) == number(68, 4) + 64)
    #expect(bytes[8..<16].elementsEqual("WAVEfmt ".utf8))
    #expect(number(16, 4) == 16)
    #expect([number(20, 2), number(22, 2), number(32, 2), number(34, 2)] == [1, 1, 2, 16])
    #expect(number(28, 4) == number(24, 4) * 2)
    #expect(bytes[36..<40].elementsEqual("LIST".utf8) && number(40, 4) == 20)
    #expect(bytes[44..<52].elementsEqual("INFOISFT".utf8) && number(52, 4) == 8)
    #expect(bytes[56..<64].elementsEqual("KeyDrag\0".utf8))
    #expect(bytes[64..<68].elementsEqual("data".utf8))
    try #require(bytes.count >= 72 + number(68, 4))
    rate = number(24, 4)
    samples = decodedSamples(bytes[72..<72 + number(68, 4)])
  }
}

/// Work done with the real library, on its thread.
func withLibrary<Result: Sendable>(
  _ body: @escaping @Sendable (EspeakLibrary) -> Result
) async throws -> Result {
  let result: Result? = await withCheckedContinuation { continuation in
    EspeakExecutor.shared.submit { library in continuation.resume(returning: library.map(body)) }
  }
  return try #require(result, "espeak-ng's voice data was not found")
}

func phonemes(_ text: String, language: String = "en") async throws -> String {
  try await withLibrary { library in
    _ = library.select(language: language, settings: SpeechSettings())
    return library.phonemes(text)
  }
}

/// The samples of a text, made alone.
func bareSamples(_ text: String, language: String = "en") async throws -> [Int16] {
  try await withLibrary { library in
    _ = library.select(language: language, settings: SpeechSettings())
    var result: [Int16] = []
    library.synthesize(SpeechText.forVoice(text)) { block in
      result.append(contentsOf: block)
      return true
    }
    return result
  }
}

extension Utterance {
  init(_ text: String, language: String = "en", earcon: Earcon? = nil) {
    self.init(text: text, language: language, earcon: earcon)
  }
}
