/// The kind of an item, in the few words that a listener needs while browsing.
public enum ItemKind: UInt8, Hashable, Sendable, CaseIterable {
  /// An ordinary file.
  case file
  /// A folder.
  case folder
  /// A symbolic link to a file, or to what can't be looked at.
  case link
  /// A symbolic link to a folder.
  case folderLink
  /// A FIFO, a socket or a device: it has a name but no contents to copy.
  case special
  /// Any other thing registered by a program.
  case object
  /// Stands in for something that is still being delivered.
  case placeholder
  /// A symbolic link that leads nowhere.
  case brokenLink

  /// Whether it can be opened to show more items.
  public var isFolder: Bool { self == .folder || self == .folderLink }
}
