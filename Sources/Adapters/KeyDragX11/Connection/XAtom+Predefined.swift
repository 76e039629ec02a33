import CXCB

/// Predefined atoms, with the same number on every server.
extension XAtom {
  static let atom = XAtom(rawValue: XCB_ATOM_ATOM.rawValue)
  static let integer = XAtom(rawValue: XCB_ATOM_INTEGER.rawValue)
  static let resourceManager = XAtom(rawValue: XCB_ATOM_RESOURCE_MANAGER.rawValue)
}
