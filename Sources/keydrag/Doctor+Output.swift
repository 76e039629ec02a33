import Glibc
import KeyDragCore
import KeyDragSpeech
import KeyDragTerminal
import KeyDragThreads

extension DoctorProbe {
  static let terminal = DoctorProbe(
    id: "terminal",
    // keydrag doctor: the name of a part: the terminal or console.
    title: .term(in: "part", "Terminal"),
    run: { context, part in
      let isThere = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
      let facts = TerminalFacts(
        name: SpokenName.clean(context.environment["TERM"] ?? ""),
        size: TerminalProbe.size(STDOUT_FILENO), encoding: TerminalProbe.encoding())
      describe(isThere ? facts : nil, &part)
    })

  struct TerminalFacts: Hashable, Sendable {
    var name: String
    var size: ScreenSize
    var encoding: String
  }

  static func describe(_ facts: TerminalFacts?, _ part: inout DoctorPart) {
    guard let facts else {
      part.state = .absent
      // keydrag doctor: it was not started by hand in a terminal.
      part.found = .phrase("Input or output is not a terminal.")
      // keydrag doctor: what follows without a terminal. keydrag files and --keys stay as they
      // are.
      part.meaning = .phrase("keydrag files needs one, or a script given with --keys.")
      return
    }
    let (name, size, encoding) = (facts.name, facts.size, facts.encoding)
    part.found = Wording { phrases in
      let parts = phrases.list([
        // keydrag doctor: in place of the terminal's name. TERM stays as it is.
        name.isEmpty ? phrases.phrase("TERM not set") : name,
        // keydrag doctor: the width of the terminal. %1$@ is a number.
        phrases.plural("%1$@ column", "%1$@ columns", size.columns),
        // keydrag doctor: the height of the terminal. %1$@ is a number.
        phrases.plural("%1$@ row", "%1$@ rows", size.rows), encoding,
      ])
      return phrases.closed(parts)
    }
    if name.isEmpty || name == "dumb" {
      // keydrag doctor: what follows when the terminal is not known.
      part.meaning = .phrase("Some keys may not be understood.")
      // keydrag doctor: what to do when the terminal is not known. TERM, xterm and linux stay
      // as they are.
      part.remedy = .phrase("Set TERM to the terminal's name, such as xterm or linux.")
    } else if encoding != "UTF-8" {
      // keydrag doctor: what follows from the terminal's settings.
      part.meaning = .phrase("Names with other than English letters may look wrong.")
      // keydrag doctor: what to do about the letters of the terminal. LANG, UTF-8 and C.UTF-8
      // stay as they are.
      part.remedy = .phrase("Set LANG to a UTF-8 locale, such as C.UTF-8.")
    } else if size.columns < 40 || size.rows < 10 {
      // keydrag doctor: what follows when the terminal is small.
      part.meaning = .phrase("Long lines are cut.")
      // keydrag doctor: what to do when the terminal is small.
      part.remedy = .phrase("Make it at least 40 columns and 10 rows.")
    }
  }

  /// espeak-ng and a voice for the language of the messages.
  static func voice(_ composition: Composition) -> DoctorProbe {
    let settings = composition.speechSettings
    let language = composition.phrases.catalogue.language
    return DoctorProbe(
      id: "voice",
      // keydrag doctor: the name of a part: the voice that speaks.
      title: .term(in: "part", "Voice"), isNeeded: { !$0.wantsSilence },
      run: { context, part in
        let isDispatched = composition.settings.usesDispatcher(context.environment)
        let isInstalled = SpeechService.isInstalled(context.environment)
        if isDispatched, isInstalled,
          SpeechService(environment: context.environment)?.works() ?? false
        {
          part.found = Wording { _ in dispatcher + "." }
          return
        }
        describe(
          SpeechProbe.voice(for: language, settings: settings),
          chosen: settings.voices[language], language: language, &part)
        guard isDispatched, part.state == .works else { return }
        // The chosen voice is not the one that is heard.
        part.state = .partly
        guard !isInstalled else { return }
        part.mend(asAdministrator: "apt", "install", dispatcher)
      })
  }

  private static let dispatcher = "speech-dispatcher"

  /// Reports in which respects even the right voice falls short.
  private static func tellLimits(of language: String, _ part: inout DoctorPart) {
    let limits = SpeechProbe.limits(of: language)
    guard let first = limits.first else { return }
    part.meaning = Wording { phrases in
      limits.dropFirst().reduce(phrases.voiceLimit(first)) {
        phrases.join($0, phrases.voiceLimit($1))
      }
    }
    part.remedy = Wording { phrases in phrases.voiceLimitRemedy }
  }

  /// - Parameter chosen: the voice that the settings name for the language.
  static func describe(
    _ facts: VoiceFacts, chosen: String?, language: String, _ part: inout DoctorPart
  ) {
    let version = SpokenName.clean(facts.version)
    let engine = Wording { phrases in
      // keydrag doctor: the synthesizer. %1$@ is its version.
      version.isEmpty ? "espeak-ng." : phrases.phrase("espeak-ng %1$@.", version)
    }
    guard facts.speaks else {
      part.state = .missing
      part.found = Wording { phrases in
        // keydrag doctor: after the name of the synthesizer, whose data is not installed.
        phrases.join(engine(phrases), phrases.phrase("Its voices are not found."))
      }
      // keydrag doctor: what follows when there is no voice.
      part.meaning = .phrase("Messages are shown as text.")
      part.mend(asAdministrator: "apt", "install", "libespeak-ng1", "espeak-ng-data")
      return
    }
    if let chosen, chosen != facts.voice {
      part.state = .missing
      let name = SpokenName.clean(chosen)
      part.found = Wording { phrases in
        // keydrag doctor: the voice that the settings name is not installed. %1$@ is its name.
        phrases.join(engine(phrases), phrases.phrase("There is no voice %1$@.", name))
      }
      // keydrag doctor: what follows when the voice that the settings name is not installed.
      part.meaning = .phrase("The usual voice is used.")
      // keydrag doctor: what to do. voices stays as it is; the configuration file is the file
      // of settings.
      part.remedy = .phrase("Name another voice under voices in the configuration file.")
    } else if let voice = facts.voice.map({ SpokenName.clean($0) }) {
      // keydrag doctor: the synthesizer. %1$@ is its version, %2$@ the name of the voice,
      // such as en-us.
      part.found = .phrase("espeak-ng %1$@, voice %2$@.", version, voice)
      tellLimits(of: language, &part)
    } else {
      part.state = .missing
      part.found = Wording { phrases in
        // keydrag doctor: the synthesizer does not speak the language. %1$@ is a tag such as
        // de.
        phrases.join(engine(phrases), phrases.phrase("There is no voice for %1$@.", language))
      }
      // keydrag doctor: what follows when no voice speaks the language.
      part.meaning = .phrase("The English voice is used.")
      // keydrag doctor: what to do. voices stays as it is; the configuration file is the file
      // of settings.
      part.remedy = .phrase("Name another voice under voices in the configuration file.")
    }
  }

  /// The sound device, opened as a session opens it.
  static let sound = DoctorProbe(
    id: "sound",
    // keydrag doctor: the name of a part: the sound device.
    title: .term(in: "part", "Sound"), isNeeded: \.wantsSpeech,
    run: { context, part in
      describe(
        SpeechProbe.sound(), SoundCards.look(), user: account, &part)
    })

  /// The name of the person's account as the system knows it; `USER` may say anything.
  static var account: String? { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } }

  /// - Parameters:
  ///   - error: why the device can't be opened.
  ///   - user: the account to grant access; `nil` if the system knows none.
  static func describe(
    _ error: SoundError?, _ cards: SoundCards, user: String?, _ part: inout DoctorPart
  ) {
    guard let error else {
      // keydrag doctor: sound works.
      part.found = .phrase("The device was opened.")
      return
    }
    part.state = .missing
    // keydrag doctor: what follows without sound.
    part.meaning = .phrase("Messages are shown as text; a recording works all the same.")
    // CALSA's code for a missing ALSA library, without which a card is of no use.
    if error.code == ELIBACC {
      // keydrag doctor: the library that plays sound is missing. ALSA is its name.
      part.found = .phrase("The ALSA library is not installed.")
      part.mend(asAdministrator: "apt", "install", "libasound2")
      return
    }
    switch cards {
    case .none:
      // keydrag doctor: there is nothing to play sound on.
      part.found = .phrase("There is no sound card.")
      part.remedy = .phrase(
        // keydrag doctor: what to do without a sound card. --speech out.wav stays as it is.
        "Connect one, or give the virtual machine one. Otherwise record with --speech out.wav.")
    case .forbidden:
      // keydrag doctor: the sound card is there.
      part.found = .phrase("You are not allowed to use the sound card.")
      if let user { part.mendUntilLogin(asAdministrator: "adduser", user, "audio") }
    case .usable where error.code == EBUSY:
      // keydrag doctor: only one program at a time can play sound.
      part.found = .phrase("Another program holds the sound card.")
      part.repair = .administrator(["apt", "install", "pipewire-audio"])
      part.remedy = .phrase(
        // keydrag doctor: what to do when another program plays sound. %1$@ is a command to
        // type.
        "End that program, or share the card. As administrator: %1$@",
        "apt install pipewire-audio")
    case .usable:
      part.found = Wording { phrases in
        // keydrag doctor: the sound card refuses. %1$@ is the number of an error.
        phrases.phrase("The device can't be opened, error %1$@.", phrases.number(Int(error.code)))
      }
      part.mendUntilLogin(asAdministrator: "apt", "install", "pipewire-audio")
    }
  }
}

/// The state of the sound cards, from the kernel.
enum SoundCards: CaseIterable {
  case none, forbidden, usable

  static func look() -> SoundCards {
    var result = SoundCards.none
    for name in SystemFiles.names(in: "/dev/snd") ?? [] {
      // "pcmC0D0p": a card's playback device.
      guard name.hasPrefix("pcm"), name.hasSuffix("p") else { continue }
      if access("/dev/snd/\(name)", R_OK | W_OK) == 0 { return .usable }
      result = .forbidden
    }
    return result
  }
}
