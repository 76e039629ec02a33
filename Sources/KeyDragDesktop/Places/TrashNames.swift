import KeyDragCore

/// The names that desktops give to the person's trash, in the languages of KeyDrag and their
/// neighbours: no program exposes where a row of its side pane leads.
enum TrashNames {
  /// Whether a name is one of them, ignoring case and accents.
  static func contains(_ name: String) -> Bool {
    name.utf8.count <= longest && folded.contains(NameFolding.fold(name))
  }

  private static let folded = Set(names.map(NameFolding.fold))
  /// In bytes; a quick check, so that names of files cost next to nothing.
  private static let longest = names.map(\.utf8.count).max() ?? 0

  private static let names = [
    "Trash", "Trash Can", "Wastebasket", "Waste Basket", "Rubbish Bin", "Recycle Bin",
    "Deleted Files", "Papierkorb", "Mülleimer", "Corbeille", "Papelera",
    "Papelera de reciclaje", "Cestino", "Lixeira", "Lixo", "Reciclagem", "Prullenbak",
    "Papperskorg", "Papperskorgen", "Kosz", "Koš", "Odpadkový koš", "Kôš", "Корзина",
    "Смітник", "Кошик", "Кошче", "Смеће", "Корпа за отпатке", "Сметнице", "Çöp",
    "Çöp Kutusu", "Απορρίμματα", "Κάδος", "Κάδος απορριμμάτων", "المهملات", "سلة المهملات",
    "אשפה", "סל המחזור", "פח אשפה", "ゴミ箱", "ごみ箱", "回收站", "垃圾箱", "垃圾桶", "回收筒", "资源回收筒",
    "휴지통", "रद्दी", "रद्दी की टोकरी", "कचरा पेटी", "ट्रैश", "Papirkurv", "Papirkorg",
    "Roskakori", "Kuka", "Coș de gunoi", "Gunoi", "Paperera", "Zakarrontzia", "Smeće",
    "Smeti", "Šiukšliadėžė", "Šiukšlinė", "Miskaste", "Atkritne", "Prügikast", "Prügi",
    "Thùng rác", "Sọt rác", "Tempat Sampah", "Kotak Sampah", "Tong Sampah", "ถังขยะ",
    "زباله‌دان", "Κάδος Απορριμμάτων", "Κάδος απορριμάτων", "سلّة المهملات", "סל־מחזור",
    "कूडे मे डाले", "कूढादान", "Çöp kutusu",
  ]
}

/// The name decides unless a folder with it is known.
extension Desktop {
  /// Marks the person's trash among places as removing, whatever its program answers: by its
  /// profile, or by its name if no folder on the disk has that. The view of a window that shows the
  /// trash counts, too.
  func withTrash(_ places: [Place], in container: ContainerID) async -> [Place] {
    var places = places
    for index in places.indices where places[index].traits.isDropPoint {
      guard await isTrash(places[index], among: places, in: container) else { continue }
      places[index].traits.destination = .trash
      places[index].traits.operation = .remove
      places[index].traits.allowsOnlyDefaultOperation = true
    }
    return places
  }

  private func isTrash(
    _ place: Place, among places: [Place], in container: ContainerID
  ) async -> Bool {
    if place.traits.destination == .trash { return true }
    let isRow = place.isRow && TrashNames.contains(place.name)
    let isView =
      (place.role == .folderView || place.traits.isView && place.traits.source == .files)
      && TrashNames.contains(window(container)?.descriptor.name ?? "")
    guard isRow || isView else { return false }
    if isRow, !(await listsFolders(places, in: container)) { return false }
    // A folder may have that name.
    guard let folder = window(container)?.folder, let finder = parts.finder,
      let folders = await clock.wait(
        Self.diskPatience, else: nil, { await finder.folders(in: folder) })
    else { return true }
    return isRow && !folders.contains(place.name)
  }

  /// Whether a window shows files, or has a row for one of the person's folders: picture and mail
  /// programs have a trash of their own. `true` if the folders are unknown.
  private func listsFolders(_ places: [Place], in container: ContainerID) async -> Bool {
    guard let window = window(container), let finder = parts.finder else { return true }
    if window.folder != nil || showsFiles(window) { return true }
    let rows = places.filter {
      $0.isRow && !TrashNames.contains($0.name)
    }
    let folders = rows.prefix(DisplayedFolder.mostRows).map { row in
      var folder = DisplayedFolder(title: row.name)
      folder.bookmark = DisplayedFolder.Bookmark()
      return folder
    }
    let around = await clock.wait(Self.diskPatience, else: []) {
      await finder.surroundings(of: folders)
    }
    return around.contains { $0 != nil }
  }
}
