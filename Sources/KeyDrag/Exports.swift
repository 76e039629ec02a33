// What an app writes its descriptors, items and proposals with.
@_exported import KeyDragCore
