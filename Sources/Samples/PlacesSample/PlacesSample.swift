import KeyDrag

/// Names of places, in a list that can be reordered and one to copy them to.
///
/// A list accepts one text at a time from outside, or with `several` any number; rows move inside
/// it while its edit mode is on.
public struct PlacesSample: Sendable {
  public let host: DragHost
  public let places: DragList<PlaceName>
  public let journey: DragList<PlaceName>

  /// Creates the lists.
  ///
  /// - Parameters:
  ///   - several: whether more than one text can be dropped at once.
  ///   - phrases: the wording of the lists' names.
  public init(
    names: [String] = PlacesSample.names, several: Bool = false,
    types: any ContentTypes = PlainContentTypes(), phrases: Phrasebook = Phrasebook()
  ) {
    host = DragHost(types: types)
    // The name of a list of places in a sample program.
    places = PlacesSample.list(phrases.phrase("Places"), several, host)
    // The name of a second list of places in a sample program: where to travel to.
    journey = PlacesSample.list(phrases.phrase("Journey"), several, host)
    places.insert(names.map(PlaceName.init))
  }

  private static func list(
    _ name: String, _ several: Bool, _ host: DragHost
  ) -> DragList<PlaceName> {
    DragList(
      name, in: host, isEditing: false, accepting: PlaceName.self, atMost: several ? .max : 1
    ) { place in
      DragHost.Source(place.suggestedName) { place }
    } rows: { (place: PlaceName) in
      [place]
    }
  }

  /// The default names.
  public static let names = [
    "Alhambra", "Angkor Wat", "Delphi", "Grand Canyon", "Iguazú Falls", "Kilimanjaro",
    "Machu Picchu", "Mont-Saint-Michel", "Petra", "Uluru", "Victoria Falls", "Yellowstone",
  ]
}

/// A place's name: plain text only.
public struct PlaceName: DragRepresentable, DropReadable, Hashable {
  public static let representedTypes = ["text/plain"]
  public static let acceptedTypes = ["text/plain"]
  /// Enough for a name, not for a book.
  public static let mostBytes: Int64 = 65_536

  public var text: String

  public init(_ text: String) { self.text = text }

  public init(dragged data: [UInt8], contentType: String) throws {
    text = try String(dragged: data, contentType: contentType)
    guard text.contains(where: { !$0.isWhitespace }) else { throw Reason.nothingThere }
  }

  public var suggestedName: String { text.suggestedName }

  public func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] { Array(text.utf8) }
}
