/// Decodes pictures that come from outside, within bounds.
public protocol PictureReading: Sendable {
  /// Reads the size and the type of a picture.
  ///
  /// - Throws: ``Reason/malformed`` for what is no picture, or only the beginning of one;
  ///   ``Reason/tooBig`` for one with more pixels than are worth their memory.
  func read(_ data: [UInt8]) throws(Reason) -> PictureFacts
}

/// The facts of a picture.
public struct PictureFacts: Hashable, Sendable {
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// The type that it really has, whatever it was called.
  public var contentType: String

  /// The facts that a decoder has found; width and height in pixels.
  public init(width: Int, height: Int, contentType: String) {
    self.width = width
    self.height = height
    self.contentType = contentType
  }
}
