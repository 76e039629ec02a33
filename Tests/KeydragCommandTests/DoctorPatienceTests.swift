import Dispatch
import KeyDragCore
import RealPrograms
import Testing

@testable import keydrag

@Suite("A part that hangs does not hang the doctor", .realPrograms(by: .test))
struct DoctorPatienceTests {
  private let context = DoctorContext(
    environment: ["HOME": "/base"], wantsSpeech: false, wantsSilence: false)

  @Test("After two seconds a part counts as silent, and the others are told")
  func hanging() {
    let gate = DispatchSemaphore(value: 0)
    let answers = DispatchSemaphore(value: 0)
    let slow = DoctorProbe(
      id: "slow", title: Wording { _ in "Slow" }, isNeeded: { _ in true },
      run: { _, _ in
        gate.wait()
        answers.signal()
      })
    let quick = DoctorProbe(id: "quick", title: Wording { _ in "Quick" }, run: { _, _ in })
    let silent = Array(repeating: slow, count: 16)
    let clock = ContinuousClock()
    var parts: [DoctorPart] = []
    let time = clock.measure { parts = DoctorRun(context, [quick] + silent).parts() }
    #expect(parts.map(\.state) == [.works] + silent.map { _ in .silent })
    #expect(parts.map(\.affectsExitStatus) == [false] + silent.map { _ in true })
    #expect(time >= .milliseconds(1_950))
    // One wait for all: one after the other they would take half a minute.
    #expect(time < .seconds(20))
    #expect(parts[1].line(Phrasebook()).hasPrefix("Slow: gives no answer. It was waited for"))
    for _ in 0..<16 { gate.signal() }
    for _ in 0..<16 { answers.wait() }
  }

  @Test("Brief lines hold the state and the remedy, full ones what was found as well")
  func lines() {
    let part = DoctorPart(
      id: "voice", title: Wording { _ in "Voice" }, state: .missing,
      found: Wording { _ in "Found." },
      meaning: Wording { _ in "Meaning." }, remedy: Wording { _ in "Remedy." })
    #expect(part.line(Phrasebook()) == "Voice: does not work. Found. Meaning. Remedy.")
    #expect(part.line(Phrasebook(verbosity: .brief)) == "Voice: does not work. Remedy.")
  }

  @Test("Paths below the home folder are told from there, others whole, none with control marks")
  func paths() {
    #expect(context.shown("/base/a/b") == "~/a/b")
    #expect(context.shown("/base") == "~")
    #expect(context.shown("/bases/a") == "/bases/a")
    #expect(context.shown("/tmp/\u{1B}[31m") == "/tmp/\u{FFFD}[31m")
  }
}
