import Dispatch
import KeyDragCore
import RealPrograms
import Testing

@testable import keydrag

@Suite("A part that hangs does not hang the doctor", .realPrograms(by: .test))
struct DoctorPatienceTests {
  private let context = DoctorContext(
    environment: ["HOME": "/base"], wantsSpeech: false, wantsSilence: false)

  @Test("After half a second a part counts as silent, and the others are told")
  func hanging() {
    let gate = DispatchSemaphore(value: 0)
    let answers = DispatchSemaphore(value: 0)
    let slow = DoctorProbe(
      id: "slow", title: { _ in "Slow" }, isNeeded: { _ in true },
      run: { _, _ in
        gate.wait()
        answers.signal()
      })
    let quick = DoctorProbe(id: "quick", title: { _ in "Quick" }, run: { _, _ in })
    let clock = ContinuousClock()
    var parts: [DoctorPart] = []
    let time = clock.measure { parts = DoctorRun(context, [slow, slow, quick]).parts() }
    #expect(parts.map(\.state) == [.silent, .silent, .works])
    #expect(parts.map(\.isInTheWay) == [true, true, false])
    #expect(time >= .milliseconds(450))
    // One wait for all, not one after the other; the rest is what a busy machine may add.
    #expect(time < .milliseconds(950))
    #expect(parts[0].line(Phrasebook()).hasPrefix("Slow: gives no answer. It was waited for"))
    for _ in 0..<2 { gate.signal() }
    for _ in 0..<2 { answers.wait() }
  }

  @Test("Brief lines hold the state and the remedy, full ones what was found as well")
  func lines() {
    let part = DoctorPart(
      id: "voice", title: { _ in "Voice" }, state: .missing, found: { _ in "Found." },
      meaning: { _ in "Meaning." }, remedy: { _ in "Remedy." })
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
