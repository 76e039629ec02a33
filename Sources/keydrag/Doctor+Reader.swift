import KeyDragAccessibility
import KeyDragCore
import KeyDragSpeech

extension DoctorProbe {
  /// The screen reader, and the route to it.
  static let screenReader = DoctorProbe(
    id: "screen-reader",
    // keydrag doctor: the name of a part: the program that reads the screen to blind people.
    title: .term(in: "part", "Screen reader"),
    run: { context, part in
      let reader = ScreenReader(environment: context.environment)
      reader.settle(within: 0.4)
      let facts = reader.facts
      describe(reader: facts, &part)
      reader.finish()
      // A reader without a name may speak in another way.
      guard facts.rung != nil, !facts.reader.isEmpty,
        let service = SpeechService(environment: context.environment), !service.answers()
      else { return }
      describe(speechless: facts, &part)
    })

  /// A reader that takes messages, but whose speech service does not answer. Only a doubt, since
  /// the reader may restart the service with its next words.
  static func describe(speechless facts: ScreenReader.Facts, _ part: inout DoctorPart) {
    part.state = .partly
    let found = part.found
    let dispatcher = "speech-dispatcher"
    let trial = ["spd-say", "hello"].joined(separator: " ")
    part.found = Wording { phrases in
      phrases.join(found(phrases), phrases.phrase("No answer from %1$@.", dispatcher))
    }
    // keydrag doctor: the screen reader runs, but the program by which it speaks does not answer.
    // %1$@ is the screen reader, such as Orca 48.1.
    part.meaning = .phrase("%1$@ may be silent in all programs.", facts.reader)
    // keydrag doctor: what to do when the screen reader may be silent. %1$@ is a command that
    // tells why, --announce speech an option; both stay as they are.
    part.remedy = .phrase("%1$@ tells why. With --announce speech, KeyDrag speaks itself.", trial)
  }

  static func describe(reader facts: ScreenReader.Facts, _ part: inout DoctorPart) {
    guard let rung = facts.rung else { return describeMissing(facts, &part) }
    let name = facts.reader
    part.found = Wording { phrases in
      phrases.join(
        // keydrag doctor: a screen reader was found. %1$@ is its name and version, such as Orca 43.1.
        name.isEmpty ? "" : phrases.phrase("%1$@ is running.", name), way(rung, phrases),
        facts.service.isEmpty ? "" : facts.service + ".")
    }
  }

  private static func way(_ rung: ReaderRoute, _ phrases: Phrasebook) -> String {
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
    part.found = Wording { phrases in
      facts.hasAccessibilityBus
        // keydrag doctor: no program that reads the screen is there.
        ? phrases.phrase("No screen reader is running.")
        // keydrag doctor: the connection that programs and screen readers use is not there.
        : phrases.phrase("There is no accessibility bus.")
    }
    // keydrag doctor: what follows where no screen reader runs.
    part.meaning = .phrase("KeyDrag speaks itself.")
  }
}
