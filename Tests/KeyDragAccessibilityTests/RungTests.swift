import Glibc
import KeyDragAccessibility
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Ways to the reader on a real bus", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct RungTests {
  @Test(
    "Orca's own service comes before everything else, under both its names",
    arguments: ["org.gnome.Orca.Service", "org.gnome.Orca1.Service"])
  func service(name: String) async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    let service = try stage.desktop.start(Programs.python(Programs.service, name))
    #expect(try service.line() == "ready")
    await stage.reader.reaches(.orca)
    #expect(stage.say("Copied.") == .orca)
    #expect(try service.line() == "Copied.")
    await stage.reader.allHeard()

    service.end()
    await stage.reader.reaches(.notification)
    #expect(stage.say("Moved.") == .notification)
    do {
      let heard = try await stage.desktop.speech.next()
      #expect(heard == "Moved.")
    }
  }

  @Test("T11 Orca 51 is told what stays on a braille display, for an answer to a key")
  func display() async throws {
    let stage = try await ReaderStage(hasOrca: false)
    let service = try stage.desktop.start(
      Programs.python(Programs.service, "org.gnome.Orca1.Service", "braille"))
    #expect(try service.line() == "ready")
    await stage.reader.reaches(.orca)
    stage.say("Copied.")
    await stage.reader.allHeard()
    stage.reader.keyPressed()
    var message = ReaderMessage(number: 7, text: "Picked up a.txt. Docs: copy.", urgency: .polite)
    message.shown = "Docs: copy. Picked up a.txt."
    _ = stage.reader.announce(message)
    #expect(
      try [service.line(), service.line(), service.line()]
        == ["Copied.", message.text, "stays: " + message.shown])
  }

  @Test(
    "K18 a service that hangs is given no words that it would say when it wakes up",
    arguments: [true, false])
  func hung(hasJustAnswered: Bool) async throws {
    let stage = try await ReaderStage(hasOrca: false, patience: 100)
    let name = "org.gnome.Orca1.Service"
    let service = try stage.desktop.start(Programs.python(Programs.service, name))
    #expect(try service.line() == "ready")
    await stage.reader.reaches(.orca)
    if hasJustAnswered {
      stage.say("Picked up.")
      #expect(try service.line() == "Picked up.")
      await stage.reader.allHeard()
    }
    service.signal(SIGSTOP)
    for text in ["Copied.", "Opened."] { stage.say(text) }
    await stage.reader.reaches(nil)
    #expect(stage.moves == ["Copied. → none", "Opened. → none"])

    service.signal(SIGCONT)
    await stage.reader.reaches(.orca)
    let other = try stage.desktop.start(Programs.python(Programs.presenter, name, "Later."))
    #expect(try service.line() == "Later.")
    service.end()
    other.end()
  }

  @Test("K18 a reader that is slow, and works, says each message once", arguments: [true, false])
  func slow(hasService: Bool) async throws {
    let stage = try await ReaderStage(hasOrca: false, patience: 100)
    let name = "org.gnome.Orca1.Service"
    let reader = try stage.desktop.start(
      hasService
        ? Programs.python(Programs.service, name, "slow")
        : DesktopPrograms.plainListener + ["slow"])
    #expect(try reader.line() == "ready")
    await stage.reader.reaches(hasService ? .orca : .atspi)
    for text in ["Copied.", "Opened."] {
      stage.say(text)
      #expect(try reader.line() == (hasService ? "" : "1 ") + text)
      await stage.reader.allHeard()
    }
    #expect(stage.moves.isEmpty)
    reader.end()
  }

  /// Starts Orca's service, and returns once messages go to it.
  private func service(_ manner: String, on stage: ReaderStage) async throws -> KeptProcess {
    let service = try stage.desktop.start(
      Programs.python(Programs.service, "org.gnome.Orca1.Service", manner))
    #expect(try service.line() == "ready")
    await stage.reader.reaches(.orca)
    return service
  }

  @Test("K18 a reader that answers steadily says all that was told at once, however long it takes")
  func steady() async throws {
    let stage = try await ReaderStage(hasOrca: false, patience: 100)
    let reader = try await service("steady", on: stage)
    let texts = (1...8).map { "Line \($0)." }
    for text in texts { stage.say(text) }
    for text in texts { #expect(try reader.line() == text) }
    await stage.reader.allHeard()
    #expect(stage.moves.isEmpty)
    reader.end()
  }

  @Test("K18 what a reader was handed that works without an end is told in another way at last")
  func spinning() async throws {
    let stage = try await ReaderStage(hasOrca: false, patience: 100)
    let reader = try await service("spins", on: stage)
    stage.say("Copied.")
    #expect(try reader.line() == "Copied.")
    stage.say("Opened.")
    await stage.moved(2)
    // What it was not handed comes first: it may still say the other one.
    #expect(stage.moves == ["Opened. → none", "Copied. → none"])
    reader.end()
  }

  @Test("What the service refuses takes the next rung, and so does all that follows")
  func refused() async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    let name = "org.gnome.Orca1.Service"
    let service = try stage.desktop.start(Programs.python(Programs.service, name))
    await stage.reader.reaches(.orca)
    #expect(stage.say("no, not this.") == .orca)
    do {
      let heard = try await stage.desktop.speech.next()
      #expect(heard == "no, not this.")
    }
    #expect(stage.moves == ["no, not this. → notification"])
    #expect(stage.say("And this.") == .notification)
    do {
      let heard = try await stage.desktop.speech.next()
      #expect(heard == "And this.")
    }
    service.end()
  }

  @Test("Who listens for announcements gets politeness and words, and Orca says nothing besides")
  func announcement() async throws {
    let stage = try await ReaderStage(hasOrca: false)
    let listener = try stage.desktop.start(DesktopPrograms.listener)
    #expect(try listener.line() == "ready")
    await stage.reader.reaches(.atspi)
    #expect(stage.say("Inbox, 3 files.") == .atspi)
    #expect(stage.say("Copied.", .assertive) == .atspi)
    #expect(try listener.line() == "1 Inbox, 3 files.")
    #expect(try listener.line() == "2 Copied.")
    listener.end()
    await stage.reader.reaches(nil)
  }

  @Test("What was said since the last key is not said again, and what the key cut off is")
  func again() async throws {
    let stage = try await ReaderStage(hasOrca: false)
    let listener = try stage.desktop.start(DesktopPrograms.plainListener)
    #expect(try listener.line() == "ready")
    await stage.reader.reaches(.atspi)
    stage.reader.followKeys()
    // Long enough to be still said at the next key.
    let texts = ["Sorted.", "After it.", "The end."].map { String(repeating: $0 + " ", count: 200) }
    stage.reader.keyTaken(isSeen: false)
    stage.say("Type a name.")
    #expect(try listener.line() == "1 Type a name.")
    // The second letter is taken before the first one is answered.
    stage.reader.keyTaken(isSeen: false)
    stage.reader.keyTaken(isSeen: false)
    stage.say(texts[0])
    stage.reader.sayAgain()
    stage.say(texts[1])
    for text in texts.dropLast() { #expect(try listener.line() == "1 " + text) }
    stage.reader.keyTaken(isSeen: false)
    stage.reader.sayAgain()
    stage.say(texts[2])
    for text in texts { #expect(try listener.line() == "1 " + text) }
  }

  @Test("A session bus that comes back brings its reader with it")
  func busReturns() async throws {
    let stage = try await ReaderStage(hasOrca: false)
    for text in ["Before.", "After.", "And once more."] {
      let listener = try stage.desktop.start(DesktopPrograms.plainListener)
      #expect(try listener.line() == "ready")
      await stage.reader.reaches(.atspi)
      #expect(stage.say(text) == .atspi)
      #expect(try listener.line() == "1 " + text)
      stage.desktop.killBus()
      listener.end()
      await stage.reader.reaches(nil)
      try stage.desktop.startBus()
    }
  }

  @Test(
    "A registry that answers nonsense names no reader",
    arguments: [
      "(uint32 5,)", "('Object:Announcement:',)", "(['Object:Announcement:'],)",
      "([('no name at all', 'Object:Announcement:')],)", "([('', 'Object:Announcement:')],)",
      // Nobody of that name is there.
      "([(':1.9999', 'Object:Announcement:')],)", "([(':1.1', '::::')],)", "((':1.1', 'x'),)",
    ])
  func nonsense(answer: String) async throws {
    let desktop = try PrivateDesktop()
    let registry = try desktop.start(Programs.python(Programs.registry, answer))
    #expect(try registry.line() == "ready")
    let reader = ScreenReader(environment: desktop.environment)
    reader.settle(within: 20)
    #expect(reader.facts.hasAccessibilityBus)
    #expect(reader.rung == nil)
    reader.finish()
    registry.end()
  }

  @Test("10,000 announcements reach a listener in order, none lost, and memory stays flat")
  func flood() async {
    // In a process of its own: the memory of this one is that of all tests.
    await #expect(processExitsWith: .success) {
      let stage = try await ReaderStage(hasOrca: false, patience: 20_000)
      let listener = try stage.desktop.start(DesktopPrograms.listener)
      #expect(try listener.line() == "ready")
      await stage.reader.reaches(.atspi)
      var early = 0
      for batch in 0..<20 {
        for number in 0..<500 {
          #expect(stage.say("message \(batch * 500 + number)") == .atspi)
        }
        for number in 0..<500 {
          #expect(try listener.line() == "1 message \(batch * 500 + number)")
        }
        await stage.reader.allHeard()
        if batch == 1 { early = RungTests.residentPages() }
      }
      #expect(stage.moves.isEmpty)
      // Nine thousand messages later: 1 MiB at most, for the library's and the allocator's own needs.
      #expect(RungTests.residentPages() - early < 256)
    }
  }

  private static func residentPages() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Int(text.split(separator: " ")[1]) ?? 0
  }
}

@Suite("Buses that are no help", .realPrograms(by: .suite), .timeLimit(.minutes(3)))
struct BrokenBusTests {
  @Test(
    "Without a bus it is known at once that there is no reader",
    arguments: [
      [:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"],
      ["DBUS_SESSION_BUS_ADDRESS": "nonsense"], ["AT_SPI_BUS_ADDRESS": "unix:path=/nowhere/bus"],
    ] as [[String: String]])
  func none(environment: [String: String]) async {
    let start = ContinuousClock.now
    let reader = ScreenReader(environment: environment)
    reader.settle(within: 20)
    // Well before the end of the wait.
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(reader.rung == nil)
    let message = ReaderMessage(number: 1, text: "Copied.", urgency: .assertive)
    #expect(reader.announce(message) == nil)
    reader.finish()
  }

  @Test("A bus that never answers keeps nobody waiting")
  func silent() async throws {
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(listening) }
    // An address that the kernel chooses, in its own name space: it leaves no file behind.
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var length = socklen_t(MemoryLayout<sa_family_t>.size)
    let name = withUnsafeMutablePointer(to: &address) { pointer -> [CChar] in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = bind(listening, pointer, length)
        listen(listening, 8)
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
        getsockname(listening, pointer, &length)
      }
      return withUnsafeBytes(of: pointer.pointee.sun_path) { bytes in
        bytes.dropFirst().prefix(5).map(CChar.init(bitPattern:))
      }
    }
    let text = String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let start = ContinuousClock.now
    let reader = ScreenReader(environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=\(text)"])
    reader.settle(within: 0.2)
    // The bus library itself would wait 25 seconds.
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(reader.rung == nil)
  }
}
