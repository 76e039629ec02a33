import KeyDragCore

/// The items carried here as another KeyDrag program gets them: files as themselves, clippings of
/// other programs in the forms that they were picked up with.
extension DesktopWorld: ItemLoading {
  /// Throws `gone` for what is not kept any more, `wrongType` for a form that it has not.
  package func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let clipping = clippings[source] else {
      guard let files else { throw Reason.gone }
      return try await files.open(source, as: contentType, progress: progress)
    }
    guard let form = clipping.forms.first(where: { $0.contentType == contentType }) else {
      throw Reason.wrongType
    }
    guard let bytes = await form.load() else { throw Reason.gone }
    return ItemStream(bytes)
  }

  package func filePath(of source: DragSourceID) -> [UInt8]? { files?.filePath(of: source) }

  package func openFile(_ source: DragSourceID) async throws -> Int32 {
    guard let files else { throw Reason.gone }
    return try await files.openFile(source)
  }

  package func typesForEveryone(of item: DragItem) -> [String] {
    files?.typesForEveryone(of: item) ?? item.types
  }

  package func suggestedName(of item: DragItem) -> String {
    files?.suggestedName(of: item) ?? item.name
  }

  /// `nil` where the items' world gives none to others.
  private var files: (any ItemLoading)? { sources as? any ItemLoading }
}
