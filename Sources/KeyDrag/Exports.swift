// Re-exports the types of an app's descriptors, items and proposals.
@_exported import KeyDragCore
