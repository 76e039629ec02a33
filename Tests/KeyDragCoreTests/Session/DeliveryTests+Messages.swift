import KeyDragCore
import Testing

extension DeliveryTests {
  @Test("H14: a message that leaves no choice is the end, and is followed only by what has gone")
  func message() {
    var driver = started()
    func give(_ event: DeliveryEvent) { driver.give(.report(.delivery(DeliveryID(1), event))) }
    let message = ProgramQuestion.dialog("Error", hasKeyboard: true, words: "It is no chapter.")
    give(.asks(message))
    _ = driver.hear()
    var unknown = DeliveryResult(outcome: .unconfirmed, route: .xdnd, delivered: 0)
    unknown.failures = [
      DeliveryFailure(name: "b.txt", reason: .unknown),
      DeliveryFailure(name: "a.txt", reason: .gone),
    ]
    give(.finished(unknown))
    #expect(driver.hear().last?.hasSuffix("No longer in its old place: a.txt.") == true)
    driver = started()
    give(.asks(message))
    #expect(
      driver.hear() == [
        "a.txt sent to Docs. The program says: It is no chapter. Error is open and waits for your answer."
      ])
    give(.finished(DeliveryResult(outcome: .unconfirmed, route: .xdnd, delivered: 0)))
    #expect(driver.hear().isEmpty)
    give(.finished(DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)))
    #expect(driver.hear() == ["Copied a.txt to Docs."])
  }
}
