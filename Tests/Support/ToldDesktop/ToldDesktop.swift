import KeyDragCore
import Synchronization

/// A desktop as its readers would tell it.
package final class ToldDesktop: ProgramReading, WindowReading {
  private struct State {
    var programs: [ProgramFacts]?
    var windows: [WindowFacts]?
    var elements: [ElementID: [[ElementFacts]]]
    var texts: [ElementID: String] = [:]
    var focus: FocusFacts?
    var obeys = false
    var isSilent = false
    var asked: [WindowID] = []
  }

  private let state: Mutex<State>

  /// - Parameters:
  ///   - programs: `nil` where no bus is.
  ///   - windows: `nil` where no display is.
  ///   - elements: what is in each window; a program that is left out does not answer.
  package init(
    programs: [ProgramFacts]?, windows: [WindowFacts]?,
    elements: [ElementID: [ElementFacts]] = [:]
  ) {
    state = Mutex(
      State(programs: programs, windows: windows, elements: elements.mapValues { [$0] }))
  }

  /// Tells other windows from now on.
  package func show(_ windows: [WindowFacts]) { state.withLock { $0.windows = windows } }

  /// Tells this of a window, each at one reading after the other, and the last one from then on.
  package func tell(_ readings: [[ElementFacts]], in frame: ElementID) {
    state.withLock { $0.elements[frame] = readings }
  }

  /// From now on nothing of any window is told, or everything again.
  package func set(isSilent: Bool) { state.withLock { $0.isSilent = isSilent } }

  /// Tells this text of an element from now on.
  package func write(_ text: String, in element: ElementID) {
    state.withLock { $0.texts[element] = text }
  }

  /// Tells this as what has the focus from now on.
  package func focus(on focus: FocusFacts) { state.withLock { $0.focus = focus } }

  /// From now on windows that are to come to the front do, and elements that are to take the focus.
  package func obey() { state.withLock { $0.obeys = true } }

  /// The windows that were to come to the front.
  package var asked: [WindowID] { state.withLock(\.asked) }

  package func windows() async -> [WindowFacts]? {
    state.withLock(\.windows)
  }
  package func programs() async -> [ProgramFacts]? {
    state.withLock(\.programs)
  }

  package func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    wanted: ElementQuery
  ) async throws(Reason) -> [ElementFacts] {
    let found = state.withLock { state -> [ElementFacts]? in
      guard !state.isSilent, let readings = state.elements[frame] else { return nil }
      if readings.count > 1 { state.elements[frame]?.removeFirst() }
      return readings.first
    }
    guard let found else { throw .notResponding }
    return found
  }

  // Of the rest there is nothing.
  package func menus() async -> [WindowFacts]? { [] }
  package func activate(_ window: WindowID) async -> Bool {
    state.withLock { state in
      state.asked.append(window)
      let all = state.windows ?? []
      guard state.obeys else { return all.contains { $0.id == window } }
      for index in all.indices { state.windows?[index].isActive = all[index].id == window }
      return true
    }
  }
  package func picture(of window: WindowID) async -> WindowPicture? { nil }
  package func onChange(_ handler: @escaping @Sendable () -> Void) {}
  package func rectangles(
    of elements: [ElementID], in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async -> [ScreenRectangle?] {
    let told = state.withLock { $0.elements.values.compactMap(\.first).flatMap { $0 } }
    return elements.map { id in told.first { $0.id == id }?.rectangle }
  }
  package func focus() async -> FocusFacts? {
    state.withLock(\.focus)
  }
  package func selection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async -> [ElementFacts] { [] }
  package func selectedText(
    of element: ElementID, most: Int
  ) async -> String? { nil }
  package func text(
    of element: ElementID, most: Int
  ) async throws(Reason) -> String? {
    let (text, isSilent) = state.withLock { ($0.texts[element], $0.isSilent) }
    if isSilent { throw .notResponding }
    return text
  }
  package func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async -> TextDropTarget? { nil }
  package func caretPosition(
    of element: ElementID, most: Int
  ) async -> TextPosition? { nil }
  package func actions(
    of elements: [ElementID]
  ) async -> [[String]] { elements.map { _ in [] } }
  package func perform(
    _ action: String, on element: ElementID
  ) async -> Bool { false }
  package func reach(
    _ element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async throws(Reason) -> TargetArea? {
    let found = await rectangles(of: [element], in: program, windowOrigin: windowOrigin)
    return found.first.flatMap { $0 }.map { TargetArea($0) }
  }
  package func takeFocus(_ element: ElementID) async -> Bool {
    state.withLock { state in
      let found = state.elements.values.compactMap(\.first).flatMap { $0 }
      guard state.obeys, let element = found.first(where: { $0.id == element }) else {
        return false
      }
      state.focus?.element = element
      return true
    }
  }
  package func observe(_ observer: @escaping @Sendable (ProgramChange) -> Void) {}
  package func watch(_ frames: [ElementID]) {}
}
