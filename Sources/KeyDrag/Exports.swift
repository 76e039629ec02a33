// The types in which an app writes its descriptors, items and proposals.
@_exported import KeyDragCore
