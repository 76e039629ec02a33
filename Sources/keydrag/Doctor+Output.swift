import Glibc
import KeyDragCore
import KeyDragSpeech
import KeyDragTerminal

extension DoctorProbe {
  /// The terminal: what a session shows itself on.
  static let terminal = DoctorProbe(id: "terminal", title: "Terminal") { context in
    let phrases = context.phrases
    var part = DoctorPart(id: "terminal", title: phrases.phrase("Terminal"), state: .works)
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      part.state = .absent
      part.found = phrases.phrase("Input or output is not a terminal.")
      part.meaning = phrases.phrase("keydrag files needs one, or a script given with --keys.")
      return part
    }
    let name = SpokenName.clean(context.environment["TERM"] ?? "")
    let size = TerminalProbe.size(STDOUT_FILENO)
    let encoding = TerminalProbe.encoding()
    part.found = phrases.phrase(
      "%1$@, %2$@ columns, %3$@ rows, %4$@.", name.isEmpty ? phrases.phrase("TERM not set") : name,
      String(size.columns), String(size.rows), encoding)
    if name.isEmpty || name == "dumb" {
      part.meaning = phrases.phrase("Some keys may not be understood.")
      part.remedy = phrases.phrase("Set TERM to the terminal's name, such as xterm or linux.")
    } else if encoding != "UTF-8" {
      part.meaning = phrases.phrase("Names with other than English letters may look wrong.")
      part.remedy = phrases.phrase("Set LANG to a UTF-8 locale, such as C.UTF-8.")
    } else if size.columns < 40 || size.rows < 10 {
      part.meaning = phrases.phrase("Long lines are cut.")
      part.remedy = phrases.phrase("Make it at least 40 columns and 10 rows.")
    }
    return part
  }

  /// espeak-ng and a voice for the language of the messages.
  static func voice(_ composition: Composition) -> DoctorProbe {
    let settings = composition.speechSettings
    let language = composition.phrases.catalogue.language
    return DoctorProbe(
      id: "voice", title: "Voice", isNeeded: { !$0.wantsSilence },
      run: { context in
        let phrases = context.phrases
        let facts = SpeechProbe.voice(for: language, settings: settings)
        var part = DoctorPart(
          id: "voice", title: phrases.phrase("Voice"), state: .works,
          isNeeded: !context.wantsSilence)
        part.found = phrases.phrase("espeak-ng %1$@.", SpokenName.clean(facts.version))
        guard facts.speaks else {
          part.state = .missing
          part.found += " " + phrases.phrase("Its voices are not found.")
          part.meaning = phrases.phrase("Messages are shown as text.")
          part.remedy = phrases.phrase("As administrator: apt install espeak-ng-data")
          return part
        }
        let chosen = settings.voices[language]
        if let chosen, chosen != facts.voice {
          part.state = .missing
          part.found += " " + phrases.phrase("There is no voice %1$@.", SpokenName.clean(chosen))
          part.meaning = phrases.phrase("The usual voice is used.")
          part.remedy = phrases.phrase(
            "Name another voice under voices in the configuration file.")
        } else if let voice = facts.voice {
          part.found = phrases.phrase(
            "espeak-ng %1$@, voice %2$@.", SpokenName.clean(facts.version), SpokenName.clean(voice))
        } else {
          part.state = .missing
          part.found += " " + phrases.phrase("There is no voice for %1$@.", language)
          part.meaning = phrases.phrase("The English voice is used.")
          part.remedy = phrases.phrase(
            "Name another voice under voices in the configuration file.")
        }
        let limits = SpeechProbe.limits(of: language).map(phrases.voiceLimit)
        if !limits.isEmpty, part.state == .works {
          part.meaning = limits.joined(separator: " ")
          part.remedy = phrases.voiceLimitRemedy
        }
        return part
      })
  }

  /// The sound device, opened as a session opens it.
  static let sound = DoctorProbe(
    id: "sound", title: "Sound", isNeeded: \.wantsSpeech,
    run: { context in
      let phrases = context.phrases
      var part = DoctorPart(
        id: "sound", title: phrases.phrase("Sound"), state: .works, isNeeded: context.wantsSpeech)
      guard let error = SpeechProbe.sound() else {
        part.found = phrases.phrase("The device was opened.")
        return part
      }
      part.state = .missing
      part.meaning = phrases.phrase("Messages are shown as text; a recording works all the same.")
      switch SoundCards.look() {
      case .none:
        part.found = phrases.phrase("There is no sound card.")
        part.remedy = phrases.phrase(
          "Connect one, or give the virtual machine one. Otherwise record with --speech out.wav.")
      case .forbidden:
        part.found = phrases.phrase("You are not allowed to use the sound card.")
        part.remedy = phrases.phrase(
          "As administrator: adduser %1$@ audio. Then log in again.",
          SpokenName.clean(context.environment["USER"] ?? "yourself"))
      case .usable where error.code == EBUSY:
        part.found = phrases.phrase("Another program holds the sound card.")
        part.remedy = phrases.phrase(
          "End that program, or share the card. As administrator: apt install pipewire-audio")
      case .usable:
        part.found = phrases.phrase(
          "The device can't be opened: %1$@.", String(cString: strerror(error.code)))
        part.remedy = phrases.phrase(
          "As administrator: apt install pipewire-audio. Then log in again.")
      }
      return part
    })
}

/// What the kernel says of sound cards.
private enum SoundCards {
  case none, forbidden, usable

  static func look() -> SoundCards {
    guard let folder = opendir("/dev/snd") else { return .none }
    defer { closedir(folder) }
    var result = SoundCards.none
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      // "pcmC0D0p": a card's device for playing.
      guard name.hasPrefix("pcm"), name.hasSuffix("p") else { continue }
      if access("/dev/snd/\(name)", R_OK | W_OK) == 0 { return .usable }
      result = .forbidden
    }
    return result
  }
}
