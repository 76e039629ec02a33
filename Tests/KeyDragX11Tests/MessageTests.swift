import KeyDragCore
import Testing

@testable import KeyDragX11

@Suite("XDND messages, word by word")
struct MessageTests {
  @Test(
    "Each message has the words of the specification",
    arguments: [
      (
        .enter(source: source, version: 5, types: [uriList]),
        [0x20_0001, 5 << 24, 202, 0, 0]
      ),
      (
        .enter(source: source, version: 4, types: [uriList, plainText, uriList, plainText]),
        [0x20_0001, 4 << 24 | 1, 202, 201, 202]
      ),
      (
        .position(
          source: source, point: RootPoint(x: 300, y: 20), time: 7, operation: .copy),
        [0x20_0001, 0, 300 << 16 | 20, 7, atoms.actionCopy.rawValue]
      ),
      (
        .position(
          source: source, point: RootPoint(x: -1, y: -2), time: 7, operation: .copy),
        [0x20_0001, 0, 0xFFFF_FFFE, 7, atoms.actionCopy.rawValue]
      ),
      (
        .status(target: window, .accepts(.move)),
        [0x40_0001, 3, 0, 0, atoms.actionMove.rawValue]
      ),
      (.status(target: window, .refuses(.notTaken)), [0x40_0001, 2, 0, 0, 0]),
      (.leave(source: source), [0x20_0001, 0, 0, 0, 0]),
      (.drop(source: source, time: 9), [0x20_0001, 0, 9, 0, 0]),
      (
        .finished(target: window, .accepts(.copy)),
        [0x40_0001, 1, atoms.actionCopy.rawValue, 0, 0]
      ),
      (.finished(target: window, .failed(.programFailed)), [0x40_0001, 0, 0, 0, 0]),
    ] as [(XdndMessage, [UInt32])])
  func words(message: XdndMessage, expected: [UInt32]) throws {
    let (type, words) = message.encoded(atoms)
    #expect(words == expected)
    let read = try #require(XdndMessage(type: type, words: words, atoms: atoms))
    if case .enter(_, _, let types) = message {
      // The fourth type and further ones stand in XdndTypeList.
      #expect(read.encoded(atoms).words[2...] == words[2...], "\(types)")
    } else {
      #expect(read == message)
    }
  }

  @Test(
    "Before version 5 the end of a drag says nothing of its outcome", arguments: [3, 4] as [UInt8])
  func oldVersions(version: UInt8) {
    #expect(
      XdndMessage(
        type: atoms.finished, words: [window.rawValue, 0, 0, 0, 0], version: version, atoms: atoms)
        == .finished(target: window, .accepts(nil)))
  }

  @Test(
    "The newest version that both speak is used, and none older than 3",
    arguments: [(0, nil), (2, nil), (3, 3), (4, 4), (5, 5), (6, 5), (UInt32.max, 5)]
      as [(UInt32, UInt8?)])
  func versions(offered: UInt32, expected: UInt8?) {
    #expect(XdndMessage.version(forAware: offered) == expected)
  }

  @Test("Messages of other protocols and messages cut short are none")
  func others() {
    #expect(XdndMessage(type: uriList, words: [1, 2, 3, 4, 5], atoms: atoms) == nil)
    #expect(XdndMessage(type: atoms.status, words: [1, 2], atoms: atoms) == nil)
  }

  @Test("Atoms are complete or not there at all")
  func atomNames() {
    #expect(XdndAtoms([]) == nil)
    #expect(XdndAtoms(Array(repeating: .none, count: XdndAtoms.names.count)) == nil)
    #expect(Set(XdndAtoms.names).count == XdndAtoms.names.count)
  }
}
