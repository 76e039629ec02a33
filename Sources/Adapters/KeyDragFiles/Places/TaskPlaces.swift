import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// The places that start a task: trash, print, and the program that opens what is carried.
///
/// Owned by ``FilesWorld``. Which there are is decided once for each pick-up.
final class TaskPlaces: Sendable {
  /// A program that was offered in this run.
  struct Program: Hashable, Sendable {
    /// Of its desktop file.
    var id: String
    /// Safe to speak.
    var name: String
  }

  let programs: any ProgramStarting
  private let phrases: Phrasebook
  /// By number; never shortened, so that a point means the same program to the end.
  private let offered = Mutex<[Program]>([])

  /// Whether there is a clipboard to copy to.
  private let hasClipboard: Bool

  init(
    programs: any ProgramStarting, phrases: Phrasebook = Phrasebook(), hasClipboard: Bool = false
  ) {
    self.programs = programs
    self.phrases = phrases
    self.hasClipboard = hasClipboard
  }

  /// Those that make sense for exactly these items, in the order they are walked.
  ///
  /// Empty for no items. May block for the search for `lp` and for the default program.
  func places(for items: [DragItem]) -> [DropPointDescriptor] {
    guard let first = items.first else { return [] }
    var points: [DropPointDescriptor] = []
    if items.allSatisfy({ $0.allowed.contains(.remove) }) {
      points.append(point(.trash, phrases.name(of: .trash), .trash, first))
    }
    // Opening takes reading.
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

  /// `nil` for a number that was never given.
  func program(_ number: UInt32) -> Program? {
    offered.withLock { Int(number) < $0.count ? $0[Int(number)] : nil }
  }

  /// The path of `lp`, looked for as a shell would, without starting one.
  ///
  /// In the folders of `PATH` in order. May block.
  static func printer() -> FilePath? {
    guard let path = getenv("PATH") else { return nil }
    for folder in String(cString: path).split(separator: ":") {
      let candidate = FilePath(String(folder)).appending("lp")
      guard case .success(let facts) = FileFacts.look(at: candidate, following: true),
        facts.kind == .file, FileFacts.refusal(candidate, X_OK) == nil
      else { continue }
      return candidate
    }
    return nil
  }

  /// A link to a file counts as one.
  static func isPrintable(_ kind: ItemKind) -> Bool { kind == .file || kind == .link }

  /// The number of a program, a new one for one that was not offered before.
  private func number(of program: Program) -> UInt32 {
    offered.withLock { offered in
      if let known = offered.firstIndex(of: program) { return UInt32(known) }
      offered.append(program)
      return UInt32(offered.count - 1)
    }
  }

  /// - Parameter item: the first one carried: the place is listed in its folder.
  private func point(
    _ id: PointID, _ name: String, _ task: TaskPoint, _ item: DragItem
  ) -> DropPointDescriptor {
    DropPointDescriptor(id: id.point, name: name, container: item.container, task: task)
  }
}
