/// A window id, which may be reused once the window is destroyed.
package struct XWindow: Hashable, Sendable, RawRepresentable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// X protocol: None.
  package static let none = XWindow(rawValue: 0)
}

/// An interned name. Numbers differ between displays and between server starts.
package struct XAtom: Hashable, Sendable, RawRepresentable {
  package var rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// X protocol: None.
  package static let none = XAtom(rawValue: 0)
}

/// A point in pixels from the upper left corner of the root window; -32768 to 32767.
package struct RootPoint: Hashable, Sendable {
  package var x: Int16
  package var y: Int16

  /// Clamps to the range.
  package init(x: Int, y: Int) {
    self.x = Int16(clamping: x)
    self.y = Int16(clamping: y)
  }
}

/// The atoms of XDND and its selections, interned once per connection.
package struct XdndAtoms: Hashable, Sendable {
  /// XDND, "Atoms and Properties".
  package var aware, proxy, selection, typeList, actionList: XAtom
  /// Client message types.
  package var enter, position, status, leave, drop, finished: XAtom
  /// XDND, "Actions".
  package var actionCopy, actionMove, actionLink, actionPrivate: XAtom
  /// ICCCM 2.6.2 and 2.7.
  package var targets, multiple, timestamp, delete, incr, atomPair: XAtom

  /// In the order of ``init(_:)``.
  package static let names = [
    "XdndAware", "XdndProxy", "XdndSelection", "XdndTypeList", "XdndActionList",
    "XdndEnter", "XdndPosition", "XdndStatus", "XdndLeave", "XdndDrop", "XdndFinished",
    "XdndActionCopy", "XdndActionMove", "XdndActionLink", "XdndActionPrivate",
    "TARGETS", "MULTIPLE", "TIMESTAMP", "DELETE", "INCR", "ATOM_PAIR",
  ]

  /// `nil` when the server lacks any of them.
  ///
  /// - Parameter atoms: in the order of ``names``.
  package init?(_ atoms: [XAtom]) {
    guard atoms.count == XdndAtoms.names.count, !atoms.contains(.none) else { return nil }
    (aware, proxy, selection, typeList, actionList) = (
      atoms[0], atoms[1], atoms[2], atoms[3], atoms[4]
    )
    (enter, position, status, leave, drop, finished) = (
      atoms[5], atoms[6], atoms[7], atoms[8], atoms[9], atoms[10]
    )
    (actionCopy, actionMove, actionLink, actionPrivate) = (
      atoms[11], atoms[12], atoms[13], atoms[14]
    )
    (targets, multiple, timestamp, delete, incr, atomPair) = (
      atoms[15], atoms[16], atoms[17], atoms[18], atoms[19], atoms[20]
    )
  }
}
