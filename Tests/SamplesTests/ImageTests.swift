import ImageSample
import KeyDrag
import KeyDragPictures
import Testing

/// Small pictures, made here.
enum PictureBytes {
  /// The head of a PNG of any size, with no pixels in it.
  static func head(width: UInt32, height: UInt32) -> [UInt8] {
    let size = [width, height].flatMap { number in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    return signature + chunk("IHDR", size + [8, 0, 0, 0, 0])
  }

  /// The beginning of a picture that would fill more memory than there is.
  static var bomb: [UInt8] {
    head(width: 60_000, height: 60_000) + chunk("IDAT", [0x78, 0x01, 0x01, 2, 0, 0xFD, 0xFF, 0, 0])
  }

  /// One grey pixel: its data is deflated without compression.
  static var dot: [UInt8] {
    head(width: 1, height: 1)
      + chunk("IDAT", [0x78, 0x01, 0x01, 2, 0, 0xFD, 0xFF, 0, 0x80, 0, 0x82, 0, 0x81])
      + chunk("IEND", [])
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    return bytes(UInt32(data.count)) + body + bytes(checksum(body))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
  }

  private static func checksum(_ data: [UInt8]) -> UInt32 {
    ~data.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}

@Suite("Pictures from outside are decoded within bounds")
struct PixbufPicturesTests {
  private let pictures = PixbufPictures()

  @Test("A picture tells its size and what it really is")
  func facts() throws {
    let facts = try pictures.read(PictureBytes.dot)
    #expect(facts == PictureFacts(width: 1, height: 1, contentType: "image/png"))
  }

  @Test("60,000 by 60,000 pixels are refused before there is memory for them")
  func tooBig() {
    #expect(throws: Reason.tooBig) { try pictures.read(PictureBytes.bomb) }
  }

  @Test("What is cut off anywhere, or is no picture, is malformed")
  func malformed() {
    let whole = PictureBytes.dot
    for count in 1..<(whole.count - 12) {
      #expect(throws: Reason.malformed, "\(count) bytes") {
        try pictures.read(Array(whole.prefix(count)))
      }
    }
    #expect(throws: Reason.malformed) { try pictures.read(Array("no picture at all".utf8)) }
    #expect(throws: Reason.nothingThere) { try pictures.read([]) }
  }
}

@Suite("The sample of an image")
struct ImageSampleTests {
  private func sample(isEmpty: Bool = false) throws -> ImageSample {
    try ImageSample(file: isEmpty ? nil : ("dot.png", PictureBytes.dot), pictures: PixbufPictures())
  }

  private func provider(_ type: String, _ bytes: [UInt8]) throws -> ItemProvider {
    try ItemProvider(suggestedName: "new", representations: [Representation(type, bytes: bytes)])
  }

  @Test("S07, S10: outside the frame a drop of the image in it cancels")
  func inside() async throws {
    let sample = try sample()
    let run = await SampleRun.ready(sample.host)
    #expect(await run.perform(.whereAmI, until: "item").hasPrefix("dot.png, image/png, 1 by 1"))
    #expect(
      await run.perform(.pickUp, until: "drop-point")
        == "Outside the image, in Image: a drop here cancels. 1 of 1")
    await run.perform(.drop, until: "cancelled")
    #expect(sample.shown?.name == "dot.png")
    await run.end()
  }

  @Test("H08: the image that was replaced is shown again, and the new one after that")
  func undo() async throws {
    let sample = try sample()
    let other = sample.host.addContainer("Other")
    let image = try provider("image/png", PictureBytes.dot)
    sample.host.register(DragHost.Source("new.png") { image }, in: other)
    let run = await SampleRun.ready(sample.host)
    await run.perform(.nextContainer, until: "item")
    await run.drag(to: "image")
    #expect(sample.shown?.name == "new")
    #expect(await run.perform(.undo, until: "undone") == "Took back: new.png out of Image.")
    #expect(sample.shown?.name == "dot.png")
    await run.perform(.redo, until: "redone")
    #expect(sample.shown?.name == "new")
    #expect(sample.host.registry[sample.view]?.sources?.count == 1)
    await run.end()
  }

  @Test("S10: the image is in its own frame already, and that is said before the drop")
  func ontoItself() async throws {
    let sample = try sample()
    let run = await SampleRun.ready(sample.host)
    await run.perform(.pickUp, until: "drop-point")
    run.type("image")
    #expect(await run.heard("drop-point") == "Image: refuses, it is there already.")
    #expect(
      await run.perform(.drop, until: "refused")
        == "Image refuses. It is there already. Still held.")
    #expect(sample.shown?.name == "dot.png")
    await run.perform(.cancel, until: "cancelled")
    #expect(await run.perform(.undo, until: "nothing-to-undo") == "Nothing to undo.")
    await run.end()
  }

  @Test("S08: without an image there is nothing to pick up")
  func empty() async throws {
    let run = await SampleRun.ready(try sample(isEmpty: true).host)
    #expect(await run.perform(.pickUp, until: "nothing-to-pick-up") == "Nothing to pick up.")
    await run.end()
  }

  @Test("S09: one image is taken; a text and two images are refused for different reasons")
  func acceptance() async throws {
    let sample = try sample(isEmpty: true)
    let frame = sample.frame("Image")
    let image = try provider("image/png", PictureBytes.dot)
    let text = try provider("text/plain", [65])
    let host = sample.host
    await #expect(throws: Reason.wrongType) { try await host.paste([text], into: frame) }
    await #expect(throws: Reason.tooMany) { try await host.paste([image, image], into: frame) }
    try await host.paste([image], into: frame)
    #expect(sample.shown?.facts == PictureFacts(width: 1, height: 1, contentType: "image/png"))
  }

  @Test("A picture that can't be decoded changes nothing")
  func damaged() async throws {
    let sample = try sample()
    let frame = sample.frame("Image")
    let bomb = try provider("image/png", PictureBytes.bomb)
    let torn = try provider("image/png", Array(PictureBytes.dot.prefix(40)))
    let host = sample.host
    await #expect(throws: Reason.tooBig) { try await host.paste([bomb], into: frame) }
    await #expect(throws: Reason.malformed) { try await host.paste([torn], into: frame) }
    #expect(sample.shown?.name == "dot.png")
    #expect(host.registry[sample.view]?.sources?.count == 1)
  }
}
