import ContactsSample
import KeyDrag
import Testing

@Suite("Contacts as programs write them")
struct ContactCardTests {
  private func cards(_ text: String) throws -> [ContactCard] {
    try ContactCards(dragged: Array(text.utf8), contentType: "text/vcard").cards
  }

  /// One card with these lines in it.
  private func card(_ lines: String...) throws -> ContactCard {
    let all = ["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]
    let cards = try cards(all.joined(separator: "\r\n"))
    return try #require(cards.first)
  }

  private static let programs: [(String, String)] = [
    (
      "GNOME Contacts",
      """
      BEGIN:VCARD
      VERSION:3.0
      UID:pas-id-5F2A
      FN:Zoë Müller
      N:Müller;Zoë;;;
      EMAIL;TYPE=PERSONAL:zoe@example.org
      TEL;TYPE=CELL:+49 30 901820
      X-EVOLUTION-FILE-AS:Müller\\, Zoë
      END:VCARD
      """
    ),
    (
      "Google",
      """
      BEGIN:VCARD
      VERSION:3.0
      FN:Zoë Müller
      N:Müller;Zoë;;;
      EMAIL;TYPE=INTERNET;TYPE=HOME:zoe@example.org
      item1.TEL:+49 30 901820
      item1.X-ABLabel:
      PHOTO:https://example.org/photo
      CATEGORIES:myContacts
      END:VCARD
      """
    ),
    (
      "Apple",
      """
      BEGIN:VCARD
      VERSION:3.0
      PRODID:-//Apple Inc.//macOS 14.0//EN
      N:Müller;Zoë;;;
      FN:Zoë Müller
      item1.EMAIL;type=INTERNET;type=pref:zoe@example.org
      item1.X-ABLabel:_$!<Home>!$_
      TEL;type=CELL;type=VOICE;type=pref:+49 30 901820
      PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQ
       EBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH
      END:VCARD
      """
    ),
    (
      "Nextcloud",
      """
      BEGIN:VCARD
      VERSION:4.0
      PRODID:-//Sabre//Sabre VObject 4.5.4//EN
      FN:Zoë Müller
      N:Müller;Zoë;;;
      EMAIL;TYPE="HOME":zoe@example.org
      TEL;TYPE="HOME,VOICE";VALUE=uri:tel:+49 30 901820
      REV;VALUE=DATE-AND-OR-TIME:20240101T101010Z
      END:VCARD
      """
    ),
    (
      "an old telephone",
      """
      BEGIN:VCARD
      VERSION:2.1
      N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Zo=C3=
      =AB;;;
      EMAIL;INTERNET:zoe@example.org
      TEL;CELL:+49 30 901820
      END:VCARD
      """
    ),
  ]

  @Test("S05: one contact reads the same from every program", arguments: programs)
  func exports(program: String, text: String) throws {
    for end in ["\n", "\r\n"] {
      let found = try cards(text.replacing("\n", with: end) + end)
      let card = try #require(found.first, "\(program)")
      #expect(card.name == "Zoë Müller", "\(program)")
      #expect(card.emails == ["zoe@example.org"], "\(program)")
      #expect(card.phones == ["+49 30 901820"], "\(program)")
      #expect(String(decoding: card.source, as: UTF8.self).contains("BEGIN:VCARD"))
    }
  }

  @Test("A line folded in the middle of a character is put together again")
  func folding() throws {
    let name = Array("FN:Zo".utf8) + [0xC3, 0x0D, 0x0A, 0x20, 0xAB]
    let bytes =
      Array("BEGIN:VCARD\r\nVERSION:3.0\r\n".utf8) + name + Array("\r\nEND:VCARD\r\n".utf8)
    let file = try ContactCards(dragged: bytes, contentType: "text/vcard")
    #expect(file.cards.first?.name == "Zoë")
  }

  @Test("Escapes are undone, and what breaks a line does not break a name")
  func escapes() throws {
    #expect(try card(#"FN:Braille\, Louis\; et al\\."#).name == #"Braille, Louis; et al\."#)
    #expect(try card(#"FN:Louis\nBraille"#).name == "Louis Braille")
    #expect(try card("N:Lovelace;Ada;King;Countess;FRS").name == "Countess Ada King Lovelace FRS")
  }

  /// The bytes of a text in UTF-16.
  private static func wide(_ text: String, isLow: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return isLow ? bytes : bytes.reversed()
    }
  }

  @Test(
    "H14: an address book in UTF-16 is read as one in UTF-8, with and without a byte order mark",
    arguments: [true, false], [true, false])
  func wideFiles(isLow: Bool, mark: Bool) throws {
    for (program, text) in Self.programs {
      let text = text.replacing("\n", with: "\r\n") + "\r\n"
      let bytes = Self.wide(text, isLow: isLow, mark: mark)
      let file = try ContactCards(dragged: bytes, contentType: "text/vcard")
      #expect(file.cards == (try cards(text)), "\(program)")
      // Two files that were put behind one another.
      let twice = try ContactCards(dragged: bytes + bytes, contentType: "text/vcard")
      #expect(twice.cards.count == 2 && twice.leftOut.isEmpty, "\(program)")
      // One that was cut off in the middle of a character.
      let cut = try ContactCards(dragged: bytes + [0x42], contentType: "text/vcard")
      #expect(cut.cards == file.cards)
    }
  }

  @Test("H14: what an old telephone exports in UTF-16 says so itself, and can be read again")
  func wideOld() throws {
    let text = "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-16:Gödel;Kurt 🎓\r\nEND:VCARD\r\n"
    let file = try ContactCards(
      dragged: Self.wide(text, isLow: true, mark: true), contentType: "text/vcard")
    #expect(file.cards.map(\.name) == ["Kurt 🎓 Gödel"])
    let again = try ContactCards(
      dragged: file.cards.flatMap(\.source), contentType: "text/vcard")
    #expect(again.cards == file.cards)
  }

  @Test("H14: half a character in UTF-16 leaves out its own card alone")
  func wideDamage() throws {
    var units = Array("BEGIN:VCARD\nFN:One\nEND:VCARD\nBEGIN:VCARD\nTEL:1\nFN:Tw".utf16)
    units.append(0xD83C)
    units += Array("o\nEND:VCARD\nBEGIN:VCARD\nFN:Three\nEND:VCARD\n".utf16)
    let bytes: [UInt8] =
      [0xFF, 0xFE] + units.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let file = try ContactCards(dragged: bytes, contentType: "text/vcard")
    #expect(file.cards.map(\.name) == ["One", "Three"])
    #expect(file.leftOut.map(\.number) == [2])
  }

  @Test("H14: each of several files in UTF-8 that were put behind one another may have its mark")
  func marks() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("BEGIN:VCARD\nFN:Ada\nEND:VCARD\n".utf8)
    let file = try ContactCards(dragged: bytes + bytes, contentType: "text/vcard")
    #expect(file.cards.count == 2 && file.leftOut.isEmpty)
  }

  @Test("H14: lines that end in CR CR LF are read, folded ones too")
  func doubleReturns() throws {
    let text = "BEGIN:VCARD\nFN:Ada\n  Lovelace\nTEL:1\nEND:VCARD\n"
    for end in ["\r\r\n", "\r\n", "\n", "\r"] {
      let bytes = Array(text.replacing("\n", with: end).utf8)
      let file = try ContactCards(dragged: bytes + bytes, contentType: "text/vcard")
      #expect(file.cards.map(\.name) == ["Ada Lovelace", "Ada Lovelace"], "\(end.utf8.count)")
      #expect(file.leftOut.isEmpty)
    }
  }

  @Test("H14: a card that can't be read is left out by its name or number, and the others are read")
  func badCards() throws {
    let text = [
      "BEGIN:VCARD\nFN:One\nEND:VCARD", "BEGIN:VCARD\nFN:Half\nEMAIL;CHARSET=KOI8-R:a\nEND:VCARD",
      "BEGIN:VCARD\nNOTE:nobody\nEND:VCARD", "BEGIN:VCARD\nFN:Open",
      "BEGIN:VCARD\nFN:Two\nEND:VCARD",
      "",
    ].joined(separator: "\n")
    let file = try ContactCards(dragged: Array(text.utf8), contentType: "text/vcard")
    #expect(file.cards.map(\.name) == ["One", "Two"])
    #expect(file.leftOut.map(\.name) == ["Half", "", "Open"])
    #expect(file.leftOut.map(\.number) == [2, 3, 4])
    #expect(Set(file.leftOut.map(\.reason)) == [.malformed])
  }

  @Test("Who has no name of their own is called by what there is")
  func names() throws {
    #expect(try card("FN:", "N:;;;;", "ORG:Analytical Engines;Sales").name == "Analytical Engines")
    #expect(try card("FN:", "EMAIL:ada@example.org").name == "ada@example.org")
    #expect(throws: Reason.malformed) { try card("FN:", "N:;;;;") }
    #expect(try card("FN:", "TEL:+44 20 7946").name == "+44 20 7946")
    #expect(try card("TEL:tel:", "TEL:+44 20 7946").name == "+44 20 7946")
    #expect(throws: Reason.malformed) { try card("NOTE:1") }
  }

  @Test("A new card, written and read again, is the same contact")
  func roundTrip() throws {
    let card = ContactCard(
      name: #"Ada; "the, one" \ n"#, emails: ["ada@example.org"], phones: ["1", "2"])
    let again = try ContactCards(dragged: card.source, contentType: "text/vcard")
    #expect(again.cards == [card])
  }

  private static let bad: [(String, [UInt8], Reason)] = [
    ("nothing", [], .nothingThere),
    ("blank lines", Array("\r\n\r\n".utf8), .malformed),
    ("text", Array("Dear Ada\n".utf8), .malformed),
    ("no end", Array("BEGIN:VCARD\nFN:Ada\n".utf8), .malformed),
    ("no beginning", Array("FN:Ada\nEND:VCARD\n".utf8), .malformed),
    ("no colon", Array("BEGIN:VCARD\nFN\nEND:VCARD\n".utf8), .malformed),
    ("a null byte", Array("BEGIN:VCARD\nFN:A\0da\nEND:VCARD\n".utf8), .malformed),
    (
      "a hidden null byte",
      Array("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:A=00\nEND:VCARD\n".utf8), .malformed
    ),
    ("bytes that are no UTF-8", Array("BEGIN:VCARD\nFN:".utf8) + [0xE9, 0x0A], .malformed),
    (
      "an unknown charset", Array("BEGIN:VCARD\nFN;CHARSET=KOI8-R:A\nEND:VCARD\n".utf8), .malformed
    ),
    (
      "two million characters",
      Array("BEGIN:VCARD\nFN:".utf8) + Array(repeating: 65, count: 2_000_000)
        + Array("\nEND:VCARD\n".utf8), .tooBig
    ),
  ]

  @Test("S06: what is no contact is refused with a reason", arguments: bad)
  func refusal(what: String, data: [UInt8], reason: Reason) {
    #expect(throws: reason, "\(what)") {
      try ContactCards(dragged: data, contentType: "text/vcard")
    }
  }

  @Test("An older card in Latin 1 says so, and is read")
  func latin() throws {
    let bytes =
      Array("BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=ISO-8859-1:M".utf8) + [0xFC]
      + Array("ller;Zo".utf8) + [0xEB] + Array("\nEND:VCARD\n".utf8)
    let file = try ContactCards(dragged: bytes, contentType: "text/vcard")
    #expect(file.cards.first?.name == "Zoë Müller")
  }

  @Test("H14: signs of Windows are read where a card says Latin 1, quoted or not")
  func windows() throws {
    let quoted = "FN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Sin=E9ad O=92Brien =8Aimko"
    #expect(try card(quoted).name == "Sinéad O’Brien Šimko")
    let bytes =
      Array("BEGIN:VCARD\nFN;CHARSET=WINDOWS-1252:O".utf8) + [0x92]
      + Array("Brien\nEND:VCARD\n".utf8)
    let file = try ContactCards(dragged: bytes, contentType: "text/vcard")
    #expect(file.cards.first?.name == "O’Brien")
    #expect(throws: Reason.malformed) {
      try card("FN;CHARSET=WINDOWS-1252;ENCODING=QUOTED-PRINTABLE:=81")
    }
  }
}

@Suite("The sample of contacts")
struct ContactsSampleTests {
  @Test("S01, S02: a private contact can't be dragged or added, and that is said")
  func emptyAnswer() async throws {
    let run = await SampleRun.ready(try ContactsSample().host)
    await run.type("hedy", until: "item")
    #expect(
      await run.perform(.pickUp, until: "nothing-to-pick-up")
        == "Hedy Lamarr can't be picked up. It can't be dragged.")
    run.perform(.firstItem)
    await run.perform(.pickUp, until: "drop-point")
    await run.perform(.addToDrag, until: "mode")
    await run.type("hedy", until: "item")
    #expect(await run.perform(.pickUp, until: "refused-to-add").contains("Hedy Lamarr"))
    await run.end()
  }

  @Test("S03, S05: contacts reach the other table whole and in their order")
  func copy() async throws {
    let sample = try ContactsSample()
    let run = await SampleRun.ready(sample.host)
    await run.perform(.extendSelectionDown, until: "selected")
    await run.drag(to: "team")
    #expect(sample.team.rows == Array(sample.contacts.rows.prefix(2)))
    await run.end()
  }

  @Test("H17: a field for recipients takes the name and the address, and nothing else")
  func recipient() async throws {
    let sample = try ContactsSample()
    let run = await SampleRun.ready(sample.host)
    await run.drag(to: "recipients")
    #expect(sample.recipients.rows.map(\.text) == ["Ada Lovelace <ada@example.org>"])
    await run.end()
  }

  @Test("H18: a contact without an address is named before the drop, and the others go")
  func noAddress() async throws {
    let file = """
      BEGIN:VCARD
      FN:Ada
      EMAIL:ada@example.org
      END:VCARD
      BEGIN:VCARD
      FN:Grace
      END:VCARD
      """
    let sample = try ContactsSample(file: Array(file.utf8))
    let cards = sample.contacts.rows
    func offer(_ cards: [ContactCard]) throws -> [ItemProvider] {
      try cards.map { try ItemProvider(ContactCards([$0])) }
    }
    let refused = try await sample.host.paste(offer(cards), into: sample.recipients.end)
    #expect(refused == [1: .noAddress])
    #expect(sample.recipients.rows.map(\.text) == ["Ada <ada@example.org>"])
    await #expect(throws: Reason.noAddress) {
      try await sample.host.paste(offer([cards[1]]), into: sample.recipients.end)
    }
  }

  @Test("H14: a good contact arrives though a damaged one is dropped with it")
  func oneDamaged() async throws {
    let sample = try ContactsSample()
    let before = sample.contacts.rows.count
    let good = try provider { Array("BEGIN:VCARD\nFN:Good\nEND:VCARD\n".utf8) }
    let bad = try provider { Array("BEGIN:VCARD\nFN:Half".utf8) }
    let failed = try await sample.host.paste([good, bad], into: sample.contacts.end)
    #expect(failed == [1: .malformed])
    #expect(sample.contacts.rows.dropFirst(before).map(\.name) == ["Good"])
  }

  private func provider(_ load: @escaping @Sendable () async throws -> [UInt8]) throws
    -> ItemProvider
  {
    try ItemProvider(
      suggestedName: "new.vcf",
      representations: [Representation("text/vcard") { _ in try await load() }])
  }

  @Test("H14: what of a file was left out is said, and what was read has arrived")
  func leftOutIsSaid() async throws {
    let sample = try ContactsSample()
    let files = sample.host.addContainer("Files")
    let text = "BEGIN:VCARD\nFN:One\nEND:VCARD\nBEGIN:VCARD\nNOTE:x\nEND:VCARD\n"
    let file = try provider { Array(text.utf8) }
    sample.host.register(DragHost.Source("new.vcf") { file }, in: files)
    let run = await SampleRun.ready(sample.host)
    for _ in 0..<3 { run.perform(.nextContainer) }
    await run.perform(.whereAmI, until: "item")
    await run.perform(.pickUp, until: "drop-point")
    await run.type("team", until: "drop-point")
    #expect(
      await run.perform(.drop, until: "partly-delivered")
        == "Copied new.vcf to Team. 1 of 1. Left out: new.vcf (2). Its contents are damaged.")
    #expect(sample.team.rows.map(\.name) == ["One"])
    #expect(await run.perform(.undo, until: "undone") == "Took back: new.vcf out of Team.")
    #expect(sample.team.rows.isEmpty)
    await run.end()
  }

  @Test("S04: a placeholder holds the place while contacts load, and goes when they can't be read")
  func placeholder() async throws {
    let sample = try ContactsSample()
    let before = sample.contacts.rows
    @Sendable func names() -> [String] {
      sample.host.registry[sample.contacts.container]?.sources?.map(\.name) ?? []
    }
    @Sendable func kinds() -> [ItemKind] {
      sample.host.registry[sample.contacts.container]?.sources?.map(\.kind) ?? []
    }
    let held = try provider {
      #expect(names().last == "new.vcf")
      #expect(kinds().last == .placeholder)
      return Array("BEGIN:VCARD\nFN:New One\nEND:VCARD\n".utf8)
    }
    try await sample.host.paste([held], into: sample.contacts.end)
    #expect(names() == before.map(\.name) + ["New One"])
    #expect(!kinds().contains(.placeholder))

    let broken = try provider {
      #expect(kinds().contains(.placeholder))
      return Array("BEGIN:VCARD\nFN:Half".utf8)
    }
    await #expect(throws: Reason.malformed) {
      try await sample.host.paste([broken], into: sample.contacts.end)
    }
    #expect(names() == before.map(\.name) + ["New One"])
  }
}
