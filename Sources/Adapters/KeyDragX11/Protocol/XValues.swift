/// A window id, which may be reused once the window is destroyed.
struct XWindow: Hashable, Sendable, RawRepresentable {
  var rawValue: UInt32

  /// X protocol: None.
  static let none = XWindow(rawValue: 0)
}

/// An interned name. Numbers differ between displays and between server starts.
struct XAtom: Hashable, Sendable, RawRepresentable {
  var rawValue: UInt32

  /// X protocol: None.
  static let none = XAtom(rawValue: 0)
}

/// A point in pixels from the upper left corner of the root window; -32768 to 32767.
struct RootPoint: Hashable, Sendable {
  var x: Int16
  var y: Int16

  /// Clamps to the range.
  init(x: Int, y: Int) {
    self.x = Int16(clamping: x)
    self.y = Int16(clamping: y)
  }
}

/// The atoms of XDND and its selections, interned once per connection.
struct XdndAtoms: Hashable, Sendable {
  /// XDND, "Atoms and Properties".
  var aware, proxy, selection, typeList, actionList: XAtom
  /// Client message types.
  var enter, position, status, leave, drop, finished: XAtom
  /// XDND, "Actions".
  var actionCopy, actionMove, actionLink, actionPrivate: XAtom
  /// ICCCM 2.6.2 and 2.7.
  var targets, multiple, timestamp, delete, incr, atomPair: XAtom

  /// In the order of ``init(_:)``.
  static let names = [
    "XdndAware", "XdndProxy", "XdndSelection", "XdndTypeList", "XdndActionList",
    "XdndEnter", "XdndPosition", "XdndStatus", "XdndLeave", "XdndDrop", "XdndFinished",
    "XdndActionCopy", "XdndActionMove", "XdndActionLink", "XdndActionPrivate",
    "TARGETS", "MULTIPLE", "TIMESTAMP", "DELETE", "INCR", "ATOM_PAIR",
  ]

  /// `nil` when the server lacks any of them.
  ///
  /// - Parameter atoms: in the order of ``names``.
  init?(_ atoms: [XAtom]) {
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
