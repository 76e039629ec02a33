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

  private typealias Fit = (
    rank: (Int, Int, Int), window: WindowID, program: ProgramFacts, frame: FrameFacts
  )

  /// In pixels: the part of a frame outside a window. An alert lies in the window behind it, which
  /// may bear the same title.
  private static func excess(_ frame: FrameFacts, _ window: WindowFacts) -> Int {
    guard let rectangle = frame.rectangle else { return .max }
    let common = rectangle.intersection(window.rectangle)
    return rectangle.width * rectangle.height - (common.map { $0.width * $0.height } ?? 0)
  }

  /// The frame for each window, the best matches first, each frame once. Unresponsive programs are
  /// left out.
  package static func frames(
    of programs: [ProgramFacts], for windows: [WindowFacts]
  ) -> [WindowID: (program: ProgramFacts, frame: FrameFacts)] {
    var fits: [Fit] = []
    for program in programs where program.isResponding {
      for frame in program.frames {
        for (order, window) in windows.enumerated() {
          guard let score = score(frame, of: program, window) else { continue }
          let rank = (-score, excess(frame, window), order)
          fits.append((rank, window.id, program, frame))
        }
      }
    }
    fits.sort { $0.rank < $1.rank }
    var result: [WindowID: (program: ProgramFacts, frame: FrameFacts)] = [:]
    var taken: Set<ElementID> = []
    for fit in fits where result[fit.window] == nil && !taken.contains(fit.frame.element) {
      result[fit.window] = (fit.program, fit.frame)
      taken.insert(fit.frame.element)
    }
    return result
  }
}
