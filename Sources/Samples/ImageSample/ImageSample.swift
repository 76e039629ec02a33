import KeyDrag
import Synchronization

/// One image in a frame: the image can be picked up, and the frame accepts another.
public final class ImageSample: Sendable {
  /// An accepted image, with its facts.
  public struct Shown: Sendable {
    public var name: String
    public var bytes: [UInt8]
    public var facts: PictureFacts
  }

  public let host: DragHost
  public let view: ContainerID
  private let pictures: any PictureReading
  private let types: any ContentTypes
  private let phrases: Phrasebook
  private let state = Mutex<(shown: Shown, registration: DragHost.Registration)?>(nil)

  /// Creates the frame.
  ///
  /// - Parameters:
  ///   - file: the name and the contents of the initial image.
  ///   - phrases: the wording of the view's name.
  /// - Throws: a ``Reason`` if the file is no image that can be shown.
  public init(
    file: (name: String, bytes: [UInt8])? = nil, pictures: any PictureReading,
    types: any ContentTypes = PlainContentTypes(), phrases: Phrasebook = Phrasebook()
  ) throws {
    self.pictures = pictures
    self.types = types
    self.phrases = phrases
    host = DragHost(types: types)
    // The name of a view with one image in a sample program.
    let name = phrases.phrase("Image")
    view = host.addContainer(name)
    host.declareEmpty(view)
    var frame = frame(name)
    frame.isContainer = true
    host.register(frame, in: view)
    // A place around an image in a sample program, where a drop does nothing.
    host.register(Self.surroundings(phrases.phrase("Outside the image")), in: view)
    if let file { show(try picture(file.name, file.bytes)) }
  }

  /// The image in the frame.
  public var shown: Shown? { state.withLock { $0?.shown } }

  /// The frame, as a drop point for drops and pastes.
  public func frame(_ name: String) -> DragHost.DropPoint {
    DragHost.DropPoint(name) { info in
      info.isInside
        ? .refused(.samePlace)
        : info.proposal(accepting: Picture.self, atMost: 1, offers: .copy)
    } performDrop: { [self] drop in
      guard let item = drop.items.first else { return }
      let loaded = try await drop.load(Picture.self)
      guard let dropped = loaded.first else { return }
      let new = try picture(item.provider.suggestedName, dropped.bytes)
      let old = shown
      drop.landed(show(new))
      drop.canBeUndone { [self] in
        try exchange(new, for: old)
      } redo: { [self] in
        try exchange(old, for: new)
      }
    }
  }

  private static func surroundings(_ name: String) -> DragHost.DropPoint {
    DragHost.DropPoint(name) { _ in
      DropProposal(.cancels)
    } performDrop: { _ in
    }
  }

  private func picture(_ name: String, _ bytes: [UInt8]) throws -> Shown {
    Shown(name: name, bytes: bytes, facts: try pictures.read(bytes))
  }

  /// Shows another image, or none, if the known one is still shown.
  private func exchange(_ known: Shown?, for new: Shown?) throws {
    guard shown?.name == known?.name, shown?.bytes == known?.bytes else { throw Reason.changed }
    guard let new else {
      state.withLock { state in
        defer { state = nil }
        return state?.registration
      }?.remove()
      return
    }
    show(new)
  }

  @discardableResult
  private func show(_ new: Shown) -> DragHost.Registration {
    let registration = host.register(
      DragHost.Source(description(of: new)) {
        try ItemProvider(
          suggestedName: new.name,
          representations: [Representation(new.facts.contentType, bytes: new.bytes)])
      }, in: view)
    let old = state.withLock { state in
      defer { state = (new, registration) }
      return state?.registration
    }
    old?.remove()
    return registration
  }

  private func description(of image: Shown) -> String {
    phrases.phrase(
      // An image in a sample program. %1$@ is its name, %2$@ its type (such as PNG image), %3$@ its
      // width and %4$@ its height, both in pixels.
      "%1$@, %2$@, %3$@ by %4$@", image.name, types.name(of: image.facts.contentType),
      phrases.number(image.facts.width), phrases.number(image.facts.height))
  }
}

struct Picture: DropReadable {
  static let acceptedTypes = ["image/*"]
  static let mostBytes: Int64 = 32 << 20
  var bytes: [UInt8]

  init(dragged data: [UInt8], contentType: String) { bytes = data }
}
