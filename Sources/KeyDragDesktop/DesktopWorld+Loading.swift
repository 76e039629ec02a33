import KeyDragCore

/// The carried items as another KeyDrag program receives them: files as themselves, clippings of
/// other programs in the forms that they were picked up in.
extension DesktopWorld: ItemLoading {
  /// Throws `gone` for an item no longer kept, `wrongType` for a form that it lacks.
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

  /// `nil` where the items' world offers none to others.
  private var files: (any ItemLoading)? { sources as? any ItemLoading }
}
