#if DEBUG || FUZZERS
  import Foundation
  import KeyDragThreads
  import PeerBasket
  import SystemPackage

  @testable import KeyDragConfiguration
  @testable import KeyDragCore
  @testable import KeyDragFiles
  @testable import KeyDragLocale
  @testable import KeyDragPeer

  /// What other programs and people do to the program that runs, and not to a reader alone.
  extension FuzzReader {
    // MARK: A hostile peer

    /// Another program on real sockets. The first byte says whether it visits or shows places; each line is
    /// a message, a piece behind "#" and the number of a load, or bytes as they are behind "!".
    static let hostilePeers = FuzzReader(
      name: "hostile peers", words: peers.words + ["\n", "\n#\u{1}", "\n!", #""question":1"#],
      seeds: [
        Array("v".utf8) + dialogue(peerMessages.filter { $0 != .list }) + Array("\n#\u{1}ab".utf8),
        Array("w".utf8) + dialogue(peerMessages), Array("v\n{}\n!\u{0}\u{0}\u{0}\u{2}\u{1}".utf8),
      ],
      share: 100
    ) { bytes in
      let rest = frames(bytes.dropFirst())
      do {
        return try (bytes.first ?? 0) % 2 == 0 ? visit(saying: rest) : show(saying: rest)
      } catch {
        must(false, "no other program: \(error)")
        return false
      }
    }

    private static func dialogue(_ messages: [PeerMessage]) -> [UInt8] {
      Array(messages.compactMap(PeerCodec.bytes).joined(separator: Array("\n".utf8)))
    }

    private static func frames(_ bytes: some Collection<UInt8>) -> [UInt8] {
      bytes.split(separator: UInt8(ascii: "\n")).flatMap { line in
        switch line.first {
        case UInt8(ascii: "#"):
          PeerFraming.bytes(
            piece: Array(line.dropFirst(2)), load: UInt32(line.dropFirst().first ?? 0))
        case UInt8(ascii: "!"): Array(line.dropFirst())
        default: PeerFraming.bytes(message: Array(line))
        }
      }
    }

    static let hello = PeerMessage.hello(
      PeerHello(version: PeerHello.version, program: "Harm\u{1B}less"))

    /// Says this to a program that has a place; another one is still answered.
    private static func visit(saying bytes: [UInt8]) throws -> Bool {
      let folder = try PeerFolder(path: scratch("meeting"))
      let service = try PeerService(in: folder, program: "served", places: BasketWorld())
      defer { service.close() }
      let hostile = try PeerLine(to: service.socketName, in: folder)
      hostile.say(hello)
      hostile.write(bytes)
      let honest = try PeerLine(to: service.socketName, in: folder)
      honest.say(hello)
      honest.say(.list)
      honest.endWriting()
      var heard = honest.messages()
      must(heard.count == 3 && heard.last == .told, "an honest program was not answered")
      hostile.endWriting()
      heard = hostile.messages()
      return heard.count > 1
    }

    /// Says this to a program that looks at places; what that makes of it is safe to say.
    private static func show(saying bytes: [UInt8]) throws -> Bool {
      let folder = try PeerFolder(path: scratch("meeting"))
      let listener = try PeerSocket.listen(in: folder, as: PeerName(process: getpid(), random: 5))
      defer {
        close(listener)
        folder.remove(PeerName(process: getpid(), random: 5).text)
      }
      _ = fcntl(listener, F_SETFL, 0)
      let world = try PeerWorld(in: folder, program: "looks")
      defer { world.close() }
      let seen = BlockingResult<Void>()
      world.observe { report in
        guard case .changed(let changes) = report else { return }
        for case .containerAppeared(let listing) in changes {
          mustBeSafe(listing.container.name + (listing.container.app ?? ""))
          for point in listing.dropPoints ?? [] { mustBeSafe(point.name) }
          seen.give()
        }
      }
      let hostile = PeerLine(accept(listener, nil, nil))
      hostile.say(hello)
      hostile.write(bytes)
      hostile.endWriting()
      for listing in waiting({ await world.look() })?.listings ?? [] {
        mustBeSafe(listing.container.name)
      }
      return seen.value(within: .seconds(0)) != nil
    }

    // MARK: A hostile window

    /// Addresses at which a window wants words written; the first byte says which folder it shows.
    static let hostileWindows = FuzzReader(
      name: "hostile windows",
      words: [
        "/", "//", "%2F", "..", "/../", "%2e%2e/", "Docs", ".ssh", "way", "file://", "file:",
        "localhost", "words", ".txt", "words.txt", " (2)", "%00", "\0", ".", "~", "%", "BASE",
      ],
      seeds: [
        "dfile://BASE/Docs/words.txt", "dfile://localhostBASE/Docs/words%20(2).txt\0",
        "afile://BASE/.ssh/words.txt", "bfile://BASE/way/words.txt", "cfile:BASE/Docs/words.txt",
        "dfile://BASE/Docs/../.ssh/words.txt", "dfile://BASE/Docs/.words.txt",
      ].map { Array($0.utf8) },
      share: 10
    ) { bytes in
      let base = scratch("window")
      let folders = ["Docs", ".ssh", "way", ""]
      for folder in folders.prefix(2) { mkdir(base + "/" + folder, 0o700) }
      symlink(".ssh", base + "/way")
      make(base + "/Docs/old.txt", Data("old".utf8))
      make(base + "/.ssh/old.txt", Data("old".utf8))
      let target = DirectSaveTarget(
        "words", as: "words.txt", DragForm("text/plain", bytes: Array("words".utf8)),
        Journal(folder: FilePath(base + "-state")), FolderCache(), DispatchQueue(label: "window"))
      let which = Int(bytes.first ?? 0) % 4
      var shown = DisplayedFolder(title: "Files", rows: ["old.txt"])
      shown.addresses = [base + "/" + folders[which]]
      target.begin(in: folders[which].isEmpty ? nil : shown, place: "Docs")
      let address = Array(bytes.dropFirst())
        .replacing(Array("BASE".utf8), with: Array(base.utf8))
      let before = facts(base)
      let answer = waiting { await target.save.write(address) }
      var new = facts(base)
      for (path, fact) in before where new[path] == fact { new[path] = nil }
      // A folder's own times change with what lies in it.
      let docs = base + "/Docs"
      let written = new.keys.filter { $0 != docs }
      must((answer == .saved) == (written.count == 1), "not what it says: \(new.keys)")
      for path in written {
        let name = path.dropFirst(docs.count + 1)
        must(
          shown.addresses == [docs] && path.hasPrefix(docs + "/") && !name.contains("/")
            && !name.hasPrefix(".") && name.contains("words") && name.hasSuffix(".txt"),
          "written elsewhere: \(path)")
        unlink(path)
      }
      return answer == .saved
    }

    // MARK: A hostile home

    /// What somebody else has put where things of this program and settings are: a byte for the place and
    /// one for what stands there, up to a zero; the rest is in the files.
    static let hostileHomes = FuzzReader(
      name: "hostile homes",
      words: [
        "SQLite format 3\0", "[Desktop Entry]\nName=", "XDG_DESKTOP_DIR=\"$HOME/", "file:///",
        "<bookmark href=\"file:///", "\"><title>", "</title></bookmark>", "&#x1B;", "\u{202E}",
        "\u{1}\u{5}", "\u{2}\u{6}", "\u{3}\u{8}",
      ],
      seeds: [
        [1, 4, 0] + Array("[Desktop Entry]\nName=a\nfile:///tmp b\n".utf8),
        [1, 5, 2, 6, 8, 3, 9, 3, 10, 3, 11, 3, 0] + Array("file:///tmp Docs\n".utf8),
        [1, 1, 2, 3, 0] + Array("SQLite format 3\0".utf8), [1, 1, 2, 8, 3, 6, 6, 5, 0],
        [8, 8, 9, 10, 10, 9, 11, 8, 12, 10, 0], [1, 12, 0], [2, 12, 5, 2, 6, 12, 0],
      ],
      share: 100
    ) { bytes in
      let home = scratch("home")
      let precious = scratch("precious")
      make(precious + "/shadow", Data("own".utf8))
      try? FileManager.default.removeItem(atPath: home)
      for folder in ["gtk-3.0", "keydrag"] {
        try? FileManager.default.createDirectory(
          atPath: home + "/" + folder, withIntermediateDirectories: true)
      }
      let plan = bytes.prefix { $0 != 0 }.prefix(32)
      let contents = Data(bytes.dropFirst(plan.count + 1))
      for (spot, kind) in zip(plan, plan.dropFirst()).enumerated().filter({ $0.0 % 2 == 0 }).map(
        \.1)
      {
        put(kind, at: home + "/" + spots[Int(spot) % spots.count], contents, near: precious)
      }
      let before = facts(precious)
      let states = FilePath(home + "/state/keydrag")
      let laid = facts(home)
      let obstacle = Journal.obstacle(in: states)
      must(facts(home) == laid, "a look has changed something")
      let journal = Journal(folder: states)
      let run = try? journal.run()
      for dead in Recoverer.runs(in: journal) {
        Recoverer(journal: journal, alive: {}).recover(dead, beginning: { _ in }, tell: { _ in })
      }
      for entry in (try? journal.history(limit: 9)) ?? [] { mustBeSafe(entry.place) }
      must(run == nil || isOwnFile(states.string + "/history.sqlite"), "a history of others")
      must(run == nil || obstacle == nil, "used in spite of \(obstacle?.string ?? "")")
      journal.close()
      must(facts(precious) == before, "something of root's was changed")
      return readSettings(in: home) || run == nil
    }

    private static let spots =
      ["", "-wal", "-shm", "-journal"].map { "state/keydrag/history.sqlite" + $0 } + [
        "state/keydrag", "state/keydrag/runs",
        "state/keydrag/runs/" + String(repeating: "0", count: 32) + ".lock", "state",
        "keydrag/config.yaml", "user-dirs.dirs", "gtk-3.0/bookmarks", "user-places.xbel",
        "a.desktop",
      ]

    private static func put(
      _ kind: UInt8, at path: String, _ contents: Data, near precious: String
    ) {
      let around = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
      if kind % 13 == 11 {
        lchown(path, 65_534, 65_534)
        return
      }
      // The folder may be a link by now: what is made in it is made by whoever set the trap.
      try? FileManager.default.createDirectory(
        atPath: String(around), withIntermediateDirectories: true)
      try? FileManager.default.removeItem(atPath: path)
      switch kind % 13 {
      case 0: break
      case 1: mkdir(path, 0o700)
      case 2: mkdir(path, 0o777)
      case 3, 4:
        make(path, contents)
        chmod(path, kind % 13 == 3 ? 0o600 : 0o644)
      case 5: symlink(precious, path)
      case 6: symlink(precious + "/shadow", path)
      case 7: symlink(precious + "/new", path)
      case 8: mkfifo(path, 0o600)
      case 9: mknod(path, S_IFSOCK | 0o600, 0)
      case 10: mknod(path, S_IFCHR | 0o600, 0x105)
      default: link(precious + "/shadow", path)
      }
      // A link of one's own, or root's, on the way to the folder is there on purpose.
      if path.hasSuffix("/state"), (5...7).contains(kind % 13), lchown(path, 65_534, 65_534) != 0 {
        unlink(path)
      }
    }

    /// Whether something was read of what others may have written.
    private static func readSettings(in home: String) -> Bool {
      let folder = FilePath(home)
      let places = Bookmarks(
        home: folder, configuration: folder, data: folder,
        mounts: "/dev/null"
      ).places
      for place in places { mustBeSafe(place.name) }
      let name = DesktopEntryName().shown(folder.appending("a.desktop"))
      let loaded = try? ConfigurationFile.load(environment: ["XDG_CONFIG_HOME": home])
      for problem in loaded?.problems ?? [] {
        mustBeSafe(problem.words(in: Phrasebook()), isSentence: true)
      }
      _ = MessageFile(path: home + "/gtk-3.0/bookmarks")
      return !places.isEmpty || name != nil || loaded?.problems.isEmpty == false
    }

    private static func isOwnFile(_ path: String) -> Bool {
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode == S_IFREG | 0o600 && status.st_nlink == 1
        && status.st_uid == geteuid()
    }

    // MARK: Helpers

    /// A folder of this process, empty at first, gone when the round is over.
    static func scratch(_ name: String) -> String {
      let path = NSTemporaryDirectory() + "/" + name
      mkdir(path, 0o700)
      return path
    }

    static func make(_ path: String, _ contents: Data) {
      _ = FileManager.default.createFile(atPath: path, contents: contents)
    }

    /// Kind, rights, owner, size and time of everything in a folder, and the folder's own.
    static func facts(_ folder: String) -> [String: String] {
      let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      return Dictionary(
        uniqueKeysWithValues: (names.map { folder + "/" + $0 } + [folder]).map { path in
          var status = stat()
          lstat(path, &status)
          return (
            path,
            "\(status.st_mode) \(status.st_uid) \(status.st_size) \(status.st_ino)"
              + " \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
          )
        })
    }

    static func waiting<Value: Sendable>(
      _ body: @escaping @Sendable () async -> Value
    ) -> Value? {
      let answer = BlockingResult<Value>()
      Task { answer.give(await body()) }
      return answer.value(within: .seconds(15))
    }
  }
#endif
