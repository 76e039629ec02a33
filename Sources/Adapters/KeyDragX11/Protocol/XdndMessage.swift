/// A client message of the protocol (XDND specification, "Client Messages").
package enum XdndMessage: Hashable, Sendable {
  /// The drag enters the target; the first three types are in the message, the rest in XdndTypeList.
  case enter(source: XWindow, version: UInt8, types: [XAtom])
  case position(source: XWindow, point: RootPoint, time: UInt32, action: XAtom)
  /// The target's answer to a position; no action when it refuses.
  case status(target: XWindow, accepts: Bool, action: XAtom)
  case leave(source: XWindow)
  case drop(source: XWindow, time: UInt32)
  /// The target has done with the data; outcome and action since version 5.
  case finished(target: XWindow, outcome: Outcome)

  package enum Outcome: Hashable, Sendable {
    case performed(action: XAtom)
    case notPerformed
    /// Versions before 5 do not say.
    case notSaid
  }

  /// The versions spoken, newest last.
  package static let versions: ClosedRange<UInt8> = 3...5

  /// The version for a target: the newest that both speak; `nil` for one too old.
  package static func version(forAware offered: UInt32) -> UInt8? {
    offered < UInt32(versions.lowerBound)
      ? nil : UInt8(min(offered, UInt32(versions.upperBound)))
  }

  /// The type of the message and its five words.
  package func encoded(_ atoms: XdndAtoms) -> (type: XAtom, words: [UInt32]) {
    switch self {
    case .enter(let source, let version, let types):
      var words = [source.rawValue, UInt32(version) << 24 | (types.count > 3 ? 1 : 0)]
      words += (0..<3).map { $0 < types.count ? types[$0].rawValue : 0 }
      return (atoms.enter, words)
    case .position(let source, let point, let time, let action):
      let place =
        UInt32(UInt16(bitPattern: point.x)) << 16 | UInt32(UInt16(bitPattern: point.y))
      return (atoms.position, [source.rawValue, 0, place, time, action.rawValue])
    case .status(let target, let accepts, let action):
      // Bit 1: send every position, also within the rectangle, which is empty.
      return (
        atoms.status,
        [target.rawValue, (accepts ? 1 : 0) | 2, 0, 0, accepts ? action.rawValue : 0]
      )
    case .leave(let source): return (atoms.leave, [source.rawValue, 0, 0, 0, 0])
    case .drop(let source, let time): return (atoms.drop, [source.rawValue, 0, time, 0, 0])
    case .finished(let target, let outcome):
      switch outcome {
      case .performed(let action):
        return (atoms.finished, [target.rawValue, 1, action.rawValue, 0, 0])
      case .notPerformed, .notSaid: return (atoms.finished, [target.rawValue, 0, 0, 0, 0])
      }
    }
  }

  /// Reads a message; `nil` when it is of another protocol or too short.
  ///
  /// - Parameter version: what source and target agreed on, which decides what Finished says.
  package init?(
    type: XAtom, words: [UInt32], version: UInt8 = 5, atoms: XdndAtoms
  ) {
    guard words.count >= 5 else { return nil }
    let window = XWindow(rawValue: words[0])
    switch type {
    case atoms.enter:
      self = .enter(
        source: window, version: UInt8(words[1] >> 24),
        types: words[2...4].filter { $0 != 0 }.map { XAtom(rawValue: $0) })
    case atoms.position:
      let point = RootPoint(
        x: Int(Int16(truncatingIfNeeded: words[2] >> 16)),
        y: Int(Int16(truncatingIfNeeded: words[2])))
      self = .position(
        source: window, point: point, time: words[3], action: XAtom(rawValue: words[4]))
    case atoms.status:
      self = .status(
        target: window, accepts: words[1] & 1 != 0, action: XAtom(rawValue: words[4]))
    case atoms.leave: self = .leave(source: window)
    case atoms.drop: self = .drop(source: window, time: words[2])
    case atoms.finished:
      let outcome: Outcome =
        version < 5
        ? .notSaid
        : words[1] & 1 != 0 ? .performed(action: XAtom(rawValue: words[2])) : .notPerformed
      self = .finished(target: window, outcome: outcome)
    default: return nil
    }
  }
}
