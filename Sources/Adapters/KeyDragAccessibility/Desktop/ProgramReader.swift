import KeyDragCore

/// Reads the programs of a desktop from the accessibility tree that they keep.
///
/// It has a thread and a connection of its own, apart from those of announcements, so that neither
/// waits for the other.
package final class ProgramReader: ProgramReading {
  /// Asks the programs.
  let bus: ProgramBus
  /// The changes that programs tell by themselves.
  let changes = ProgramChanges()

  /// Returns at once; the bus is joined when something is asked.
  ///
  /// - Parameter environment: names the buses, as the environment of a process does.
  package init(environment: [String: String]) {
    bus = ProgramBus(environment: environment, changes: changes)
  }

  /// `nil` without a bus.
  package func programs() async -> [ProgramFacts]? {
    await bus.programs()
  }

  /// The wanted elements of a window, or why they can't be read.
  package func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    wanted: WantedElements
  ) async -> Result<[ElementFacts], Reason> {
    do throws(Reason) {
      return .success(
        try await bus.elements(
          of: frame, in: program, origin: windowOrigin, wanted: wanted))
    } catch {
      return .failure(error)
    }
  }

  /// The present rectangles of elements, in pixels of the screen; `nil` for one that is nowhere.
  package func rectangles(
    of elements: [ElementID], in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async -> [ScreenRectangle?] {
    await bus.rectangles(of: elements, in: program, origin: windowOrigin)
  }

  /// `nil` where nothing has it.
  package func focus() async -> FocusFacts? {
    await bus.focus()
  }

  /// The selection in the list around an element.
  package func selection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async -> Result<[ElementFacts], Reason> {
    do throws(Reason) {
      return .success(try await bus.selection(around: element, in: program, most: most))
    } catch {
      return .failure(error)
    }
  }

  /// The selected text; `nil` where there is none or the program does not answer.
  package func selectedText(
    of element: ElementID, most: Int
  ) async -> String? {
    try? await bus.selectedText(of: element, most: most)
  }

  /// The text of an element, as much as is wanted.
  package func text(
    of element: ElementID, most: Int
  ) async -> String? {
    try? await bus.text(of: element, most: most)
  }

  /// The point of a text to drop at; `nil` where that is not known.
  package func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async -> TextAim? {
    try? await bus.textAim(
      of: element, in: program, origin: windowOrigin, within: visible, most: most)
  }

  /// The line in which the caret of a text is.
  package func caretPosition(
    of element: ElementID, most: Int
  ) async -> TextPosition? {
    try? await bus.caretPosition(of: element, most: most)
  }

  /// The names of what elements can be made to do; `nil` where the program does not answer.
  package func actions(
    of elements: [ElementID]
  ) async -> [[String]]? {
    let found = try? await bus.actions(of: elements)
    return found?.map { $0.filter { !$0.isEmpty } }
  }

  /// Has an element do something; `false` where it was not done.
  package func perform(
    _ action: String, on element: ElementID
  ) async -> Bool {
    (try? await bus.perform(action, on: element)) ?? false
  }

  /// The area of an element that can be aimed at, scrolled into view where it is not.
  package func reach(
    _ element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async throws(Reason) -> ElementReach? {
    try await bus.reach(element, in: program, origin: windowOrigin)
  }

  /// Puts an element in focus; `false` where its program can't.
  package func takeFocus(_ element: ElementID) async -> Bool {
    (try? await bus.takeFocus(element)) ?? false
  }

  /// Tells of changes from now on.
  package func observe(_ observer: @escaping @Sendable (ProgramChange) -> Void) {
    changes.observe(
      on: { [weak thread = bus.thread] delay, job in
        guard let thread else { return }
        // Alarms may be set on the thread alone.
        thread.run { thread.run(after: delay, job) }
      }, observer)
    Task { [bus] in await bus.follow() }
  }

  /// Hears of elements that change in these windows, and in no others.
  package func watch(_ frames: [ElementID]) {
    changes.watch(frames)
    Task { [bus, changes] in await bus.watch(changes.programs) }
  }
}
