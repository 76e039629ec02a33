#if DEBUG || FUZZERS
  import CLinux
  import Foundation
  import KeyDragTypes
  import SystemPackage

  @testable import KeyDragCore
  @testable import KeyDragFiles
  @testable import KeyDragPeer
  @testable import KeyDragRuntime

  extension SystemPrograms: ProgramStarting {}

  extension FuzzReader {
    /// A visitor of a real folder with open files in its hands. Each line is a message, in which PLACE is the
    /// folder's number; one behind "@" and a byte answers a request for contents, in which LOAD is the
    /// request's number, and hands over what the byte says.
    static let hostileVisitors = FuzzReader(
      name: "hostile visitors",
      words: peers.words + [
        "\n", "\n@\u{1}", "PLACE", "LOAD", "2e2e2f", "6f6c642e747874", #""clash":"replace""#,
        #""kind":1"#, #""suggested":"../x""#, #""suggested":"old.txt""#, #""first":1"#,
      ],
      seeds: Gift.allCases.flatMap { gift in (0...1).map { visit(bringing: gift, kind: $0) } },
      share: 200
    ) { bytes in
      let base = scratch("visitor")
      try? FileManager.default.removeItem(atPath: base)
      for folder in ["", "/Docs", "/gifts", "/gifts/many", "/precious"] {
        mkdir(base + folder, 0o700)
      }
      for file in ["/Docs/old.txt", "/gifts/gift", "/gifts/many/a", "/precious/shadow"] {
        make(base + file, Data("own".utf8))
      }
      symlink("../../precious/shadow", base + "/gifts/many/link")
      symlink("..", base + "/gifts/many/way")
      link(base + "/precious/shadow", base + "/gifts/many/twin")
      mkfifo(base + "/gifts/many/pipe", 0o600)
      let before = facts(base)
      do {
        let hasLanded = try visit(FilePath(base), saying: bytes)
        for (path, fact) in facts(base) where before[path] != fact && path != base + "/Docs" {
          must(path.hasPrefix(base + "/Docs/") && !path.hasSuffix("/old.txt"), "changed: \(path)")
          var status = stat()
          // A name that is no text is not found by its path.
          guard lstat(path, &status) == 0 else { continue }
          let kind = status.st_mode & S_IFMT
          // A link in a folder is copied as one.
          let isLink = kind == S_IFLNK && path.dropFirst(base.count + 6).contains("/")
          let isPlain = kind == S_IFREG && status.st_nlink == 1
          must(isLink || isPlain || kind == S_IFDIR, "landed: \(path)")
          must(isLink || status.st_mode & (S_ISUID | S_ISGID | S_IWOTH) == 0, "open: \(path)")
        }
        return hasLanded
      } catch {
        must(false, "no visit: \(error)")
        return false
      }
    }

    /// What a visitor may hand over.
    private enum Gift: UInt8, CaseIterable {
      case nothing, file, folder, pathOnly, pipe, socket, zeros, writeOnly, huge

      func open(in base: String) -> Int32 {
        var pair: [Int32] = [-1, -1]
        switch self {
        case .nothing: return -1
        case .file: return Glibc.open(base + "/gifts/gift", O_RDONLY)
        case .folder: return Glibc.open(base + "/gifts/many", O_RDONLY)
        // `O_PATH`, which Glibc's module leaves out.
        case .pathOnly: return Glibc.open(base + "/precious/shadow", 0o10_000_000)
        case .pipe: _ = Glibc.pipe(&pair)
        case .socket: _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
        case .zeros: return Glibc.open("/dev/zero", O_RDONLY)
        case .writeOnly: return Glibc.open(base + "/gifts/gift", O_WRONLY)
        case .huge:
          let file = Glibc.open(base + "/gifts", O_RDWR | __O_TMPFILE, 0o600)
          ftruncate(file, 1 << 44)
          return file
        }
        close(pair[1])
        return pair[0]
      }
    }

    private static func visit(bringing gift: Gift, kind: Int) -> [UInt8] {
      let type = kind == 0 ? "text/plain" : "inode/directory"
      let lines = [
        #"{"kind":"items","body":{"drag":1,"first":0,"items":[{"name":"gift","kind":\#(kind),"#
          + #""types":["\#(type)"],"typeName":"text","file":"67696674"},{"name":"words","kind":0,"#
          + #""types":["text/plain"],"typeName":"text"}]}}"#,
        #"{"kind":"ask","body":{"question":1,"drag":1,"stops":[{"point":PLACE,"position":1}],"#
          + #""isFinal":true}}"#,
        #"{"kind":"deliver","body":{"delivery":1,"drag":1,"stop":{"point":PLACE,"position":1},"#
          + #""operation":"copy","clash":"keep-both"}}"#,
      ]
      return Array(lines.joined(separator: "\n").utf8) + Array("\n".utf8) + giving(gift)
    }

    private static func giving(_ gift: Gift) -> [UInt8] {
      [UInt8(ascii: "@"), gift.rawValue] + Array(#"{"kind":"loading","body":{"load":LOAD}}"#.utf8)
    }

    /// Visits the folder Docs; whether something has been delivered there.
    private static func visit(_ base: FilePath, saying bytes: [UInt8]) throws -> Bool {
      let courier = JournaledCourier(flushesToDevice: false, folder: FilePath("\(base)-state"))
      let files = FilesWorld(
        roots: [base.appending("Docs")], types: SystemContentTypes(), programs: SystemPrograms(),
        delivering: courier, canTrash: { courier.canTrash($0) })
      let world = CompositeWorld([files])
      world.observe { _ in }
      defer { world.close() }
      let folder = try PeerFolder(path: scratch("meeting"))
      let service = try PeerService(in: folder, program: "served", places: world)
      defer { service.close() }
      _ = waiting {
        try? await world.list(.container(files.roots[0].id), includingHidden: false) { _ in }
      }
      let line = try PeerLine(to: service.socketName, in: folder, patience: 200)
      line.say(hello)
      line.say(.list)
      var place: UInt64 = 0
      while let message = line.next(), message != .told {
        if case .places(let places) = message { place = places.points.first?.id ?? place }
      }
      let plain = bytes.split(separator: UInt8(ascii: "\n")).map {
        Array($0).replacing(Array("PLACE".utf8), with: Array("\(place)".utf8))
      }
      var answers = plain.filter { $0.first == UInt8(ascii: "@") }[...]
      var awaited: Set<UInt32> = []
      for body in plain where body.first != UInt8(ascii: "@") {
        line.write(PeerFraming.bytes(message: body))
        if case .deliver(let order)? = try? PeerCodec.message(body) {
          awaited.insert(order.delivery)
        }
      }
      line.say(.list)
      var isTold = false
      var hasLanded = false
      var pieces = 3
      while !isTold || !awaited.isEmpty, let message = line.next() {
        switch message {
        case .told: isTold = true
        case .finished(let result):
          awaited.remove(result.delivery)
          hasLanded = hasLanded || result.delivered > 0
        case .load(let load):
          // A file is asked for before the drop, too.
          let answer =
            (load.type != nil ? nil : answers.count > 1 ? answers.popFirst() : answers.first)
            ?? giving(.nothing)
          let file =
            Gift(rawValue: (answer.dropFirst().first ?? 0) % 9)?.open(in: base.string) ?? -1
          defer { close(file) }
          let body = Array(answer.dropFirst(2))
          line.write(
            PeerFraming.bytes(
              message: body.replacing(Array("LOAD".utf8), with: Array("\(load.load)".utf8))),
            file)
        case .more(let more):
          pieces -= 1
          line.write(PeerFraming.bytes(piece: pieces > 0 ? [97] : [], load: more.load))
        default: break
        }
      }
      return hasLanded
    }
  }
#endif
