import Glibc
import Testing

@testable import KeyDragSpeech

@Suite("Sound is opened by ALSA, or else by the sound server")
struct StandardSoundTests {
  private final class Named: SoundOutput {
    let name: String
    init(_ name: String) { self.name = name }
    func write(_ samples: [Int16], unless isStopped: () -> Bool) {}
    func finish(unless isStopped: () -> Bool) {}
    func drop() {}
  }

  private func opener(_ name: String, failing code: Int32? = nil) -> SoundOpener {
    { _, _ throws(SoundError) in
      if let code { throw SoundError(code: code) }
      return Named(name)
    }
  }

  @Test(
    "The other is taken where the first fails, and where both do, the first's error is told",
    arguments: [(nil, nil, "one"), (nil, EIO, "one"), (EBUSY, nil, "other"), (EBUSY, EIO, nil)]
      as [(Int32?, Int32?, String?)])
  func first(one: Int32?, other: Int32?, name: String?) throws {
    let opener = StandardSound.first(
      opener("one", failing: one), or: opener("other", failing: other))
    guard let name else {
      #expect(throws: SoundError(code: EBUSY)) { try opener(22_050, WakePipe()) }
      return
    }
    #expect(try (opener(22_050, WakePipe()) as? Named)?.name == name)
  }

  @Test("A server is one that the environment names, or whose socket is there")
  func server() throws {
    #expect(PulseOutput.server { ["PULSE_SERVER": "tcp:far"][$0] } == "tcp:far")
    #expect(PulseOutput.server { ["XDG_RUNTIME_DIR": "/nowhere"][$0] } == nil)
    #expect(PulseOutput.server { _ in nil } == nil)
    let folder = try TemporaryFolder()
    #expect(mkdir("\(folder.path)/pulse", 0o700) == 0)
    let file = open("\(folder.path)/pulse/native", O_CREAT | O_WRONLY, 0o600)
    close(file)
    #expect(
      PulseOutput.server { ["XDG_RUNTIME_DIR": folder.path][$0] }
        == "unix:\(folder.path)/pulse/native")
    #expect(throws: SoundError.self) {
      try PulseOutput(server: "unix:\(folder.path)/pulse/native", rate: 22_050, bell: WakePipe())
    }
  }
}
