import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("The list of a folder, with what is scrolled out of sight")
struct UnseenFoldersTests {
  private let folder = ShownFolder(title: "docs", trail: ["home", "docs"], rows: ["a"])

  private static func element(_ number: Int) -> ElementID {
    ElementID(program: ":1.1", path: "/row/\(number)")
  }

  /// Rows in the order of the list, each with the element of its number.
  private func rows(_ names: String...) -> [ColumnRow] {
    names.enumerated().map { ColumnRow(element: Self.element($0), name: $1) }
  }

  /// A place that can be seen; that of a row where it has a number.
  private func place(_ name: String, _ number: Int?, _ role: PlaceRole = .row) -> Place {
    Place(
      element: number.map(Self.element), name: name, spokenName: name, role: role,
      traits: PlaceTraits(isDropPoint: true, scrollsByPointer: true), origin: .profile(3))
  }

  private func column(_ names: String..., with folders: Set<String>) -> FolderColumn {
    let all = names.enumerated().map { ColumnRow(element: Self.element($0), name: $1) }
    return FolderColumn(all, of: folder, with: folders, like: place("a", 0))
  }

  // MARK: What is a folder

  @Test("has the rows that the disk has folders for, in its own order, and no files")
  func folders() {
    let column = column("b", "a", "notes.txt", "c", with: ["a", "b", "c", "elsewhere"])
    #expect(column.rows.map(\.name) == ["b", "a", "c"])
    #expect(column.rows.map(\.element) == [0, 1, 3].map(Self.element))
    // Files have their places among them, so that folders beside files stand where they are.
    #expect(column.order[Self.element(2)] == 2 && column.order.count == 4)
  }

  @Test("has neither of two rows that are told alike: one of them may be a file")
  func twins() {
    let column = column("a", "b", "a", "c", with: ["a", "b", "c"])
    #expect(column.rows.map(\.name) == ["b", "c"])
    #expect(column.order.count == 4)
  }

  @Test("has no rows without names, even where the disk were to tell of such a folder")
  func nameless() {
    #expect(column("", "a", with: ["a"]).rows.map(\.name) == ["a"])
    #expect(column("", "", "a", with: ["", "a"]).rows.map(\.name) == ["a"])
  }

  @Test("is empty where nothing was told, and where an element is told twice it stands first")
  func odd() {
    let none = FolderColumn([], of: folder, with: ["a"], like: place("a", 0))
    #expect(none.rows.isEmpty && none.order.isEmpty)
    let twice = FolderColumn(
      rows("a", "b") + rows("a"), of: folder, with: ["a", "b"], like: place("a", 0))
    #expect(twice.order == [Self.element(0): 0, Self.element(1): 1])
    #expect(twice.rows.map(\.name) == ["b"])
  }

  // MARK: Between two looks

  @Test("is that of the same folder by title and path bar, whatever rows are shown of it")
  func sameFolder() {
    let column = column("a", with: ["a"])
    #expect(column.isOf(ShownFolder(title: "docs", trail: ["home", "docs"], rows: ["z"])))
    #expect(!column.isOf(ShownFolder(title: "docs", trail: ["mnt", "docs"], rows: ["a"])))
    #expect(!column.isOf(ShownFolder(title: "other", trail: ["home", "docs"], rows: ["a"])))
  }

  @Test("fits while each row that is shown is one of its own, and the disk has the same folders")
  func fits() {
    let column = column("a", "b", "c", with: ["a", "b"])
    let shown = [place("b", 1), place("c", 2)]
    #expect(column.fits(shown, ["a", "b"]))
    #expect(column.fits([], ["a", "b"]), "scrolled to where no row is")
    #expect(!column.fits(shown + [place("new", 7)], ["a", "b"]), "a row came")
    #expect(!column.fits([place("b", nil)], ["a", "b"]), "a row that is no element")
    #expect(!column.fits(shown, ["a", "b", "new"]), "a folder came that can't be seen")
    #expect(!column.fits(shown, ["a"]), "a folder went")
  }

  @Test("gives way to a later one that has all that is still on the disk, and to no other")
  func keeps() {
    let before = column("a", "b", "c", with: ["a", "b", "c"])
    #expect(column("new", "a", "b", "c", with: ["a", "b", "c", "new"]).keeps(before))
    #expect(column("a", "c", with: ["a", "c"]).keeps(before), "a folder went")
    #expect(!column("a", "c", with: ["a", "b", "c"]).keeps(before), "a row was misread")
    #expect(!column("4.0 KiB", "4.0 KiB", with: ["a", "b", "c"]).keeps(before), "another column")
    #expect(!column(with: ["a", "b", "c"]).keeps(before), "nothing was told")
    #expect(column(with: ["other"]).keeps(before), "all of them went")
  }

  @Test("is replaced by one that lacks rows once that was read twice")
  func doubted() {
    let all: Set = ["a", "b", "c"]
    let before = column("a", "b", "c", with: all)
    let filtered = column("a", "c", with: all)
    let once = filtered.replacing(before)
    #expect(once.rows.map(\.name) == ["a", "b", "c"])
    #expect(filtered.replacing(once).rows.map(\.name) == ["a", "c"])
    let nothing = column(with: all)
    #expect(nothing.replacing(nothing.replacing(before)).rows.count == 3)
  }

  @Test("keeps what the disk still has while nothing of it can be told anew")
  func still() {
    let column = column("a", "b", "file", with: ["a", "b"])
    #expect(column.still(["a", "b"]) == column)
    #expect(column.still(["b", "new"])?.rows.map(\.name) == ["b"])
    #expect(column.still(["new"]) == nil)
  }

  @Test("makes places of the folders that can't be seen, like those that can")
  func unseen() {
    let unseen = UnseenFolders(
      column("a", "b", "c", "file", "d", with: ["a", "b", "c", "d"]),
      beside: [place("b", 1), place("file", 3)])
    #expect(unseen.places.map(\.name) == ["a", "c", "d"])
    for place in unseen.places {
      #expect(place.isOutOfSight && place.spokenName == place.name)
      #expect(place.role == .row && place.origin == .profile(3))
      #expect(place.traits == PlaceTraits(isDropPoint: true, scrollsByPointer: true))
      #expect(place.rectangle == nil && place.point == nil && place.index == nil)
    }
  }

  @Test("does not tell a folder twice whose row was made anew, and keeps one whose row is misread")
  func changed() {
    let column = column("a", "b", "c", with: ["a", "b", "c"])
    let anew = UnseenFolders(column, beside: [place("b", 9)])
    #expect(anew.places.map(\.name) == ["a", "c"], "another element of the same name")
    let renamed = UnseenFolders(column, beside: [place("z", 1)])
    #expect(renamed.places.map(\.name) == ["a", "b", "c"], "the disk alone says what is gone")
  }

  // MARK: In the walk

  @Test("puts them among the rows that can be seen as the list has them, and moves nothing else")
  func order() {
    let column = column("a", "b", "c", "d", "e", with: ["a", "b", "c", "d", "e"])
    var places = [
      place("docs", nil, .folderView), place("d", 3), place("c", 2), place("Trash", 40),
      place("Line", nil, .textField),
    ]
    let shown = [places[2], places[1]]
    UnseenFolders(column, beside: shown).add(to: &places)
    #expect(places.map(\.name) == ["docs", "a", "b", "c", "d", "e", "Trash", "Line"])
    #expect(places.map(\.isOutOfSight) == [false, true, true, false, false, true, false, false])
  }

  @Test("puts them after the view where only files can be seen, which are no places")
  func noneSeen() {
    let unseen = UnseenFolders(
      column("a", "b", "file", with: ["a", "b"]), beside: [place("file", 2)])
    var places = [place("Places", 40), place("docs", nil, .folderView), place("Trash", 41)]
    unseen.add(to: &places)
    #expect(places.map(\.name) == ["Places", "docs", "a", "b", "Trash"])
    var viewless = [place("Trash", 41)]
    unseen.add(to: &viewless)
    #expect(viewless.map(\.name) == ["Trash", "a", "b"])
    var none: [Place] = []
    unseen.add(to: &none)
    #expect(none.map(\.name) == ["a", "b"])
  }

  @Test("changes nothing where every folder can be seen, even rows in another order")
  func allSeen() {
    let column = column("a", "b", with: ["a", "b"])
    let shown = [place("a", 0), place("b", 1)]
    let unseen = UnseenFolders(column, beside: shown)
    #expect(unseen.places.isEmpty)
    var places = [place("docs", nil, .folderView)] + shown
    unseen.add(to: &places)
    #expect(places == [place("docs", nil, .folderView)] + shown)
  }
}
