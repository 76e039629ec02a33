import KeyDragCore

/// Reads the programs of a desktop through their accessibility trees. Has a thread and a connection
/// of its own, apart from those of announcements, so that neither waits for the other.
package final class ProgramReader: ProgramReading {
  let bus: ProgramBus
  let changes = ProgramChanges()

  /// Returns at once; the bus is joined on the first question.
  ///
  /// - Parameter environment: names the buses, as the environment of a process does.
  package init(environment: [String: String]) {
    bus = ProgramBus(environment: environment, changes: changes)
  }

  /// `nil` without a bus.
  package func programs() async -> [ProgramFacts]? {
    await bus.programs()
  }

  package func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    wanted: ElementQuery
  ) async -> Result<[ElementFacts], Reason> {
    do throws(Reason) {
      return .success(
        try await bus.elements(
          of: frame, in: program, origin: windowOrigin, wanted: wanted))
    } catch {
      return .failure(error)
    }
  }

  /// Current rectangles, in pixels of the screen; `nil` for an element without a place.
  package func rectangles(
    of elements: [ElementID], in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async -> [ScreenRectangle?] {
    await bus.rectangles(of: elements, in: program, origin: windowOrigin)
  }

  /// `nil` when nothing has it.
  package func focus() async -> FocusFacts? {
    await bus.focus()
  }

  package func selection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async -> Result<[ElementFacts], Reason> {
    do throws(Reason) {
      return .success(try await bus.selection(around: element, in: program, most: most))
    } catch {
      return .failure(error)
    }
  }

  /// `nil` when there is none, or the program does not answer.
  package func selectedText(
    of element: ElementID, most: Int
  ) async -> String? {
    try? await bus.selectedText(of: element, most: most)
  }

  package func text(
    of element: ElementID, most: Int
  ) async -> String? {
    try? await bus.text(of: element, most: most)
  }

  /// `nil` when no point is known to drop at.
  package func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async -> TextDropTarget? {
    try? await bus.textAim(
      of: element, in: program, origin: windowOrigin, within: visible, most: most)
  }

  package func caretPosition(
    of element: ElementID, most: Int
  ) async -> TextPosition? {
    try? await bus.caretPosition(of: element, most: most)
  }

  /// The names of their actions; `nil` when the program does not answer.
  package func actions(
    of elements: [ElementID]
  ) async -> [[String]]? {
    let found = try? await bus.actions(of: elements)
    return found?.map { $0.filter { !$0.isEmpty } }
  }

  /// `false` when it was not done.
  package func perform(
    _ action: String, on element: ElementID
  ) async -> Bool {
    (try? await bus.perform(action, on: element)) ?? false
  }

  /// The area of an element to aim at, scrolled into view if necessary.
  package func reach(
    _ element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async throws(Reason) -> TargetArea? {
    try await bus.reach(element, in: program, origin: windowOrigin)
  }

  /// `false` when its program can't.
  package func takeFocus(_ element: ElementID) async -> Bool {
    (try? await bus.takeFocus(element)) ?? false
  }

  package func observe(_ observer: @escaping @Sendable (ProgramChange) -> Void) {
    changes.observe(
      on: { [weak thread = bus.thread] delay, job in
        guard let thread else { return }
        // Timers may only be set on the thread.
        thread.run { thread.run(after: delay, job) }
      }, observer)
    Task { [bus] in await bus.follow() }
  }

  /// Watches for element changes in these windows, and no others.
  package func watch(_ frames: [ElementID]) {
    changes.watch(frames)
    Task { [bus, changes] in await bus.watch(changes.programs) }
  }
}
