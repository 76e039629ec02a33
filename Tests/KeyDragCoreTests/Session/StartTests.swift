import Testing

@testable import KeyDragCore

/// The first words of a session.
struct StartTests {
  private let inbox = ContainerDescriptor(id: ContainerID(1), name: "Inbox", tree: ContainerID(1))

  private func listing(_ names: [String]) -> Listing {
    Listing(
      container: inbox,
      sources: names.enumerated().map { index, name in
        DragSourceDescriptor(
          id: DragSourceID(UInt64(index + 1)), name: name, container: inbox.id, kind: .file)
      }, dropPoints: [])
  }

  /// The words that a session over one folder says, one input after the other.
  private func said(_ inputs: [SessionInput], _ settings: Session.Settings = .init()) -> [String] {
    var session = Session(roots: [inbox], settings: settings)
    return ([.start] + inputs).flatMap { session.apply($0) }.compactMap { effect in
      if case .announce(let announcement) = effect { Phrasebook().text(announcement) } else { nil }
    }
  }

  private func counted(_ files: Int) -> SessionInput {
    .report(.counted(RequestID(1), inbox, ItemCounts(files: files, folders: 0)))
  }

  private func listed(_ names: [String]) -> SessionInput {
    .report(.listed(RequestID(1), listing(names)))
  }

  @Test("K22: a session begins with the folder and the item in focus, which Space picks up")
  func folderAndItem() {
    #expect(
      said([counted(2), listed(["a.txt", "b.txt"])]) == ["Inbox, 2 files. a.txt. Space picks up."])
  }

  @Test("K22: an empty folder has no item to name")
  func empty() {
    #expect(said([counted(0), listed([])]) == ["Inbox, empty."])
  }

  @Test(
    "K22: of a large folder the count is said at once, the item in focus as soon as it is known")
  func large() {
    let names = (1...2000).map { "n\($0)" }
    #expect(
      said([counted(2000), listed(names)])
        == ["Inbox, 2000 files. Space picks up.", "n1, 1 of 2000"])
    // A key pressed meanwhile is answered instead.
    #expect(
      said([counted(2000), .command(.nextItem), listed(names)])
        == ["Inbox, 2000 files. Space picks up.", "n2, 2 of 2000"])
  }

  @Test("K22: where a pick-up takes what has the focus outside, no item of ours is named")
  func focusOutside() {
    var settings = Session.Settings()
    settings.picksFocus = true
    #expect(said([listed(["a.txt"])], settings).last == "Inbox, 1 file. Space picks up.")
  }
}
