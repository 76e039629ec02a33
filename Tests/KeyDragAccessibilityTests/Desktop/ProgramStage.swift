import Glibc
import KeyDragCore
import PrivateDesktop

@testable import KeyDragAccessibility

/// A private desktop with windows of real programs, and what reads them.
final class ProgramStage {
  let desktop: PrivateDesktop
  let reader: ProgramReader
  private var changes: AsyncStream<ProgramChange>.Iterator

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// A program, and where its parts are by its own account.
  struct Shown {
    let process: KeptProcess
    let places: [String: ScreenRectangle]
  }

  static let roles: Set<String> = [
    "table cell", "list item", "page tab", "text", "entry", "password text", "push button", "icon",
    "tree item",
  ]

  init() throws {
    desktop = try PrivateDesktop()
    try desktop.startAccessibility()
    reader = ProgramReader(environment: desktop.environment)
    let (stream, tell) = AsyncStream.makeStream(of: ProgramChange.self)
    changes = stream.makeAsyncIterator()
    reader.observe { tell.yield($0) }
  }

  /// Starts a program and waits until it has said where it is.
  func start(_ source: String, _ arguments: String...) throws -> Shown {
    let process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", source] + arguments,
      adding: ["GDK_BACKEND": "x11", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"])
    var places: [String: ScreenRectangle] = [:]
    while true {
      let line = try process.line()
      if line == "end" { return Shown(process: process, places: places) }
      let parts = line.split(separator: "|")
      let numbers = parts.dropFirst().compactMap { Int($0) }
      guard numbers.count == 4 else { continue }
      places[String(parts[0])] = ScreenRectangle(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
  }

  /// The program of a process as it is listed, once it has a window.
  func program(_ process: pid_t) async throws -> ProgramFacts {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      let found = await reader.programs()?.first { $0.processID == process }
      if let found, !found.frames.isEmpty { return found }
    }
    throw Missing(description: "no such program: \(process)\n\(desktop.complaints)")
  }

  /// What is shown in the first window of a program.
  func elements(
    of program: ProgramFacts, origin: ScreenPoint? = nil, roles: Set<String> = roles,
    most: Int = 500, hasRowStates: Bool = true
  ) async throws -> [ElementFacts] {
    guard let frame = program.frames.first else {
      throw Missing(description: "no window: \(program)")
    }
    return try await reader.elements(
      of: frame.element, in: program, origin: origin,
      wanted: ElementQuery(roles: roles, most: most, hasRowStates: hasRowStates))
  }

  /// Returns when this has been told.
  func told(_ change: ProgramChange) async throws {
    while let next = await changes.next() { if next == change { return } }
    throw Missing(description: "\(change) was not told")
  }

  /// An element of a list by its index, asked past the reader: one that is not shown.
  func child(_ index: Int, of list: ElementID) async -> ElementID? {
    let bus = ProgramReader(environment: desktop.environment)
    return AtspiReplyDecoder.element(try? await bus.ask(list.child(index)))
  }

  /// Runs xdotool to its end.
  func type(_ words: String...) throws {
    let tool = try desktop.start(["/usr/bin/xdotool"] + words)
    while (try? tool.line()) != nil {}
  }
}

/// The reader's calls, with what tests leave out.
extension ProgramReader {
  func elements(
    of frame: ElementID, in program: ProgramFacts, origin: ScreenPoint? = nil,
    wanted: ElementQuery
  ) async throws -> [ElementFacts] {
    try await elements(of: frame, in: program, windowOrigin: origin, wanted: wanted)
  }

  func rectangles(
    of elements: [ElementID], in program: ProgramFacts, origin: ScreenPoint? = nil
  ) async -> [ScreenRectangle?] {
    await rectangles(of: elements, in: program, windowOrigin: origin)
  }

  func selected(
    around element: ElementID, in program: ProgramFacts, most: Int = 100
  ) async throws -> [ElementFacts] {
    try await selection(around: element, in: program, most: most)
  }

  func actions(of element: ElementID) async throws -> [String] {
    try await actions(of: [element]).first ?? []
  }

  func text(of element: ElementID) async throws -> String? {
    try await text(of: element, most: 1_000)
  }

  func selectedText(of element: ElementID) async throws -> String? {
    try await selectedText(of: element, most: 1_000)
  }
}
