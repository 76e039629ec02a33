import Dispatch
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// The system's clipboard as something that can be held: the files it names, or a text or a picture
/// that becomes one. Files that are held can be put there.
///
/// Reads and writes through a ``ClipboardAccess`` that the program puts in. Its private files go
/// with ``close()``.
package final class ClipboardGoods: Sendable {
  /// The clipboard's contents as they are picked up.
  enum Contents: Hashable, Sendable {
    /// Absolute paths and "file:" addresses; `isCut` where the program that has them wants them moved.
    case places([String], isCut: Bool)
    /// A private file, which goes at the end.
    case made(FilePath)
  }

  /// Answers on threads of its own.
  private let clipboard: any ClipboardAccess
  private let types: any ContentTypes
  private let files: GivenFiles
  /// Serial; everything that reads the disk for a look at the clipboard.
  private let queue = DispatchQueue(label: "keydrag.clipboard")
  /// What is to be done at the end.
  private let ending = Mutex((hasPut: false, hasMade: false))

  /// How a program of passwords says that it has put one there.
  ///
  /// Such a clipboard is refused: its text would be heard.
  private static let secret = "x-kde-passwordManagerHint"
  /// GNOME's list has a word before it: "copy" or "cut".
  private static let copied = "x-special/gnome-copied-files"
  private static let list = "text/uri-list"
  /// KDE's list is the plain one, with "1" here where it was cut.
  private static let cutMark = "application/x-kde-cutselection"
  /// Latin-1, by ICCCM 2.6.2.
  private static let latin = "STRING"
  /// Best first.
  private static let texts = [
    "text/plain;charset=utf-8", "UTF8_STRING", "text/plain;charset=UTF-8", "text/plain", latin,
  ]
  private static let pictures = ["image/png", "image/jpeg", "image/webp", "image/gif"]
  /// In the order in which they are looked for; one picture is read, not one in each form.
  private static let groups = [[secret], [copied, list, cutMark], texts] + pictures.map { [$0] }
  /// How much of a text is its name, in characters.
  private static let nameLength = 40
  /// In bytes: 64 MiB.
  private static let mostPicture: Int64 = 64 << 20
  /// For the clipboard to take what is put there.
  private static let patience = DispatchTimeInterval.seconds(8)

  /// - Parameter folder: a private folder is made in it once something has to become a file.
  package init(_ clipboard: any ClipboardAccess, types: any ContentTypes, folder: FilePath) {
    (self.clipboard, self.types) = (clipboard, types)
    files = GivenFiles(in: folder)
  }

  // MARK: Reading

  /// Asks for one group after the other: a group that nobody has, or that can't be used, leads to
  /// the next.
  ///
  /// - Throws: why there is nothing that can be carried.
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

  /// `nil` where these forms hold nothing that can be carried.
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

  /// Whether a form says that the files of the list were cut.
  private static func isCut(_ form: SelectedForm) -> Bool {
    switch form.contentType {
    case copied: form.bytes.prefix { $0 != 10 && $0 != 13 } == Array("cut".utf8)[...]
    case cutMark: form.bytes.first == UInt8(ascii: "1")
    default: false
    }
  }

  /// The files of a list; `nil` where any line is something else, such as an address of the web.
  ///
  /// Empty lines are passed over.
  static func places(_ list: [UInt8]) -> [String]? {
    let lines = list.split { $0 == 10 || $0 == 13 }.filter { line in
      // A comment of RFC 2483, or the word before GNOME's list.
      line.first != UInt8(ascii: "#") && line != Array("copy".utf8)[...]
        && line != Array("cut".utf8)[...]
    }
    return PlaceLines.read(Array(lines.joined(separator: [10])))
  }

  /// The paths that a text holds, or a file of it; `nil` for a text of blanks alone.
  private func text(_ bytes: [UInt8], isLatin: Bool) throws -> Contents? {
    let scalars = String.UnicodeScalarView(bytes.map { UnicodeScalar($0) })
    let text = isLatin ? String(scalars) : String(decoding: bytes, as: UTF8.self)
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    // What a terminal pastes as paths is files from here as well.
    if !isLatin, let places = PlaceLines.read(bytes) { return .places(places, isCut: false) }
    // Only as much is split as a name can hold of it.
    let words = text.prefix(400).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let name = String(words.prefix(Self.nameLength))
    return .made(try make(isLatin ? Array(text.utf8) : bytes, name, Self.plain))
  }

  private static let plain = "text/plain"

  /// Makes a private file; throws where it can't be written.
  ///
  /// - Parameters:
  ///   - name: the beginning of its text, or empty for the name of its type.
  private func make(_ bytes: [UInt8], _ name: String, _ type: String) throws -> FilePath {
    try files.beginWriting()
    defer { files.endWriting() }
    ending.withLock { $0.hasMade = true }
    let share = files.share()
    // No other program is given it.
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

  /// Puts files there; may block. Answers why that did not work, `nil` where it did.
  ///
  /// At most 8 s, then ``Reason/notResponding``; the clipboard may take them all the same.
  func put(_ paths: [FilePath]) -> Reason? {
    let paths = paths.map(\.absolute)
    let list = FileList.uriList(paths)
    // Its lines are not ended, but parted.
    let lines = list.split { $0 == 10 || $0 == 13 }.joined(separator: [10])
    var forms: [SelectedForm] = [
      (Self.copied, Array("copy\n".utf8) + Array(lines)), (Self.list, list),
    ]
    if let picture = picture(paths) { forms.append(picture) }
    let text = FileList.text(paths)
    forms += ["text/plain;charset=utf-8", "UTF8_STRING", Self.plain].map { ($0, text) }
    let answer = LateAnswer<Reason?>()
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

  /// One picture is pasted as a picture as well.
  ///
  /// - Returns: `nil` for more than one file, and for one that is no picture, or too large.
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

  /// Has what was put there stay, and removes the private files. May block.
  ///
  /// To be called once, last.
  func close() {
    let ending = ending.withLock { $0 }
    if ending.hasPut { clipboard.settle() }
    if ending.hasMade { files.remove() }
  }
}

extension Preparation {
  /// Nothing could be picked up, for a reason that is about no item of its own.
  static func refused(_ reason: Reason) -> Preparation {
    Preparation(items: [], refused: [DeliveryFailure(name: "", reason: reason)])
  }
}
