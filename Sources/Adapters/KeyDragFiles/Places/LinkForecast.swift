import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// A symbolic link that is carried or lies in a carried folder.
struct CarriedLink: Sendable {
  /// The carried item, as it was picked up.
  var item: FilePath
  /// Path below the item, with a leading "/"; empty for the item itself.
  var inside: [UInt8]
  var text: FilePath

  /// Safe to speak.
  var name: String { FilePath(rawBytes: item.rawBytes + inside).spokenName }
}

/// Resolves symbolic links as if a drop had been done. May block.
struct LinkForecast {
  /// Carried items by the paths they will have. All paths are free of links.
  private var arriving: [FilePath: FilePath] = [:]
  /// Their old paths, if they are moved.
  private var leaving: Set<FilePath> = []
  private let target: FilePath

  /// - Parameter items: as in ``origins(of:)``.
  init(_ items: [(origin: FilePath, isMoved: Bool)], to target: FilePath) {
    self.target = target
    for item in items {
      guard let name = item.origin.name else { continue }
      arriving[target.appending(name)] = item.origin
      if item.isMoved { leaving.insert(item.origin) }
    }
  }

  /// Paths without links in their folders, in order; `nil` for one that can't be resolved.
  static func origins(of items: [FilePath?]) -> [FilePath?] {
    var folders: [FilePath: FilePath?] = [:]
    return items.map { item in
      guard let item, let name = item.name else { return nil }
      let folder = folders[item.folder] ?? item.folder.withoutLinks
      folders.updateValue(folder, forKey: item.folder)
      return folder?.appending(name)
    }
  }

  /// As path_resolution(7); `false` where that can't be known.
  func leadsNowhere(_ link: CarriedLink) -> Bool {
    guard let name = link.item.name else { return false }
    var folder = FilePath(rawBytes: target.appending(name).rawBytes + link.inside).folder
    var rest: [FilePath.Component] = []
    func follow(_ text: FilePath) {
      if text.isAbsolute { folder = "/" }
      rest += text.components.reversed()
    }
    follow(link.text)
    var links = 0
    while let part = rest.popLast() {
      switch part.kind {
      case .currentDirectory: continue
      case .parentDirectory: folder.goUp()
      case .regular:
        let next = folder.appending(bytes: part.bytes)
        guard let there = current(next) else { return true }
        switch FileStamp.look(at: there, following: false) {
        case .failure(let reason): return reason.isNowhere
        case .success(let facts) where facts.kind != .link: folder = next
        case .success:
          links += 1
          guard links <= Self.mostLinks else { return true }
          let name = FileName(bytes: there.rawBytes)
          guard let text = try? FileCalls.linkText(AT_FDCWD, name) else { return false }
          follow(FilePath(rawBytes: text))
        }
      }
    }
    return false
  }

  /// Limit of Linux on links in one path.
  private static let mostLinks = 40

  /// The present path of something that will have this one; `nil` if it will be gone.
  private func current(_ path: FilePath) -> FilePath? {
    var above = path
    repeat {
      if let old = arriving[above] {
        return FilePath(rawBytes: old.rawBytes + path.rawBytes.dropFirst(above.length))
      }
      if leaving.contains(above) { return nil }
    } while above.goUp()
    return path
  }

  // MARK: After a drop

  /// Speakable names of links at and below these paths that lead nowhere, as far as they are found
  /// in a moment.
  static func broken(at paths: [FilePath]) -> [String] {
    let names = Mutex<[String]>([])
    let done = BlockingResult<Void>()
    let end = DispatchTime.now() + patience
    Disk.begin {
      var left = most
      for path in paths where left > 0 {
        find(at: path, until: end, &left) { name in names.withLock { $0.append(name) } }
      }
      done.give()
    }
    _ = done.value(until: end)
    return names.withLock(\.self)
  }

  /// Limit on entries read.
  static let most = 20_000
  private static let patience = DispatchTimeInterval.milliseconds(500)

  private static func find(
    at path: FilePath, until end: DispatchTime, _ left: inout Int, told: (String) -> Void
  ) {
    guard let place = try? OpenedEntry(path).place,
      let walk = try? TreeWalk(place.folder, place.name, goesOn: true)
    else { return }
    while left > 0, let visit = try? walk.next() {
      left = .now() < end ? left - 1 : 0
      guard case .item(let name, let stamp) = visit, stamp.kind == .link else { continue }
      if case .failure(let reason) = FileStamp.look(at: name, in: walk.folder.raw, following: true),
        reason.isNowhere
      {
        told(SpokenName.file(name.bytes))
      }
    }
  }
}

extension Reason {
  /// Whether a link that can't be followed for this reason is broken.
  var isNowhere: Bool { [.gone, .notAFolder, .linkLoop].contains(self) }
}
