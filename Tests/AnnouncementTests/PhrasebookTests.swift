import Testing

@testable import KeyDragCore

/// The wording, in English.
struct PhrasebookTests {
  private let full = Phrasebook(verbosity: .full)
  private let brief = Phrasebook(verbosity: .brief)

  /// Words of the program that are none of a person's; hyphens that English has too are left out.
  private static let rawWords: [String] = {
    let reasons = Reason.allCases.map(\.rawValue).filter { $0.contains("-") && $0 != "read-only" }
    let commands = CommandName.allCases.map(\.rawValue).filter { $0.contains("-") }
    return reasons + commands + [
      "keepBoth", "keep-both", "openWith", "rolledBack", "rolled-back", "folderLink", "Optional(",
      "DragOperation", "nil",
    ]
  }()

  @Test("Every announcement has words, brief and full, with nothing left to fill")
  func words() {
    for announcement in AnnouncementSamples.all {
      for book in [full, brief] {
        let text = book.text(announcement)
        #expect(!text.isEmpty, "\(announcement)")
        #expect(!text.contains("%1$") && !text.contains("$@"), "\(text)")
        #expect(!text.contains("  ") && !text.hasPrefix(" ") && !text.hasSuffix(" "), "'\(text)'")
        #expect(!text.contains("..") && !text.contains(",."), "\(text)")
        // The end of a file's name may stand alone, as in "3 .vcf files".
        let plain = text.replacing(" .vcf", with: "").replacing(" .txt", with: "")
        #expect(!plain.contains(" ,") && !plain.contains(" ."), "\(text)")
        #expect(!text.contains(": .") && !text.contains("..."), "\(text)")
      }
    }
  }

  @Test("K19: no announcement says an id, an enum case or a key word of the transcript")
  func noRawWords() {
    for announcement in AnnouncementSamples.all {
      let text = full.text(announcement)
      let raw = PhrasebookTests.rawWords.first(where: text.contains)
      #expect(raw == nil, "\(text)")
    }
  }

  @Test("K21: the brief wording is never longer than the full one")
  func briefIsShorter() {
    for announcement in AnnouncementSamples.all {
      let (short, long) = (brief.text(announcement), full.text(announcement))
      #expect(short.count <= long.count, "\(short) / \(long)")
    }
  }

  @Test("An announcement ends as a sentence, or with a number or a name as a list does")
  func endings() {
    for announcement in AnnouncementSamples.all {
      let last = full.text(announcement).last ?? " "
      #expect(".…?".contains(last) || last.isLetter || last.isNumber, "\(full.text(announcement))")
    }
  }

  @Test("The list of ids is the set of the ids of all announcements, and every one has a sample")
  func ids() {
    #expect(Set(AnnouncementSamples.all.map(\.id)) == Announcement.ids)
  }

  @Test("The sentences of the design are as they stand there")
  func designSentences() {
    let kinds = [KindCount(group: .text, count: 1)]
    let table: [(Announcement, String)] = [
      (
        .ready(container: "Inbox", counts: ItemCounts(files: 3, folders: 1), isFirst: true),
        "Inbox, 3 files, 1 folder. Space picks up."
      ),
      (
        .ready(
          container: "Inbox", counts: ItemCounts(files: 3, folders: 1),
          item: NamedItem(name: "Sorted", kind: .folder), isFirst: true),
        "Inbox, 3 files, 1 folder. Sorted, folder. Space picks up."
      ),
      (
        .item(name: "notes.txt", kind: .file, index: 2, total: 4, isSelected: false),
        "notes.txt, 2 of 4"
      ),
      (
        .item(name: "p\u{430}y.txt", kind: .folder, index: 2, total: 4, isSelected: false),
        "p\u{430}y.txt, letters of two alphabets, folder, 2 of 4"
      ),
      (
        .item(
          name: "\u{441}o\u{441}", kind: .file, index: 2, total: 4, isSelected: true,
          isConfusable: true),
        "\u{441}o\u{441}, letters of two alphabets, looks like another one here, selected, 2 of 4"
      ),
      (
        .pickedUp(
          PickUp(
            names: ["notes.txt"], typeName: "text document", kinds: kinds, count: 1,
            operation: .move, points: 3,
            isFirst: false)), "Picked up notes.txt. 3 places."
      ),
      (AnnouncementSamples.dropPoint(.accept), "Sorted, in Inbox: move. 1 of 3"),
      (
        .delivered(
          DeliveredReport(
            operation: .copy, names: ["notes.txt"], place: "Docs",
            result: DeliveryResult(delivered: 1))), "Copied notes.txt to Docs."
      ),
    ]
    for (announcement, expected) in table { #expect(full.text(announcement) == expected) }
  }

  @Test(
    "H12: counts have their plural",
    arguments: [
      (0, "Inbox, empty.", "0 items"), (1, "Inbox, 1 file.", "1 item"),
      (2, "Inbox, 2 files.", "2 items"), (5, "Inbox, 5 files.", "5 items"),
      (11, "Inbox, 11 files.", "11 items"), (21, "Inbox, 21 files.", "21 items"),
      (100, "Inbox, 100 files.", "100 items"),
    ])
  func plurals(count: Int, ready: String, items: String) {
    let counts = ItemCounts(files: count, folders: 0)
    #expect(full.text(.ready(container: "Inbox", counts: counts, isFirst: false)) == ready)
    #expect(full.text(.removed(name: "a", count: count)) == "a taken out, \(items) held.")
  }

  @Test(
    "Of many names the first two are said and the number of the others",
    arguments: [
      (["a"], 1, "a"), (["a", "b"], 2, "a and b"), (["a", "b", "c"], 3, "a, b and c"),
      (["a", "b", "c", "d"], 4, "a, b and 2 more"), (["a", "b"], 1_000, "a, b and 998 more"),
      (["a"], 3, "a and 2 more"), ([], 2, "2 items"),
    ] as [([String], Int, String)])
  func names(names: [String], count: Int, expected: String) {
    #expect(full.names(names, count: count) == expected)
  }

  @Test(
    "A size is said in its largest unit",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 kilobyte"),
      (1_500, "1.5 kilobytes"), (999_999, "1 megabyte"), (20_000_000, "20 megabytes"),
      (9_960_000_000, "10 gigabytes"), (Int64.max, "9223372 terabytes"), (-5, "0 bytes"),
    ] as [(Int64, String)])
  func sizes(bytes: Int64, expected: String) {
    #expect(full.size(bytes) == expected)
  }

  @Test("H19: what both places hold is told apart from what did not arrive")
  func doubled() {
    let failures = [
      DeliveryFailure(name: "tree", reason: .bothHold), DeliveryFailure(name: "b", reason: .gone),
      DeliveryFailure(name: "c", reason: .noSpace),
    ]
    let held = "tree: it arrived, but the original is still there."
    let report = DeliveredReport(
      operation: .move, names: ["a"], place: "B",
      result: DeliveryResult(delivered: 1, failures: failures))
    let text = full.text(.partlyDelivered(report))
    #expect(text == "Moved 1 of 4 to B. b: it is gone. c: not enough space. \(held)")
  }

  @Test("A name with a percent sign or a placeholder in it is said as it is")
  func placeholdersInNames() {
    #expect(full.text(.appeared(name: "50%1$@ %2$@")) == "50%1$@ %2$@ appeared.")
  }

  @Test(
    "K21: a pick-up in brief takes eight words at most, of one item and of many",
    arguments: [1, 2, 1000], [nil, 0, 1, 300])
  func briefPickUp(count: Int, points: Int?) {
    var brief = full
    brief.verbosity = .brief
    let kinds = [KindCount(group: .picture, count: count), KindCount(group: .folder, count: 2)]
    let said = brief.text(
      .pickedUp(
        PickUp(
          names: ["a.txt", "b.txt"].prefix(count) + [], typeName: "text document", kinds: kinds,
          count: count, operation: .move, points: points, isFirst: true)))
    #expect(said.split(separator: " ").count <= 8, "\(said)")
  }

  @Test("K21: instructions are said the first time only")
  func instructions() {
    let counts = ItemCounts(files: 1, folders: 0)
    #expect(!full.text(.ready(container: "A", counts: counts, isFirst: false)).contains("Space"))
    #expect(!full.text(.mode(.adding, isOn: true)).contains("Space"))
    #expect(full.text(.mode(.adding, isOn: true, isFirst: true)).contains("Space"))
  }
}
