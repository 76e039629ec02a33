/// Decodes untrusted pictures, within limits.
public protocol PictureReading: Sendable {
  /// Reads the size and the type of a picture.
  ///
  /// - Throws: ``Reason/malformed`` if it is not a picture or truncated; ``Reason/tooBig`` if it
  ///   has too many pixels.
  func read(_ data: [UInt8]) throws(Reason) -> PictureFacts
}

/// The properties of a picture.
public struct PictureFacts: Hashable, Sendable {
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// The actual type, regardless of the declared one.
  public var contentType: String

  /// The properties found by a decoder; width and height in pixels.
  public init(width: Int, height: Int, contentType: String) {
    self.width = width
    self.height = height
    self.contentType = contentType
  }
}
