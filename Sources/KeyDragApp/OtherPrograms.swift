import KeyDragCore
import KeyDragPeer

/// The other KeyDrag programs of this person, for one that shows them nothing of its own.
package struct OtherPrograms {
  /// Their places; `nil` where there is no folder to meet in.
  package private(set) var world: (any World)?
  /// Why they can't be met, where it need not be so.
  package private(set) var problem: Problem?

  /// - Parameter name: what other programs call this one.
  package init(named name: String, environment: [String: String]) {
    do throws(PeerError) {
      world = try PeerWorld(in: PeerFolder(environment: environment), program: name)
    } catch {
      problem = error.problem
    }
  }
}
