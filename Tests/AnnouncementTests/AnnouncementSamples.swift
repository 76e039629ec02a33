@testable import KeyDragCore

/// At least one of every announcement.
enum AnnouncementSamples {
  static let names = ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]
  static let counts = [0, 1, 2, 5, 11, 21, 100]

  private static let renaming: HistoryEntry = {
    var entry = HistoryEntry(
      number: 1, operation: .move, names: ["b.txt"], count: 1, place: "Docs", time: 0,
      isUndone: false)
    entry.formerName = "a.txt"
    return entry
  }()

  private static let making: HistoryEntry = {
    var entry = HistoryEntry(
      number: 1, operation: .copy, names: ["Sorted"], count: 1, place: "Docs", time: 0,
      isUndone: false)
    entry.isFolderCreation = true
    return entry
  }()

  private static let facts: ItemFacts = {
    var facts = ItemFacts(
      name: "a.txt", kind: .link, typeName: "xyz", changed: "2026-11-21 21:31",
      path: ["docs", "inbox"])
    facts.bytes = 2000
    facts.target = "b.txt"
    return facts
  }()

  private static func back(_ operation: DragOperation, _ count: Int) -> HistoryEntry {
    var entry = entry(operation, count)
    entry.things = .files
    entry.origin = "inbox"
    return entry
  }

  static func entry(
    _ operation: DragOperation, _ count: Int = 3, isUndone: Bool = false
  ) -> HistoryEntry {
    HistoryEntry(
      number: 1, operation: operation, names: Array(names.prefix(count)), count: count,
      place: operation == .remove ? "" : "Docs", time: 0, isUndone: isUndone)
  }

  static func dropPoint(
    _ word: Verdict.Word, _ operation: DragOperation? = .move,
    _ change: (inout DropPointReport) -> Void = { _ in }
  ) -> Announcement {
    .dropPoint(point("Sorted", in: "Inbox", word, operation, change))
  }

  private static func point(
    _ name: String, in container: String? = nil, _ word: Verdict.Word, _ operation: DragOperation?,
    _ change: (inout DropPointReport) -> Void = { _ in }
  ) -> DropPointReport {
    var verdict = Verdict(word, word == .refuse || word == .forbidden ? .editModeOff : nil)
    (verdict.operation, verdict.accepted) = (operation, 1)
    var report = DropPointReport(
      name: name, container: container, verdict: verdict, count: 2, index: 1, total: 3)
    change(&report)
    return report
  }

  static func delivered(
    _ operation: DragOperation, _ count: Int = 1, task: TaskPoint? = nil, renamed: [String] = []
  ) -> DeliveredReport {
    DeliveredReport(
      operation: operation, names: Array(names.prefix(count)), place: "Docs",
      result: DeliveryResult(
        outcome: .delivered, route: .files, delivered: count, renamed: renamed),
      task: task, next: "next.txt")
  }

  private static func partly(
    _ report: DeliveredReport, _ failures: [DeliveryFailure]
  ) -> Announcement {
    var report = report
    report.result.failures = failures
    return .partlyDelivered(report)
  }

  private static func leavingOut(
    _ report: DeliveredReport, _ reasons: [Reason]
  ) -> DeliveredReport {
    var report = report
    report.result.leftOut = zip(names, reasons).map { DeliveryFailure(name: $0, reason: $1) }
    report.result.others = reasons.count == 1 ? 40 : 0
    return report
  }

  private static func skipping(
    _ report: DeliveredReport, leadNowhere: [String] = [], replaced: [String] = []
  ) -> DeliveredReport {
    var report = report
    report.isSkipping = true
    report.result.leadNowhere = leadNowhere
    report.result.replaced = replaced
    return report
  }

  private static func paths(_ report: DeliveredReport) -> DeliveredReport {
    var report = report
    report.result.effect = .pathsWritten
    return report
  }

  private static func listed(_ report: DeliveredReport) -> DeliveredReport {
    var report = report
    report.result.effect = .listed
    return report
  }

  private static func missing(_ report: DeliveredReport) -> DeliveredReport {
    var report = report
    report.missed = "Inbox"
    return report
  }

  static let all: [Announcement] =
    browsing + carrying + places + questions + outcomes + history + reasons + problems

  private static let browsing: [Announcement] =
    counts.flatMap { count -> [Announcement] in
      [
        .ready(container: "Inbox", counts: ItemCounts(files: count, folders: 0), isFirst: true),
        .ready(container: "Inbox", counts: ItemCounts(files: 1, folders: count), isFirst: false),
        .ready(
          container: "Inbox", counts: ItemCounts(files: count, folders: 1),
          item: NamedItem(name: "Sorted", kind: .folder), isFirst: true),
        .selected(name: "a.txt", count: count), .selected(name: nil, count: count),
        .deselected(name: "a.txt", count: count), .deselected(name: nil, count: count),
        .filtered(text: "xyz", count: count, total: 21),
        .completed(names: Array(names.prefix(max(count, 1))), count: max(count, 1)),
        .filtered(text: "xyz", count: count, total: 21, isAsked: true),
        .filtered(text: "", count: count, total: count),
        .opened(name: "Docs", count: count, holds: .items),
        .opened(name: "Docs", count: count, holds: .dropPoints),
      ]
    }
    + ItemKind.allCases.map {
      .item(name: "a.txt", kind: $0, index: 2, total: 4, isSelected: $0 == .folder)
    }
    + [.item(name: "a\u{441}.txt", kind: .file, index: 1, total: 4, isSelected: false)]
    + [.copy, .move].map {
      .item(
        name: "a.txt", kind: .placeholder, index: 3, total: 4, isSelected: false, percent: 40,
        operation: $0)
    }
    + Edge.allCases.map { .edge($0) }
    + Mode.allCases.flatMap { mode -> [Announcement] in
      [.mode(mode, isOn: true, isFirst: true), .mode(mode, isOn: true), .mode(mode, isOn: false)]
    }
    + [
      .empty(container: "Inbox"), .empty(container: ""), .listing(container: "Inbox"),
      .nothingLanded, .shown(RevealedLanding(name: "a.txt", container: "Docs", app: "Files")),
      .shown(RevealedLanding(name: "Docs")), .echo("ж"), .echo("Ж"), .echo(" "), .echo("(2)."),
      .echo(""), .noMatch(text: "xyz"), .noMatch(text: ""),
      .appeared(name: "a.txt"), .appeared(name: "a.txt", count: 300),
      .appeared(name: "a.txt", count: 300, isTotal: true),
      .renamed(name: "a.txt", to: "b.txt"), .facts(facts),
      .made(name: "Sorted", place: "Docs"),
      .cannotName(name: "b.txt", .notPermitted, place: "Docs"),
      .cannotName(name: "a/b", .badName), .cannotName(name: "", .badName),
      .vanished(name: "a.txt", next: "b.txt"), .vanished(name: "a.txt", next: nil),
      .vanished(name: "a.txt", next: "b.txt", isNextSaid: true),
      .moved(name: "a.txt", index: 3, total: 12), .left(name: "Docs"),
      .opening(name: "Docs"),
      .nothingToPickUp(.nothingThere, name: nil), .nothingToPickUp(.notDraggable, name: "a.txt"),
      .goodbye, .finding, .agentReady(KeyStroke(.space, [.ctrl, .alt])),
      .lesson(.mention), .lesson(.finished(leaving: KeyStroke(.escape))),
      .lesson(.step(.key(KeyStroke(.space), .pickUp), index: 1, total: 5)),
      .lesson(
        .step(
          .key(KeyStroke(.space), .pickUp), index: 1, total: 5, leaving: KeyStroke(.escape))),
      .unknownKey(KeyStroke(.function(11))), .unknownKey(KeyStroke(.tab, .shift)),
      .help(
        CommandName.allCases.map {
          .key(KeyStroke(.character("x"), [.ctrl, .alt]), $0)
        }),
      .help([.key(KeyStroke(.backspace), .takeBack, in: .confirming)]),
      .help(
        [.take, .nextChoice, .firstChoice, .lastChoice, .takeBack, .cancelDelivery].map {
          .lineKey(KeyStroke(.enter), $0)
        }),
      .help([.finder(KeyStroke(.function(4)))], isList: true),
    ]

  private static let carrying: [Announcement] =
    counts.flatMap { count -> [Announcement] in
      [
        .pickedUp(
          PickUp(
            names: Array(names.prefix(max(count, 1))), typeName: "text document",
            kinds: [
              KindCount(group: .text, count: count), KindCount(group: .folder, count: 1),
            ],
            count: max(count, 1), operation: .move, points: count, isFirst: true)),
        .points(count), .pickingUp(names: count == 0 ? [] : ["a.txt"], count: count),
        .nothingAccepts(count: 1, alternatives: [.copy]),
        .nothingAccepts(
          count: max(count, 1), alternatives: [.trash, .print, .openWith(program: "Viewer")]),
        .nothingAccepts(
          count: 1, alternatives: [.trash],
          refusal: CommonRefusal(
            reason: .noSpace, places: Array(repeating: "Docs", count: max(count, 1)))),
        .added(names: Array(names.prefix(2)), count: count + 2),
        .removed(name: "a.txt", count: count),
        .cancelled(names: Array(names.prefix(count)), count: count),
        .keyboard(
          name: "Docs", app: "Viewer", Holding(names: Array(names.prefix(count)), count: count)),
        .declined(count: count),
        .holding(
          Holding(
            names: Array(names.prefix(count)), count: count,
            place: point("Sorted", in: "Inbox", .accept, .move))),
      ]
    }
    + DragOperation.allCases.flatMap { operation -> [Announcement] in
      [
        .operation(operation, now: nil), .operation(nil, now: operation),
        .operationUnavailable(operation, .notPermitted),
        .operationUnavailable(operation, .operationNotOffered),
      ]
    }
    + Verdict.Word.allCases.map { word in
      .holding(
        Holding(
          names: ["a.txt"], count: 1,
          place: point("Sorted", word, .copy) { $0.verdict.reason = .readOnly }))
    }
    + [
      .nothingAccepts(count: 1, alternatives: [.openFolder]), .operation(nil, now: nil),
      .pickedUp(
        PickUp(
          names: ["a.txt"], typeName: "text document", kinds: [], count: 1, operation: nil,
          points: nil, isFirst: false)),
      .pickedUp(
        PickUp(
          names: ["a.txt"], typeName: "text document", kinds: [], count: 1, operation: nil,
          points: 0, isFirst: false)),
      .refusedToAdd(name: "a.txt", .alreadyHeld), .backAtSource(name: "a.txt"),
      .heldAlready(names: ["a.txt", "b.txt"], count: 2),
      .details(accepted: [], refused: [DeliveryFailure(name: "b.txt", reason: .tooLarge)]),
      .details(accepted: names, refused: []),
      .details(accepted: names, refused: [], undo: .impossible),
      .details(accepted: names, refused: [], isUncertain: true),
      .operation(.move, now: .move, undo: .impossible),
      .holding(
        Holding(
          names: ["a.txt"], count: 1,
          place: point("Text", .maybe, .copy) { $0.verdict.undo = .impossible })),
      .holding(
        Holding(
          names: names, count: 3,
          place: point("Text", .maybe, .copy) { ($0.verdict.accepted, $0.count) = (2, 3) })),
      .details(
        accepted: ["a.txt"],
        refused: (1...25).map { DeliveryFailure(name: "f\($0)", reason: .wrongType) }),
      .sessionEnded(.gone, name: "a.txt"), .sessionEnded(.notResponding, name: "a.txt"),
      .keyboard(name: "Docs", app: "Viewer"), .keyboard(name: "Inbox", app: nil),
      .sessionEnded(.gone, name: nil), .holding(Holding(names: [], count: 0)),
      .holding(
        Holding(
          names: ["a.txt"], count: 1,
          place: point("Viewer", .accept, .open) { $0.task = .openWith })),
    ]

  private static let places: [Announcement] =
    Verdict.Word.allCases.map { dropPoint($0) }
    + DragOperation.allCases.map { dropPoint(.accept, $0) }
    + TaskPoint.allCases.map { task in
      dropPoint(.accept, task == .trash ? .remove : .open) {
        $0.task = task
        $0.container = nil
        ($0.index, $0.total) = (nil, nil)
      }
    }
    + [
      dropPoint(.accept) { $0.verdict.prediction = .nameClash(["a.txt"]) },
      dropPoint(.accept) { $0.verdict.prediction = .nameClash(names) },
      dropPoint(.accept) { $0.verdict.prediction = .becomes("Ada.vcf") },
      dropPoint(.accept) {
        $0.verdict.prediction = .stepsDown(to: ["text document", "PNG image"])
      },
      dropPoint(.accept) {
        $0.verdict.prediction = .becomesFiles([
          FileCount(ending: ".vcf", count: 3), FileCount(ending: ".txt", count: 1),
        ])
      },
      dropPoint(.accept) { $0.verdict.prediction = .becomesPaths(count: 1, isCertain: true) },
      dropPoint(.accept) { $0.verdict.prediction = .becomesPaths(count: 2, isCertain: true) },
      dropPoint(.accept) { $0.verdict.prediction = .becomesPaths(count: 1, isCertain: false) },
      dropPoint(.accept) { $0.verdict.prediction = .becomesPaths(count: 2, isCertain: false) },
      dropPoint(.maybe) {
        $0.verdict.prediction = .inProgram(isPasted: true, undo: .impossible)
        $0.verdict.undo = .impossible
      },
      dropPoint(.accept) { $0.verdict.irreversible = .writeOnly },
      dropPoint(.accept) {
        $0.verdict.prediction = .leavesOut(names: ["a:b", "c?"], count: 12, reason: .nameRefused)
      },
      dropPoint(.accept) {
        $0.verdict.prediction = .leavesOut(names: ["a:b", "c?"], count: 2, reason: nil)
      },
      dropPoint(.accept) { $0.verdict.prediction = .leadsNowhere(["a"]) },
      dropPoint(.accept) { $0.verdict.prediction = .leadsNowhere((1...21).map { "\($0)" }) },
      dropPoint(.accept) { $0.app = "Files" },
      dropPoint(.accept) { $0.isPlaceKnown = true },
      dropPoint(.partial, nil),
      dropPoint(.accept) { ($0.position, $0.after, $0.before) = (.after, "Rome", "Oslo") },
      dropPoint(.accept) { ($0.position, $0.after, $0.before) = (.after, "Rome", nil) },
      dropPoint(.accept) { ($0.position, $0.after, $0.before) = (.before, nil, "Oslo") },
    ]

  private static let helpLines: [HelpLine] =
    [.key(KeyStroke(.down), .nextItem), .finder(KeyStroke(.function(4)))]
    + HowTo.allCases.map { howTo in
      let keys = [KeyStroke(.space), KeyStroke(.tab), KeyStroke(.enter)]
      return .howTo(howTo, keys: howTo == .nameClash ? [] : keys)
    }

  private static let questions: [Announcement] = {
    let choices: [Choice] =
      [
        .keepBoth, .merge, .newName, .replace, .skip, .keepHolding,
        .dropAccepted(count: 2, refused: 1),
        .dropAccepted(count: 1, refused: 5), .openWith(program: "Viewer"), .print, .trash,
        .delivery(DeliveryID(1), .copy, names: names, count: 5, percent: 50),
        .delivery(DeliveryID(2), .remove, names: ["a.txt"], count: 1, percent: nil),
      ] + DragOperation.allCases.flatMap { [.proceed($0), .transferTo($0)] }
      + Reordering.allCases.map { .reorder($0) } + [.moveToPosition, .position(3, of: 12)]
      + [.undo, .redo, .history, .quit, .line("xyz"), .rename, .endAfter, .endAndTakeBack]
      + helpLines.map(Choice.help)
      + [Verdict(.asking), Verdict(.accept), Verdict(.maybe), Verdict(.refuse, .tooLarge)].map {
        .held(name: "a.txt", $0)
      }
      + [false, true].map { .entry(HistoryLine(entry(.move, isUndone: $0), when: "21:31")) }
    let confirmations: [Confirmation] =
      [
        .clash(names: ["a.txt"], place: "Docs"), .clash(names: names, place: "Docs"),
        .clashInside(names: ["a.txt"], isWhole: true), .clashInside(names: names, isWhole: true),
        .clashInside(names: [], isWhole: false),
        .partial(accepted: 2, count: 3, place: "Docs"),
        .partial(accepted: 2, count: 3, place: "Docs", isUncertain: true),
        .irreversible(.noTrash, operation: .remove, place: "Trash"),
        .irreversible(.writeOnly, operation: .copy, place: "Docs"),
        .irreversible(.journalUnavailable, operation: .move, place: "Docs"),
        .filter, .goTo, .newFolder(place: "Docs"), .rename(name: "a.txt"), .help,
        .actions(names: names, count: 5), .position(name: "a.txt", count: 12),
        .olderUndo(HistoryLine(entry(.move, isUndone: false), when: "21:31", isOlder: true)),
      ]
      + (0..<7).map { day in
        .olderUndo(HistoryLine(entry(.move), when: "21:31", weekday: day, isOlder: true))
      }
      + counts.flatMap { count -> [Confirmation] in
        [
          .deliveries(count: count), .history(count: count), .quitting(count: count),
          .details(place: "Docs", count: count), .details(place: nil, count: count),
        ]
      }
    return choices.enumerated().map { .choice($1, index: $0 + 1, total: choices.count) }
      + confirmations.map { .confirm($0, choices: choices) }
      + confirmations.map { .confirm($0, choices: []) }
  }()

  private static var ofPrograms: [Announcement] {
    var inProgram = delivered(.copy)
    inProgram.app = "Files"
    return [
      .delivered(inProgram),
      .unconfirmed(names: ["a.txt"], count: 1, place: "Docs", app: "Files"),
      .ofProgram(.witness("Files"), .delivered(inProgram)),
      .ofProgram(.witness("Files"), .failed(names: ["a.txt"], count: 1, .noSpace)),
      .ofProgram(.visitor("Files"), .delivered(delivered(.copy))),
      .ofProgram(.visitor("Files"), .failed(names: ["a.txt"], count: 1, .nameExists)),
      .ofProgram(
        .visitor("keydrag files"),
        .delivering(.copy, names: ["a.txt"], count: 1, bytes: 9)),
      .ofProgram(
        .visitor("Files"), .progress(percent: 25, count: 0, of: 1, bytes: 9, names: ["a.txt"])),
    ]
  }

  private static let outcomes: [Announcement] =
    DragOperation.allCases.flatMap { operation -> [Announcement] in
      [
        .delivering(operation, names: ["a.txt"], count: 1, bytes: 1),
        .delivering(operation, names: names, count: 21, bytes: 3 << 30),
        .delivering(operation, names: names, count: 5, bytes: nil),
        .delivering(operation, names: [], count: 0, bytes: nil),
        .delivered(delivered(operation)), .delivered(delivered(operation, 5)),
        .delivered(paths(delivered(operation))), .delivered(paths(delivered(operation, 5))),
        .delivered(delivered(operation, 1, renamed: ["a 2.txt"])),
        .delivered(missing(delivered(operation))), .delivered(missing(delivered(operation, 5))),
        .delivered(listed(delivered(operation))), .delivered(listed(delivered(operation, 5))),
        .delivered(delivered(operation, 2, renamed: ["a 2.txt", "b 2.txt"])),
        partly(delivered(operation, 2), [DeliveryFailure(name: "c.txt", reason: .noSpace)]),
        partly(
          delivered(operation, 2), names.map { DeliveryFailure(name: $0, reason: .noSpace) }),
        partly(
          delivered(operation, 2),
          [
            DeliveryFailure(name: "c.txt", reason: .noSpace),
            DeliveryFailure(name: "d.txt", reason: .gone),
          ]),
        partly(
          skipping(delivered(operation, 0), leadNowhere: ["a"]),
          [DeliveryFailure(name: "c.txt", reason: .nameExists)]),
        partly(
          skipping(delivered(operation, 0), replaced: ["b"]),
          [DeliveryFailure(name: "c.txt", reason: .nameExists)]),
        partly(
          skipping(leavingOut(delivered(operation, 0), [.specialFile])),
          [DeliveryFailure(name: "c.txt", reason: .nameExists)]),
        partly(leavingOut(delivered(operation, 1), [.specialFile]), []),
        partly(leavingOut(delivered(operation, 1), [.specialFile, .unreadable]), []),
      ]
    }
    + ofPrograms
    + counts.flatMap { count -> [Announcement] in
      [
        .progress(
          percent: 25, count: 1, of: max(count, 1), bytes: 9,
          names: Array(names.prefix(max(count, 1)))),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          question: count == 1 ? .window("Docs") : nil),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          question: count == 1 ? .menu : .answered),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          question: .unchanged),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          question: .tells("Docs Docs", window: ""), isTaken: true),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          question: .tells("Docs Docs", window: count == 1 ? "" : "Docs")),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          question: .dialog(
            count == 1 ? "" : "Docs", hasKeyboard: count != 1,
            buttons: count == 1 ? ["Docs", "Inbox"] : [])),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          isTaken: true),
        .unconfirmed(
          names: Array(names.prefix(max(count, 1))), count: max(count, 1), place: "Docs",
          isTaken: true, gone: Array(names.prefix(max(count, 1)))),
        .failed(names: Array(names.prefix(max(count, 1))), count: max(count, 1), .deviceError),
        .deliveryCancelled(names: names, done: count, remaining: 5),
        .deliveryCancelled(names: names, done: 0, remaining: 5, untouched: .copy),
        .deliveryCancelled(names: names, done: 0, remaining: 5, untouched: .move),
        .deliveryCancelled(names: names, done: 0, remaining: 0),
        .tooLate(names: Array(names.prefix(max(count, 1))), count: max(count, 1)),
      ]
    }
    + [
      .undone(back(.move, 1), done: 1), .undone(back(.remove, 3), done: 3),
      .undoing(isRedo: false), .undoing(isRedo: true),
      .ready(
        container: "Inbox", counts: ItemCounts(files: 0, folders: 0, hidden: 2), isFirst: false),
      dropPoint(.accept) { $0.beginsShortcuts = true },
    ]
    + TaskPoint.allCases.flatMap { task in
      TaskStage.allCases.map { .task(task, program: task == .openWith ? "Viewer" : nil, $0) }
    }
    + [.delivered(delivered(.open, 1, task: .print))]

  private static let history: [Announcement] =
    DragOperation.allCases.flatMap { operation -> [Announcement] in
      [
        .undone(entry(operation), done: 3), .undone(entry(operation), done: 1),
        .undone(renaming, done: 1), .undone(making, done: 1), .redone(entry(operation), done: 3),
        .redone(entry(operation), done: 1),
        .undone(entry(operation), done: 3, isLate: true),
        .redone(entry(operation), done: 3, isLate: true),
      ]
    }
    + [false, true].flatMap { isRedo -> [Announcement] in
      [
        .cannotUndo(entry(.copy), .changed, remaining: [], isRedo: isRedo),
        .cannotUndo(entry(.copy), .changed, remaining: names, isRedo: isRedo),
        .cannotUndo(nil, .journalNewer, remaining: [], isRedo: isRedo),
      ]
    }
    + Recovery.Result.allCases.map {
      .recovered(Recovery(entry: entry(.move), result: $0, stands: true))
    }
    + DragOperation.allCases.map {
      .recovered(Recovery(entry: entry($0), result: .rolledBack))
    }
    + [.nothingToUndo, .nothingToRedo]

  private static let reasons: [Announcement] = Reason.allCases.flatMap { reason -> [Announcement] in
    [
      .cannotOpen(name: "Docs", reason), .refused(name: "Docs", reason),
      .refusedToAdd(name: "a.txt", reason), .failed(names: ["a.txt"], count: 1, reason),
      dropPoint(.refuse) { $0.verdict.reason = reason },
    ]
  }

  private static let problems: [Announcement] =
    ([
      .noSoundDevice, .noSynthesizer, .noVoice(language: "Polish"), .unknownLanguage("xx"),
      .catalogue(language: "Polish"),
      .configuration(file: "config.yaml", line: 3, column: 7, detail: "There is no setting sped."),
      .journal(.noSpace),
      .journal(.journalUnavailable, notOwn: "/run/user/1000/keydrag"),
      .notWatching(container: "Inbox"), .lostChanges(container: "Inbox"),
      .lostAttributes(names: ["user.a", "user.b"]), .transcriptClosed, .outputClosed,
      .takenKey(name: "Ctrl+Alt+Space"), .noPeers(.notPrivate(folder: "/run/user/1000/keydrag")),
      .noPeers(.pathTooLong(folder: "/run/user/1000/keydrag")), .noPeers(.failed(.noSpace)),
      .noPeers(.otherVersion(program: "keydrag files")),
      .menuIsOpen, .noDisplay, .noAccessibility, .nativeWindows(compositor: "sway"),
      .noWayToReader(wanted: .orca, reader: "Orca 43.1", takes: .notification, speaks: true),
      .noWayToReader(wanted: .atspi, reader: "Orca 43.1", takes: .notification, speaks: false),
      .noWayToReader(wanted: .notification, reader: "", takes: nil, speaks: true),
      .noWayToReader(wanted: .notification, reader: "", takes: nil, speaks: false),
      .leftOut([DeliveryFailure(name: "a.txt", reason: .malformed)]),
    ] as [Problem]).map { .problem($0) }
}
