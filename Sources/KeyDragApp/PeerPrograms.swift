import KeyDragCore
import KeyDragPeer

/// The person's other KeyDrag programs, for one that shows them nothing of its own.
package struct PeerPrograms {
  /// `nil` without a folder to meet in.
  package var world: (any World)? { peers }
  private var peers: PeerWorld?
  /// The reason why they can't be reached, if it is unexpected.
  package private(set) var problem: Problem?

  /// - Parameter name: the name of this program in others.
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

  /// Their present listings, and the names of those that do not answer.
  package func look() async -> (listings: [Listing], silent: [String]) {
    guard let peers else { return ([], []) }
    let sight = await peers.look()
    return (sight.listings, sight.silent)
  }
}
