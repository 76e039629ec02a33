import KeyDragCore
import Testing

@testable import KeyDragTerminal

/// The whole screen as letters, in three sizes, to be looked at.
@Suite("Pictures of the screen")
struct ScreenPictureTests {
  /// A folder with marks in it, the walk of what is held, and a question.
  private static func session(_ commands: [CommandName], showsPreview: Bool) -> Session {
    let inbox = ContainerDescriptor(id: ContainerID(1), name: "Inbox", tree: ContainerID(1))
    let docs = ContainerDescriptor(id: ContainerID(2), name: "Docs", tree: ContainerID(2))
    func place(_ id: UInt64, _ name: String, in container: ContainerDescriptor, own: Bool = false)
      -> DropPointDescriptor
    {
      DropPointDescriptor(
        id: DropPointID(id), name: name, container: container.id,
        leadsTo: own ? container.id : nil, canOpen: true)
    }
    let items: [(String, ItemKind)] = [
      ("Sorted", .folder), ("latest", .brokenLink), ("notes.txt", .file), ("run.sh", .file),
      ("a very long report about everything that happened in 2026.pdf", .file),
    ]
    let sources = items.enumerated().map { index, item in
      DragSourceDescriptor(
        id: DragSourceID(UInt64(index + 1)), name: item.0, container: inbox.id, kind: item.1)
    }
    var settings = Session.Settings()
    settings.isInFolders = true
    var session = Session(roots: [inbox, docs], settings: settings)
    func answer(_ effects: [Effect]) {
      for case .request(let id, let request) in effects {
        switch request {
        case .list(.container(let container), _):
          let isInbox = container == inbox.id
          let places =
            isInbox
            ? [place(1, "Inbox", in: inbox, own: true), place(2, "Sorted", in: inbox)]
            : [place(3, "Docs", in: docs, own: true)]
          answer(
            session.apply(
              .report(
                .listed(
                  id,
                  Listing(
                    container: isInbox ? inbox : docs, sources: isInbox ? sources : [],
                    dropPoints: places)))))
        case .prepare(let chosen):
          let held = sources.filter { chosen.contains($0.id) }.map {
            DragItem(
              source: $0.id, name: $0.name, kind: $0.kind, types: ["text/plain"],
              typeName: "text document", container: inbox.id, tree: inbox.tree, allowed: .all,
              byteCount: 5)
          }
          answer(session.apply(.report(.prepared(id, PreparedItems(items: held)))))
        case .ask(let inquiry):
          let answers = inquiry.stops.map { stop in
            Answer(stop, stop.point == DropPointID(1) ? .refused(.samePlace) : DropProposal(.all))
          }
          answer(session.apply(.report(.answered(id, answers))))
        case .folders(.measure(let rows)):
          let facts = rows.map { row in
            let facts = RowFacts(
              bytes: 1500, changed: "2026-11-21 21:31", isExecutable: row == DragSourceID(4))
            return (row, facts)
          }
          _ = session.apply(.report(.measured(id, Dictionary(uniqueKeysWithValues: facts))))
        case .folders(.preview(let subject, _)):
          let preview = FolderPreview(
            of: subject, names: ["2025", "a very long name of a letter to Ada.txt"],
            kinds: [.folder, .file], .success(ItemCounts(files: 1, folders: 1)))
          _ = session.apply(.report(.previewed(id, preview)))
        default: break
        }
      }
    }
    answer(session.apply(.start))
    answer(session.apply(.shown(sources.map(\.id))))
    for command in commands { answer(session.apply(.command(command))) }
    answer(session.apply(.shown([], showsPreview: showsPreview)))
    return session
  }

  private static func picture(_ commands: [CommandName], _ columns: Int, _ rows: Int) -> String {
    let layout = ScreenLayout(size: ScreenSize(columns: columns, rows: rows))
    let session = session(commands, showsPreview: layout.hasPreview)
    let phrases = Phrasebook()
    let message = "Inbox, 4 files, 1 folder. Sorted, folder. Space picks up."
    let first = session.screen(height: 1, top: 0, phrases: phrases, message: message)
    let height = layout.visibleRows(for: first)
    let frame = layout.frame(
      for: session.screen(height: height, top: 0, phrases: phrases, message: message))
    return frame.lines.map(\.text).joined(separator: "\n")
  }

  /// The lines of a picture, where a line of dots stands for any number of empty ones.
  private static func lines(_ picture: String) -> [Substring] {
    var result: [Substring] = []
    for line in picture.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        if result.last != "..." { result.append("...") }
      } else {
        result.append(line)
      }
    }
    return result
  }

  private static let marking: [CommandName] = [
    .nextItem, .nextItem, .toggleSelection, .nextItem, .toggleSelection,
  ]

  @Test(
    "What is shown in 40 by 10, 80 by 24 and 120 by 40 is what was looked at",
    arguments: Array(pictures.indices))
  func picture(index: Int) {
    let picture = Self.pictures[index]
    let shown = Self.picture(picture.commands, picture.columns, picture.rows)
    #expect(
      Self.lines(shown).joined(separator: "\n") == picture.lines, "\(shown)")
  }

  private static let pictures: [(commands: [CommandName], columns: Int, rows: Int, lines: String)] =
    [
      (
        marking, 40, 10,
        """
        Inbox, 4 files, 1 folder │ Docs
           Sorted/  folder
           latest@  broken link
         * notes.txt
        >* run.sh*
           a very long report about… in 2026.pdf
        ...
        [2] notes.txt and run.sh, selected
        Inbox, 4 files, 1 folder. Sorted,
        folder. Space picks up.
        """
      ),
      (
        marking, 80, 24,
        """
        Inbox, 4 files, 1 folder │ Docs
           Sorted/  folder                                      1.5 kB  2026-11-21 21:31
           latest@  broken link                                 1.5 kB  2026-11-21 21:31
         * notes.txt                                            1.5 kB  2026-11-21 21:31
        >* run.sh*                                              1.5 kB  2026-11-21 21:31
           a very long report about everyth…ened in 2026.pdf    1.5 kB  2026-11-21 21:31
        ...
        [2] notes.txt and run.sh, selected
        Inbox, 4 files, 1 folder. Sorted, folder. Space picks up.
        ...
        Space: pick up.  Ctrl+T: select or deselect.  Tab: next folder or window.
        """
      ),
      (
        marking, 120, 40,
        """
        Inbox, 4 files, 1 folder │ Docs
           Sorted/  folder                              1.5 kB  2026-11-21 21:31
           latest@  broken link                         1.5 kB  2026-11-21 21:31
         * notes.txt                                    1.5 kB  2026-11-21 21:31
        >* run.sh*                                      1.5 kB  2026-11-21 21:31
           a very long report about ev…d in 2026.pdf    1.5 kB  2026-11-21 21:31
        ...
        [2] notes.txt and run.sh, selected
        Inbox, 4 files, 1 folder. Sorted, folder. Space picks up.
        ...
        Space: pick up.  Ctrl+T: select or deselect.  Tab: next folder or window.  F9: \
        actions.  Ctrl+Z: undo.  ?: help.
        """
      ),
      (
        marking + [.pickUp], 40, 10,
        """
        2 places accept
           Inbox  - refuses, it is there already
        >    Sorted   + move, in Inbox
           Docs       + copy
        ...
           notes.txt    a drop here cancels
        ...
        [2] notes.txt and run.sh: move
        Inbox, 4 files, 1 folder. Sorted,
        folder. Space picks up.
        """
      ),
      (
        marking + [.pickUp], 80, 24,
        """
        2 places accept
           Inbox      - refuses, it is there already
        >    Sorted   + move, in Inbox
           Docs       + copy
        ...
           notes.txt    a drop here cancels
        ...
        [2] notes.txt and run.sh: move
        Inbox, 4 files, 1 folder. Sorted, folder. Space picks up.
        ...
        Tab: next place.  Enter: drop.  Escape: cancel.
        """
      ),
      (
        marking + [.pickUp], 120, 40,
        """
        2 places accept
           Inbox      - refuses, it is there already                             │ 1 file, 1 \
        folder
        >    Sorted   + move, in Inbox                                           │    2025/
           Docs       + copy                                                     │    a very \
        long name of a letter to Ada.txt
        ...
           notes.txt    a drop here cancels
        ...
        [2] notes.txt and run.sh: move
        Inbox, 4 files, 1 folder. Sorted, folder. Space picks up.
        ...
        Tab: next place.  Enter: drop.  Escape: cancel.  Ctrl+D: what is accepted and what is \
        not.  ?: help.
        """
      ),
      (
        [.actions], 40, 10,
        """
        Actions for Sorted.
        >  Leave as it is
           Copy to…
           Move to…
           Link to…
           Rename
        ...
        Inbox, 4 files, 1 folder. Sorted,
        folder. Space picks up.
        ...
        """
      ),
      (
        [.actions], 80, 24,
        """
        Actions for Sorted.
        >  Leave as it is
           Copy to…
           Move to…
           Link to…
           Rename
        ...
        Inbox, 4 files, 1 folder. Sorted, folder. Space picks up.
        ...
        Down: next choice.  Enter: take this choice.  Escape: back.
        """
      ),
      (
        [.actions], 120, 40,
        """
        Actions for Sorted.
        >  Leave as it is
           Copy to…
           Move to…
           Link to…
           Rename
        ...
        Inbox, 4 files, 1 folder. Sorted, folder. Space picks up.
        ...
        Down: next choice.  Enter: take this choice.  Escape: back.
        """
      ),
    ]
}
