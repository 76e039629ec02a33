import Testing

@testable import KeyDragSpeech

@Suite struct SpeechTextTests {
  @Test(
    "names and sentences become words that can be spoken",
    arguments: [
      ("", ""),
      ("   ", ""),
      ("notes.txt", "notes.txt"),
      ("Picked up notes.txt. 3 places.", "Picked up notes.txt. 3 places."),
      ("report_final-2.tar.gz", "report final-2 .tar.gz"),
      ("IMG_2041.JPG", "IMG 2041 .JPG"),
      ("__init__.py", "init .py"),
      ("v1.2.3.txt", "v1.2.3 .txt"),
      ("a_b__c", "a b c"),
      ("20240131_120000.jpg", "2024 01 31 12 00 00 .jpg"),
      ("scan123456789.pdf", "scan1 2 3 4 5 6 7 8 9 .pdf"),
      ("99999999_x", "9 9 9 9 9 9 9 9 x"),
      ("1234567 bytes", "1234567 bytes"),
      ("It took 3.5 seconds.", "It took 3.5 seconds."),
      ("line one\nline two\ttabbed\r\n", "line one line two tabbed"),
      ("\u{2068}notes.txt\u{2069}, 2 of 4", "notes.txt, 2 of 4"),
      ("[[h@l'oU]]", "h@l'oU"),
      ("zażółć.txt", "zażółć.txt"),
      ("hello 😀", "hello 😀"),
    ])
  func words(_ text: String, _ spoken: String) {
    #expect(SpeechText.forVoice(text) == spoken)
  }

  @Test(
    "K19: characters that cannot be spoken are named once per run",
    arguments: [
      ("a\u{FFFD}b", "a unreadable character b"),
      ("a\u{FFFD}\u{FFFD}\u{241B}b", "a unreadable character b"),
      ("a\u{1B}[31mb", "a unreadable character 31mb"),
      ("\u{1}40S\u{2}", "unreadable character 40S unreadable character"),
      ("\u{FFFD}\u{200E}\u{FFFD}", "unreadable character"),
      ("x\u{0}y", "x unreadable character y"),
    ])
  func unreadable(_ text: String, _ spoken: String) {
    #expect(SpeechText.forVoice(text) == spoken)
  }

  @Test("what cannot be spoken is named in the listener's words")
  func localized() {
    #expect(
      SpeechText.forVoice(
        "a\u{FFFD}", settings: SpeechSettings(unreadableCharacter: "nieczytelny znak"))
        == "a nieczytelny znak")
  }

  @Test("a text of any length is cut to a bounded one")
  func bounded() {
    let text = SpeechText.forVoice(String(repeating: "a", count: 1_000_000))
    #expect(text.unicodeScalars.count == SpeechText.longest)
  }
}

@Suite struct SpeechHeardTests {
  @Test(
    "a file's extension is heard with its dot",
    arguments: ["notes.txt", "v1.2.3.txt", "report_final-2.tar.gz", "IMG_2041.JPG", ".bashrc"])
  func dot(_ name: String) async throws {
    let heard = try await phonemes(SpeechText.forVoice(name))
    #expect(heard.contains("0t"))
    #expect(!heard.contains("pOInt t,i:"))
  }

  @Test("a dot after a version number would be lost without help")
  func dotIsLostWithoutHelp() async throws {
    let plain = try await phonemes("v1.2.3.txt")
    let helped = try await phonemes(SpeechText.forVoice("v1.2.3.txt"))
    #expect(!plain.contains("d'0t"))
    #expect(helped.contains("d'0t"))
  }

  @Test("the date in a photo's name is no number of millions")
  func date() async throws {
    let plain = try await phonemes("20240131_120000.jpg")
    let helped = try await phonemes(SpeechText.forVoice("20240131_120000.jpg"))
    #expect(plain.contains("m'Ili@n"))
    #expect(!helped.contains("m'Ili@n"))
  }

  @Test("an underscore sounds like a blank")
  func underscore() async throws {
    #expect(
      try await phonemes(SpeechText.forVoice("foo_bar")) == (try await phonemes("foo bar")))
  }

  @Test(
    "text is never taken for phonemes, markup or commands",
    arguments: ["[[h@l'oU]]", "<break time=\"9s\"/>", "&lt;", "\u{1}450S"])
  func neverCommands(_ text: String) async throws {
    let heard = try await phonemes(SpeechText.forVoice(text))
    #expect(!heard.isEmpty)
    #expect(heard != "h@l'oU")
  }

  @Test("an unspeakable character is heard where espeak-ng alone would say nothing")
  func unreadable() async throws {
    let silent = try await phonemes("\u{FFFD}")
    let heard = try await phonemes(SpeechText.forVoice("\u{FFFD}"))
    #expect(!silent.contains("'"))
    #expect(heard.contains("'"))
  }
}
