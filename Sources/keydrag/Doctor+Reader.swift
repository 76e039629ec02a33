import KeyDragAccessibility
import KeyDragCore

extension DoctorProbe {
  /// The screen reader, and the way that leads to it.
  static let screenReader = DoctorProbe(
    id: "screen-reader",
    title: { phrases in
      // keydrag doctor: the name of a part: the program that reads the screen to blind people.
      phrases.term(in: "part", "Screen reader")
    },
    run: { context, part in
      let reader = ScreenReader(environment: context.environment)
      reader.settle(within: 0.4)
      describe(reader: reader.facts, &part)
      reader.finish()
    })

  static func describe(reader facts: ScreenReader.Facts, _ part: inout DoctorPart) {
    guard let rung = facts.rung else { return describeMissing(facts, &part) }
    let name = facts.reader
    part.found = { phrases in
      phrases.join(
        // keydrag doctor: a screen reader was found. %1$@ is its name and version, such as Orca 43.1.
        name.isEmpty ? "" : phrases.phrase("%1$@ is running.", name), way(rung, phrases),
        facts.service.isEmpty ? "" : facts.service + ".")
    }
  }

  private static func way(_ rung: ReaderRung, _ phrases: Phrasebook) -> String {
    switch rung {
    // keydrag doctor: after "Orca is running.": how messages reach the screen reader.
    case .orca: phrases.phrase("Messages go to its own service.")
    case .atspi:
      phrases.join(
        // keydrag doctor: after "Orca is running.": how messages reach the screen reader.
        phrases.phrase("Messages go over the accessibility bus."),
        // keydrag doctor: why messages go over the accessibility bus and not to a service of the
        // screen reader.
        phrases.phrase("It has no service of its own for messages."))
    case .notification:
      phrases.join(
        // keydrag doctor: after "Orca is running.": how messages reach the screen reader. A
        // notification is a short message that is shown and read.
        phrases.phrase("Messages go to it as notifications."),
        // keydrag doctor: why messages go to the screen reader as notifications: it is too old for
        // announcements, which are messages over the accessibility bus.
        phrases.phrase("It does not listen for announcements."))
    }
  }

  private static func describeMissing(_ facts: ScreenReader.Facts, _ part: inout DoctorPart) {
    part.state = .absent
    part.found = { phrases in
      facts.hasAccessibilityBus
        // keydrag doctor: no program that reads the screen is there.
        ? phrases.phrase("No screen reader is running.")
        // keydrag doctor: the connection that programs and screen readers use is not there.
        : phrases.phrase("There is no accessibility bus.")
    }
    part.meaning = { phrases in
      // keydrag doctor: what follows where no screen reader runs.
      phrases.phrase("KeyDrag speaks itself.")
    }
  }
}
