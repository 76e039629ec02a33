/// Decodes pictures that come from outside, within bounds.
public protocol PictureReading: Sendable {
  /// What a picture is.
  ///
  /// - Throws: ``Reason/malformed`` for what is no picture, or only the beginning of one;
  ///   ``Reason/tooBig`` for one with more pixels than are worth their memory.
  func read(_ data: [UInt8]) throws(Reason) -> PictureFacts
}

/// What is said of a picture.
public struct PictureFacts: Hashable, Sendable {
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// What it really is, whatever it was called.
  public var contentType: String

  /// What a decoder has found; width and height in pixels.
  public init(width: Int, height: Int, contentType: String) {
    self.width = width
    self.height = height
    self.contentType = contentType
  }
}
