import KeyDragAccessibility
import KeyDragCore

extension DoctorProbe {
  /// The screen reader, and the way that leads to it.
  static let screenReader = DoctorProbe(
    id: "screen-reader",
    title: { phrases in
      // keydrag doctor: the name of a part: a program that reads the screen to blind people.
      phrases.term(in: "part", "Screen reader")
    },
    run: { context, part in
      let reader = ScreenReader(environment: context.environment)
      reader.settle(within: 0.4)
      describe(reader: reader.facts, &part)
      reader.finish()
    })

  static func describe(reader facts: ScreenReader.Facts, _ part: inout DoctorPart) {
    switch facts.rung {
    case .orca:
      part.found = { phrases in
        // keydrag doctor: how messages reach the screen reader. Orca is such a program.
        phrases.phrase("Orca takes messages by its own service: orca.")
      }
    case .atspi:
      part.found = { phrases in
        // keydrag doctor: how messages reach the screen reader. atspi stays as it is.
        phrases.phrase("It listens for announcements: atspi.")
      }
    case .notification:
      part.found = { phrases in
        // keydrag doctor: how messages reach the screen reader. Orca is such a program;
        // notification stays as it is.
        phrases.phrase("Orca reads notifications: notification.")
      }
    case nil: describeMissing(facts, &part)
    }
  }

  private static func describeMissing(
    _ facts: ScreenReader.Facts, _ part: inout DoctorPart
  ) {
    part.state = .absent
    part.found = { phrases in
      if !facts.hasSessionBus {
        // keydrag doctor: why there is no screen reader: no desktop session.
        return phrases.phrase("There is no session bus.")
      }
      if !facts.hasAccessibilityBus {
        // keydrag doctor: why there is no screen reader: nothing for disabled people was started.
        return phrases.phrase("There is no accessibility bus.")
      }
      // keydrag doctor: why there is no screen reader.
      return phrases.phrase("None is running.")
    }
    part.meaning = { phrases in
      // keydrag doctor: what follows without a screen reader.
      phrases.phrase("KeyDrag speaks itself.")
    }
  }
}
