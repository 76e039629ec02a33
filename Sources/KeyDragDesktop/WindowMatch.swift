import KeyDragCore

/// Matches the windows of the display server with those of the accessibility tree.
///
/// Pure.
package enum WindowMatch {
  /// The score of a frame for a window; `nil` when they can't be the same.
  ///
  /// A process counts 4, a title 3, a position 1; less than 3 is no match.
  static func score(
    _ frame: FrameFacts, of program: ProgramFacts, _ window: WindowFacts
  ) -> Int? {
    var score = 0
    if let one = program.processID, let other = window.processID {
      // Differing process IDs may come from a sandbox; the title must match then.
      if one == other { score += 4 } else if frame.title != window.title { return nil }
    }
    if !frame.title.isEmpty, frame.title == window.title { score += 3 }
    if let rectangle = frame.rectangle,
      let common = rectangle.intersection(window.rectangle)
    {
      let area = window.rectangle.width * window.rectangle.height
      if common.width * common.height * 10 > area * 9 { score += 1 }
    }
    return score >= 3 ? score : nil
  }

  /// The frame for each window, the best matches first, each frame once. Unresponsive programs are
  /// left out.
  package static func frames(
    of programs: [ProgramFacts], for windows: [WindowFacts]
  ) -> [WindowID: (program: ProgramFacts, frame: FrameFacts)] {
    var fits:
      [(score: Int, order: Int, window: WindowID, program: ProgramFacts, frame: FrameFacts)] =
        []
    for program in programs where program.isResponding {
      for frame in program.frames {
        for (order, window) in windows.enumerated() {
          guard let score = score(frame, of: program, window) else { continue }
          fits.append((score, order, window.id, program, frame))
        }
      }
    }
    fits.sort { $0.score != $1.score ? $0.score > $1.score : $0.order < $1.order }
    var result: [WindowID: (program: ProgramFacts, frame: FrameFacts)] = [:]
    var taken: Set<ElementID> = []
    for fit in fits where result[fit.window] == nil && !taken.contains(fit.frame.element) {
      result[fit.window] = (fit.program, fit.frame)
      taken.insert(fit.frame.element)
    }
    return result
  }
}
