import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
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

  init(_ items: [(path: FilePath, isMoved: Bool)], to target: FilePath) {
    self.target = target
    var folders: [FilePath: FilePath] = [:]
    for item in items {
      let above = item.path.folder
      guard let name = item.path.name, let folder = folders[above] ?? above.withoutLinks else {
        continue
      }
      folders[above] = folder
      arriving[target.appending(name)] = folder.appending(name)
      if item.isMoved { leaving.insert(folder.appending(name)) }
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

  /// Where something is now that will have this path; `nil` if it will be gone.
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

  /// Speakable names of links at and below these paths that lead nowhere; empty if that takes long
  /// to find out.
  static func broken(at paths: [FilePath]) -> [String] {
    let found = BlockingResult<[String]>()
    Disk.begin {
      var left = most
      found.give(paths.flatMap { broken(at: $0, &left) })
    }
    return found.value(within: patience) ?? []
  }

  /// Limit on entries read.
  private static let most = 20_000
  private static let patience = DispatchTimeInterval.milliseconds(500)

  private static func broken(at path: FilePath, _ left: inout Int) -> [String] {
    guard let place = try? OpenedEntry(path).place,
      let walk = try? TreeWalk(place.folder, place.name, goesOn: true)
    else { return [] }
    var names: [String] = []
    while left > 0, let visit = try? walk.next() {
      left -= 1
      guard case .item(let name, let stamp) = visit, stamp.kind == .link else { continue }
      if case .failure(let reason) = FileStamp.look(at: name, in: walk.folder.raw, following: true),
        reason.isNowhere
      {
        names.append(SpokenName.file(name.bytes))
      }
    }
    return names
  }
}

extension Reason {
  /// Whether a link that can't be followed for this reason is broken.
  var isNowhere: Bool { [.gone, .notAFolder, .linkLoop].contains(self) }
}
