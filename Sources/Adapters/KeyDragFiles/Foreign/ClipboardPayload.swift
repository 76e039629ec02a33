import Dispatch
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// The clipboard's files, or its text or image saved as a file, as a drag payload; also puts files
/// on the clipboard. Private files are removed by ``close()``.
package final class ClipboardPayload: Sendable {
  enum Contents: Hashable, Sendable {
    /// Absolute paths and `file:` URIs; `isCut` if the owner wants them moved.
    case places([String], isCut: Bool)
    /// A private file, removed on exit.
    case made(FilePath)
  }

  /// Replies on threads of its own.
  private let clipboard: any ClipboardAccess
  private let types: any ContentTypes
  private let files: OutgoingFiles
  /// Serial; for the disk access of clipboard reads.
  private let queue = DispatchQueue(label: "keydrag.clipboard")
  private let ending = Mutex((hasPut: false, hasMade: false))

  /// Password managers' marker. Such contents are refused, since they would be spoken.
  private static let secret = "x-kde-passwordManagerHint"
  /// GNOME's file list, preceded by "copy" or "cut".
  private static let copied = "x-special/gnome-copied-files"
  private static let list = "text/uri-list"
  /// KDE's marker beside the plain list: "1" if cut.
  private static let cutMark = "application/x-kde-cutselection"
  /// Latin-1, by ICCCM 2.6.2.
  private static let latin = "STRING"
  /// Best first.
  private static let texts = [
    "text/plain;charset=utf-8", "UTF8_STRING", "text/plain;charset=UTF-8", "text/plain", latin,
  ]
  private static let pictures = ["image/png", "image/jpeg", "image/webp", "image/gif"]
  /// In lookup order; only one image format is read.
  private static let groups = [[secret], [copied, list, cutMark], texts] + pictures.map { [$0] }
  /// Characters of a text that make up its file name.
  private static let nameLength = 40
  /// In bytes.
  private static let mostPicture: Int64 = 64 << 20
  private static let patience = DispatchTimeInterval.seconds(8)

  /// - Parameter folder: parent of the private folder, which is created with the first file.
  package init(_ clipboard: any ClipboardAccess, types: any ContentTypes, folder: FilePath) {
    (self.clipboard, self.types) = (clipboard, types)
    files = OutgoingFiles(in: folder)
  }

  // MARK: Reading

  /// Requests one group of formats after the other; unavailable or unusable ones lead to the next.
  ///
  /// - Throws: why nothing can be picked up.
  func read() async throws(Reason) -> Contents {
    for group in Self.groups {
      let forms: [SelectedForm]
      do throws(Reason) {
        forms = try await clipboard.read(group)
      } catch {
        switch error {
        case .wrongType, .programFailed: continue
        case .nothingThere: throw .emptyClipboard
        case .noDisplay: throw .noClipboard
        default: throw error
        }
      }
      let contents: Contents? = try await answered { reply in
        queue.async { [self] in
          reply(Result { try self.contents(forms) }.mapError(Reason.init))
        }
      }
      if let contents { return contents }
    }
    throw .wrongType
  }

  private func contents(_ forms: [SelectedForm]) throws -> Contents? {
    for form in forms where !form.bytes.isEmpty {
      switch form.contentType {
      case Self.secret:
        if form.bytes.starts(with: Array("secret".utf8)) { throw Reason.password }
      case Self.copied, Self.list:
        if let places = Self.places(form.bytes) {
          return .places(places, isCut: forms.contains(where: Self.isCut))
        }
      case Self.cutMark: continue
      case let type where Self.texts.contains(type):
        if let contents = try text(form.bytes, isLatin: type == Self.latin) { return contents }
      default: return .made(try make(form.bytes, "", form.contentType))
      }
    }
    return nil
  }

  private static func isCut(_ form: SelectedForm) -> Bool {
    switch form.contentType {
    case copied: form.bytes.prefix { $0 != 10 && $0 != 13 } == Array("cut".utf8)[...]
    case cutMark: form.bytes.first == UInt8(ascii: "1")
    default: false
    }
  }

  /// The files of a list, ignoring empty lines; `nil` if any line is something else, such as a web
  /// address.
  static func places(_ list: [UInt8]) -> [String]? {
    let lines = list.split { $0 == 10 || $0 == 13 }.filter { line in
      // Skips comments (RFC 2483) and GNOME's first line.
      line.first != UInt8(ascii: "#") && line != Array("copy".utf8)[...]
        && line != Array("cut".utf8)[...]
    }
    return PathListParser.read(Array(lines.joined(separator: [10])))
  }

  /// The paths in a text, or else the text as a file; `nil` for whitespace only.
  private func text(_ bytes: [UInt8], isLatin: Bool) throws -> Contents? {
    let scalars = String.UnicodeScalarView(bytes.map { UnicodeScalar($0) })
    let text = isLatin ? String(scalars) : String(decoding: bytes, as: UTF8.self)
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    // Paths work as they do when pasted into a terminal.
    if !isLatin, let places = PathListParser.read(bytes) { return .places(places, isCut: false) }
    // Splits only as much as a name can hold.
    let words = text.prefix(400).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let name = String(words.prefix(Self.nameLength))
    return .made(try make(isLatin ? Array(text.utf8) : bytes, name, Self.plain))
  }

  private static let plain = "text/plain"

  /// Writes a private file.
  ///
  /// - Parameter name: the text's beginning; empty to use the type's name.
  private func make(_ bytes: [UInt8], _ name: String, _ type: String) throws -> FilePath {
    try files.beginWriting()
    defer { files.endWriting() }
    ending.withLock { $0.hasMade = true }
    let share = files.share()
    // No other program receives it.
    files.settle(share)
    let path = try files.makeFolder(for: share)
    let file = try PartFile(in: try OpenFolder(path))
    try file.append(bytes)
    let suffix = types.fileExtension(for: type).map { "." + $0 } ?? ""
    let wished = ItemName.file(for: name, ending: suffix, fallback: types.name(of: type))
    let made = try file.finish(as: FileName(wished), count: Int64(bytes.count)) { [files] in
      files.note($0, $1, in: path)
    }
    return path.appending(made)
  }

  // MARK: Writing

  /// Puts files on the clipboard; may block. Returns the reason on failure. Times out after 8 s
  /// with ``Reason/notResponding``, although the clipboard may still take the files.
  func put(_ paths: [FilePath]) -> Reason? {
    let paths = paths.map(\.absolute)
    let list = FileList.uriList(paths)
    // GNOME's lines are separated, not terminated.
    let lines = list.split { $0 == 10 || $0 == 13 }.joined(separator: [10])
    var forms: [SelectedForm] = [
      (Self.copied, Array("copy\n".utf8) + Array(lines)), (Self.list, list),
    ]
    if let picture = picture(paths) { forms.append(picture) }
    let text = FileList.text(paths)
    forms += ["text/plain;charset=utf-8", "UTF8_STRING", Self.plain].map { ($0, text) }
    let answer = BlockingResult<Reason?>()
    ending.withLock { $0.hasPut = true }
    Task { [clipboard, offered = forms] in
      do throws(Reason) {
        try await clipboard.put(offered)
        answer.give(nil)
      } catch {
        answer.give(error == .noDisplay ? .noClipboard : error)
      }
    }
    return answer.value(within: Self.patience) ?? .notResponding
  }

  /// A single image is also offered as an image; `nil` for several files, other files and large
  /// images.
  private func picture(_ paths: [FilePath]) -> SelectedForm? {
    guard paths.count == 1, let path = paths.first, let name = path.lastComponent,
      let stamp = try? FileCalls.status(path), stamp.kind == .file, stamp.size <= Self.mostPicture
    else { return nil }
    let type = types.type(forName: name.string, head: nil)
    let most = Int(Self.mostPicture)
    guard Self.pictures.contains(type),
      let read = FileCalls.head(of: path, most: most, head: most), read.isWhole
    else { return nil }
    return (type, read.bytes)
  }

  /// Hands the contents over so that they outlive this process, and removes private files. May
  /// block. Call once, last.
  func close() {
    let ending = ending.withLock { $0 }
    if ending.hasPut { clipboard.settle() }
    if ending.hasMade { files.remove() }
  }
}

extension PreparedItems {
  /// Nothing was picked up, for a reason that concerns no single item.
  static func refused(_ reason: Reason) -> PreparedItems {
    PreparedItems(items: [], refused: [DeliveryFailure(name: "", reason: reason)])
  }
}
