import KeyDragCore

/// A client message of the protocol (XDND specification, "Client Messages").
enum XdndMessage: Hashable, Sendable {
  /// The message carries the first three types; the rest are in XdndTypeList.
  case enter(source: XWindow, version: UInt8, types: [XAtom])
  /// In root coordinates; data is requested with the time. `nil` stands for an action that is not
  /// supported.
  case position(source: XWindow, point: RootPoint, time: UInt32, operation: DragOperation?)
  case status(target: XWindow, DragAnswer)
  case leave(source: XWindow)
  /// Data is requested with the time.
  case drop(source: XWindow, time: UInt32)
  /// The target is done with the data; before version 5 it does not report the result.
  case finished(target: XWindow, DragAnswer)

  static let versions: ClosedRange<UInt8> = 3...5

  /// The newest version that both sides support; `nil` for a target too old.
  static func version(forAware offered: UInt32) -> UInt8? {
    offered < UInt32(versions.lowerBound)
      ? nil : UInt8(min(offered, UInt32(versions.upperBound)))
  }

  func encoded(_ atoms: XdndAtoms) -> (type: XAtom, words: [UInt32]) {
    switch self {
    // data.l[1]: the version in its upper byte, bit 0 for more types than the three that follow.
    case .enter(let source, let version, let types):
      var words = [source.rawValue, UInt32(version) << 24 | (types.count > 3 ? 1 : 0)]
      words += (0..<3).map { $0 < types.count ? types[$0].rawValue : 0 }
      return (atoms.enter, words)
    // data.l[2]: x in the upper 16 bits, y in the lower.
    case .position(let source, let point, let time, let operation):
      let place =
        UInt32(UInt16(bitPattern: point.x)) << 16 | UInt32(UInt16(bitPattern: point.y))
      return (atoms.position, [source.rawValue, 0, place, time, atoms.action(operation).rawValue])
    case .status(let target, let verdict):
      // Bit 1: send every position, even within the rectangle, which is empty.
      guard case .accepts(let operation) = verdict else {
        return (atoms.status, [target.rawValue, 2, 0, 0, 0])
      }
      return (atoms.status, [target.rawValue, 1 | 2, 0, 0, atoms.action(operation).rawValue])
    case .leave(let source): return (atoms.leave, [source.rawValue, 0, 0, 0, 0])
    case .drop(let source, let time): return (atoms.drop, [source.rawValue, 0, time, 0, 0])
    // data.l[1], bit 0: whether the drop was accepted and done (since version 5).
    case .finished(let target, let outcome):
      guard case .accepts(let operation) = outcome else {
        return (atoms.finished, [target.rawValue, 0, 0, 0, 0])
      }
      return (atoms.finished, [target.rawValue, 1, atoms.action(operation).rawValue, 0, 0])
    }
  }

  /// `nil` for another protocol, or too few words.
  ///
  /// Messages of sources are read too, which only a target needs.
  ///
  /// - Parameter version: the agreed version, which decides the contents of Finished.
  init?(
    type: XAtom, words: [UInt32], version: UInt8 = 5, atoms: XdndAtoms
  ) {
    // A ClientMessage of format 32 always has five words (X protocol).
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
        source: window, point: point, time: words[3],
        operation: atoms.operation(XAtom(rawValue: words[4])))
    // Without bit 0 the target refuses, whatever action it names.
    case atoms.status:
      let operation = atoms.operation(XAtom(rawValue: words[4]))
      self = .status(target: window, words[1] & 1 != 0 ? .accepts(operation) : .refuses(.notTaken))
    case atoms.leave: self = .leave(source: window)
    case atoms.drop: self = .drop(source: window, time: words[2])
    case atoms.finished:
      let outcome: DragAnswer =
        version < 5
        ? .accepts(nil)
        : words[1] & 1 != 0
          ? .accepts(atoms.operation(XAtom(rawValue: words[2]))) : .failed(.programFailed)
      self = .finished(target: window, outcome)
    default: return nil
    }
  }
}

extension XdndAtoms {
  /// The action of an operation; none for `nil`. `open` and `remove` have no action of their own:
  /// the target sees a copy or a move.
  func action(_ operation: DragOperation?) -> XAtom {
    switch operation {
    case .copy, .open: actionCopy
    case .move, .remove: actionMove
    case .link: actionLink
    case nil: .none
    }
  }

  /// `nil` for an action that is not supported.
  func operation(_ action: XAtom) -> DragOperation? {
    switch action {
    case actionCopy: .copy
    case actionMove: .move
    case actionLink: .link
    default: nil
    }
  }
}
