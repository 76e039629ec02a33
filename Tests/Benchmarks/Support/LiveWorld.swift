import KeyDragFiles
import KeyDragTypes
import SystemPackage

extension SystemPrograms: ProgramStarting {}

/// Real folders as the program itself puts them together.
enum LiveWorld {
  static func make(_ folder: FilePath) -> FilesWorld {
    let courier = JournaledCourier()
    return FilesWorld(
      roots: [folder], types: SystemContentTypes(), programs: SystemPrograms(),
      delivering: courier, canTrash: { courier.canTrash($0) })
  }
}
