import KeyDragCore
import KeyDragWayland

extension DoctorProbe {
  /// The chords that the agent grabs.
  ///
  /// - Parameter file: the configuration, if it sets no keys yet, so that some can be added.
  static func desktopKeys(_ chords: [KeyStroke], addedTo file: String? = nil) -> DoctorProbe {
    DoctorProbe(
      id: "desktop-keys",
      // keydrag doctor: the name of a part: the keys by which keydrag desktop is called from any
      // program.
      title: .term(in: "part", "Keys on the desktop"),
      run: { context, part in
        let environment = context.environment
        let session = WaylandSession.find(environment)
        // The consequence is told by the probe of running programs.
        func describeNoDisplay(_ error: Reason) {
          part.state = error == .notResponding ? .silent : session == nil ? .absent : .missing
          part.found = Wording { DesktopParts.absence(error, environment, $0) }
        }
        do throws(Reason) {
          let patience = Duration.milliseconds(200)
          // The agent grabs keys on the first display.
          guard let display = try Displays.connect(environment, within: patience).first else {
            return describeNoDisplay(.noDisplay)
          }
          let taken = try display.taken(of: chords, within: patience)
          describe(takenKeys: taken, of: chords, &part)
          if let taken, !taken.isEmpty, let file {
            part.repair = otherChords(
              taken, try display.taken(of: spares, within: patience) ?? [], file)
          }
          if let session { describeInWayland(session, chords, &part) }
        } catch {
          describeNoDisplay(error)
        }
      })
  }

  /// Says that the chords reach windows of XWayland only.
  static func describeInWayland(
    _ session: WaylandSession, _ chords: [KeyStroke], _ part: inout DoctorPart
  ) {
    if part.state == .works { part.state = .partly }
    guard let chord = chords.first else { return }
    let meaning = part.meaning
    part.meaning = Wording { phrases in
      var phrases = phrases
      phrases.compositor = session.compositor
      return phrases.join(meaning(phrases), phrases.readyText(chord))
    }
  }

  /// - Parameters:
  ///   - takenKeys: those that another program has; `nil` while the agent runs, which alone knows
  ///     its own and has reported them.
  ///   - chords: those that the agent grabs.
  static func describe(takenKeys: [KeyStroke]?, of chords: [KeyStroke], _ part: inout DoctorPart) {
    guard let takenKeys else {
      part.found = .phrase("keydrag desktop runs already.")
      return
    }
    guard !takenKeys.isEmpty else {
      part.found = Wording { phrases in
        // keydrag doctor: all is well. %1$@ is one or more keys, such as Ctrl+Alt+Space.
        phrases.phrase("No other program has %1$@.", names(chords, phrases))
      }
      return
    }
    part.state = .missing
    part.isNeeded = true
    part.found = Wording { phrases in
      takenKeys.reduce("") { text, stroke in
        phrases.join(text, phrases.problemParts(.takenKey(name: phrases.keyName(stroke))).what)
      }
    }
    part.meaning = Wording { phrases in
      // keydrag doctor: what follows where another program has the key. keydrag desktop stays as it
      // is; %1$@ is one or more keys, such as Ctrl+Alt+Space.
      phrases.phrase("keydrag desktop does not hear %1$@.", names(takenKeys, phrases))
    }
    part.remedy = Wording { phrases in
      phrases.join(
        phrases.phrase(
          // keydrag doctor: what to do where another program has the key. %1$@ is one or more keys,
          // such as Ctrl+Alt+Space.
          "End the program that has %1$@, or give it another key.", names(takenKeys, phrases)),
        phrases.otherChord)
    }
  }

  /// Chords that few desktops use, for each of the usual ones.
  private static let spares = DesktopChords.Call.allCases.flatMap { spares(for: $0) }

  private static func spares(for call: DesktopChords.Call) -> [KeyStroke] {
    let shift = call == .deliveries ? "shift+" : ""
    return ["d", "k", "j", "y"].compactMap { KeyStroke(name: "ctrl+alt+\(shift)\($0)") }
  }

  /// Appends free chords for those that are taken to a configuration that sets no keys.
  ///
  /// - Parameter unfree: the spare chords that are taken as well.
  static func otherChords(_ taken: [KeyStroke], _ unfree: [KeyStroke], _ file: String) -> Repair? {
    var lines = ["", "keys:", "  desktop:"]
    for call in DesktopChords.Call.allCases
    where DesktopChords.standard[call].contains(where: taken.contains) {
      guard let free = spares(for: call).first(where: { !unfree.contains($0) }) else { return nil }
      lines.append("    \(call.command.rawValue): [\(free.name)]")
    }
    guard lines.count > 3, file.hasPrefix("/") else { return nil }
    let folder = file.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    // One argument with several lines.
    let text = lines.joined(separator: "\\n") + "\\n"
    return .person([
      ["mkdir", "-p", folder], ["sh", "-c", #"printf %b "$0" >> "$1""#, text, file],
    ])
  }

  private static func names(_ strokes: [KeyStroke], _ phrases: Phrasebook) -> String {
    phrases.list(strokes.map(phrases.keyName))
  }
}
