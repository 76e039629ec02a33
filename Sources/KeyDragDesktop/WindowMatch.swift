import KeyDragCore

/// Which window of the display belongs to which window of a program: the two are known apart, one
/// from the display server and one from the accessibility tree.
///
/// Pure.
package enum WindowMatch {
  /// How well a frame fits a window; `nil` when it can't be the same.
  ///
  /// A process counts 4, a title 3, a position 1; less than 3 is no fit.
  static func score(
    _ frame: FrameFacts, of program: ProgramFacts, _ window: WindowFacts
  ) -> Int? {
    var score = 0
    if let one = program.processID, let other = window.processID {
      // A process id that is told by both and differs is a sandbox's; the title must fit then.
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

  /// The frame for each window, each frame once, the best fit first.
  ///
  /// Programs that are not responding are left out.
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
