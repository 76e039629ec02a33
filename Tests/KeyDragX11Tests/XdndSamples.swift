import Testing

@testable import KeyDragX11

/// Atoms as a server could have numbered them: 101 for the first name, and so on.
let atoms: XdndAtoms = {
  let numbered = XdndAtoms.names.indices.map { XAtom(rawValue: UInt32(101 + $0)) }
  // Never nil: one for each name.
  return XdndAtoms(numbered)!
}()

let source = XWindow(rawValue: 0x20_0001)
let window = XWindow(rawValue: 0x40_0001)
let plainText = XAtom(rawValue: 201)
let uriList = XAtom(rawValue: 202)
let target = XdndHandshake.Target(window: window, version: 5)
