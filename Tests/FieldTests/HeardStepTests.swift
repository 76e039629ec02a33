import Testing

@testable import keydrag_field

@Suite("The judge of what is heard beside a screen reader")
struct HeardStepTests {
  @Test("K18 What the reader reads of a message from the screen is heard for the second time")
  func reading() {
    #expect(HeardStep.isReading("notestxt2of4", of: "notestxt2of4"))
    // A row has more than a message, and a line of the screen less.
    #expect(HeardStep.isReading("row3notestxt2of4today", of: "notestxt2of4"))
    #expect(HeardStep.isReading("copiednotestxtt", of: "copiednotestxttodocs"))
  }

  @Test("K18 A name of a few letters, and a small part of a long message, are the reader's own")
  func own() {
    #expect(!HeardStep.isReading("docs", of: "docscopy"))
    #expect(!HeardStep.isReading("docsframe", of: "docscopy"))
    #expect(!HeardStep.isReading("reporttxt", of: "pickedupreporttxt3placesaccept"))
    #expect(!HeardStep.isReading("", of: "undone"))
  }

  @Test("K18 A message that took another way is one message, heard as often as both were")
  func again() {
    func message(_ text: String, times: Int, isAgain: Bool = false) -> HeardStep.Message {
      HeardStep.Message(id: "item", text: text, isAgain: isAgain, times: times)
    }
    for times in 0...1 {
      let before = HeardStep(
        key: "Up", [message("a.txt", times: 1), message("b.txt", times: times)])
      var figures = HeardFigures(steps: [before])
      var step = HeardStep(key: "Down", [message("b.txt", times: 1, isAgain: true)])
      figures.move(to: &step)
      figures.steps.append(step)
      #expect(figures.said == 2 && figures.missing == 0 && figures.twice == times)
    }
  }

  @Test("K18 A session that was not heard whole, or twice, or did not come to its end, has failed")
  func failed() {
    func result(_ times: Int?, isBroken: Bool = false) -> CaseResult {
      var result = CaseResult(program: "desktop", scenario: "heard", verdict: .vague)
      result.isBroken = isBroken
      let message = times.map { HeardStep.Message(id: "item", text: "a.txt", times: $0) }
      result.heard = message.map { HeardFigures(steps: [HeardStep(key: "Down", [$0])]) }
      return result
    }
    #expect(!result(1).hasFailed)
    #expect(result(0).hasFailed && result(2).hasFailed)
    #expect(result(nil, isBroken: true).hasFailed && !result(nil).hasFailed)
  }
}
