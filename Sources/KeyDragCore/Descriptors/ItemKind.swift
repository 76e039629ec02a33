/// The kind of a thing, in the few words a listener needs while browsing.
public enum ItemKind: UInt8, Hashable, Sendable, CaseIterable {
  /// An ordinary file.
  case file
  /// A folder.
  case folder
  /// A symbolic link to a file, or to nothing.
  case link
  /// A symbolic link to a folder.
  case folderLink
  /// A FIFO, a socket or a device: it has a name, but no contents that could be copied.
  case special
  /// Something a program registered that is none of these.
  case object
  /// Holds the place of something that is still being delivered.
  case placeholder

  /// Whether opening it shows more items.
  public var isFolder: Bool { self == .folder || self == .folderLink }
}
