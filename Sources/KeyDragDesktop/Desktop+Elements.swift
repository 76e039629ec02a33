import KeyDragCore

/// Reads windows through their programs' accessibility trees.
extension Desktop {
  func profile(of window: Window) -> ProgramProfile? {
    window.program.flatMap { parts.profiles.profile(for: $0, window: window.facts) }
  }

  /// The elements of a window, or below one of its elements.
  ///
  /// - Parameters:
  ///   - roles: those to read beside the ones that make places.
  ///   - query: what to read instead.
  /// - Throws: ``Reason/noAccessibility`` where only its title is known.
  func elements(
    below element: ElementID? = nil, in window: Window, with roles: Set<String> = [],
    most: Int = mostElements, _ query: ElementQuery? = nil
  ) async throws(Reason) -> [ElementFacts] {
    guard let reader = parts.programs, let program = window.program, let frame = window.frame else {
      throw .noAccessibility
    }
    return try await reader.elements(
      of: element ?? frame.element, in: program, windowOrigin: window.facts.rectangle.origin,
      wanted: query ?? PlaceFinder.wanted(for: profile(of: window), most: most, with: roles))
  }

  /// The frames of windows in the accessibility tree, with their programs.
  func frames(
    of windows: [WindowFacts]
  ) async -> [WindowID: (program: ProgramFacts, frame: FrameFacts)] {
    WindowMatch.frames(of: await parts.programs?.programs() ?? [], for: windows)
  }

  /// Empty where its program does not answer.
  func elements(
    of element: ElementID, with roles: Set<String>, _ program: ProgramFacts, _ window: WindowFacts,
    most: Int = mostParts
  ) async -> [ElementFacts] {
    let found = try? await parts.programs?.elements(
      of: element, in: program, windowOrigin: window.rectangle.origin,
      wanted: ElementQuery(roles: roles, most: most))
    return found ?? []
  }
}
