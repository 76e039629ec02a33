import KeyDragCore
import KeyDragPeer

/// The other KeyDrag programs of this person, for one that shows them nothing of its own.
package struct OtherPrograms {
  /// Their places; `nil` where there is no folder to meet in.
  package var world: (any World)? { peers }
  private var peers: PeerWorld?
  /// Why they can't be met, where it need not be so.
  package private(set) var problem: Problem?

  /// - Parameter name: what other programs call this one.
  package init(
    named name: String, environment: [String: String], phrases: Phrasebook,
    recording: @escaping PeerWorld.Recording
  ) {
    do throws(PeerError) {
      peers = try PeerWorld(
        in: PeerFolder(environment: environment), program: name,
        impostor: { phrases.impostor($0) }, recording: recording)
    } catch {
      problem = error.problem
    }
  }

  /// The listings that they show now, and the names of those that say nothing.
  package func look() async -> (listings: [Listing], silent: [String]) {
    guard let peers else { return ([], []) }
    let sight = await peers.look()
    return (sight.listings, sight.silent)
  }
}
