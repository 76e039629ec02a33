import FoundationEssentials
import Testing

extension Stage {
  /// A picture of one point.
  private static func picture() throws -> Data {
    try #require(
      Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhg"
          + "GAWjR9awAAAABJRU5ErkJggg=="))
  }

  /// Writes a PNG image of 1 by 1.
  func makePicture(_ path: String) throws {
    try make(path, "")
    try Self.picture().write(to: URL(filePath: self.path(path)))
  }

  func pictureInHexadecimal() throws -> String {
    try Self.picture().map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// Whether it is that image, byte for byte.
  func isPicture(_ path: String) throws -> Bool {
    FileManager.default.contents(atPath: self.path(path)) == (try Self.picture())
  }
}
