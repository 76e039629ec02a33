import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Drop points that start a task: trash, print, the default program and the clipboard. Owned by
/// ``FilesWorld``. Chosen once per pick-up.
final class TaskPlaces: Sendable {
  /// A program offered in this run.
  struct Program: Hashable, Sendable {
    /// Of its desktop file.
    var id: String
    /// Safe to speak.
    var name: String
  }

  let programs: any ProgramStarting
  private let phrases: Phrasebook
  /// By number; append only, so that a drop point keeps its program.
  private let offered = Mutex<[Program]>([])

  private let hasClipboard: Bool

  init(
    programs: any ProgramStarting, phrases: Phrasebook = Phrasebook(), hasClipboard: Bool = false
  ) {
    self.programs = programs
    self.phrases = phrases
    self.hasClipboard = hasClipboard
  }

  /// The tasks that apply to all of these items, in walking order. May block on searching for `lp`
  /// and the default program.
  func places(for items: [DragItem]) -> [DropPointDescriptor] {
    guard let first = items.first else { return [] }
    var points: [DropPointDescriptor] = []
    if items.allSatisfy({ $0.allowed.contains(.remove) }) {
      points.append(point(.trash, phrases.name(of: .trash), .trash, first))
    }
    let isReadable = items.allSatisfy { $0.allowed.contains(.open) }
    if isReadable, items.allSatisfy({ Self.isPrintable($0.kind) }), Self.printer() != nil {
      points.append(point(.print, phrases.name(of: .print), .print, first))
    }
    if isReadable, items.allSatisfy({ $0.types.first == first.types.first }),
      let type = first.types.first, let found = programs.defaultProgram(for: type)
    {
      let program = Program(id: found.id, name: SpokenName.clean(found.name))
      points.append(point(.program(number(of: program)), program.name, .openWith, first))
    }
    if hasClipboard, isReadable {
      points.append(point(.clipboard, phrases.name(of: .clipboard), .clipboard, first))
    }
    return points
  }

  /// `nil` for an unassigned number.
  func program(_ number: UInt32) -> Program? {
    offered.withLock { Int(number) < $0.count ? $0[Int(number)] : nil }
  }

  /// The path of `lp`, searched in `PATH` as a shell does. May block.
  static func printer() -> FilePath? {
    guard let path = getenv("PATH") else { return nil }
    for folder in String(cString: path).split(separator: ":") {
      let candidate = FilePath(String(folder)).appending("lp")
      if (try? FileCalls.status(candidate, following: true))?.kind == .file,
        FileCalls.refusal(candidate, X_OK) == nil
      {
        return candidate
      }
    }
    return nil
  }

  /// Includes links to files.
  static func isPrintable(_ kind: ItemKind) -> Bool { kind == .file || kind == .link }

  private func number(of program: Program) -> UInt32 {
    offered.withLock { offered in
      if let known = offered.firstIndex(of: program) { return UInt32(known) }
      offered.append(program)
      return UInt32(offered.count - 1)
    }
  }

  /// - Parameter item: the first carried one, whose folder lists the drop point.
  private func point(
    _ id: PointID, _ name: String, _ task: TaskPoint, _ item: DragItem
  ) -> DropPointDescriptor {
    DropPointDescriptor(id: id.point, name: name, container: item.container, task: task)
  }
}
