import KeyDrag
import Synchronization

/// Collects announcements and lets a test wait for one.
final class Ear: Sendable {
  private struct State {
    var heard: [SpokenAnnouncement] = []
    var waiting: [(String, CheckedContinuation<SpokenAnnouncement, Never>)] = []
  }

  private let state = Mutex(State())

  func hear(_ announcement: SpokenAnnouncement) {
    let resumed = state.withLock { state in
      let ready = state.waiting.filter { $0.0 == announcement.id }
      // What somebody waited for is not heard a second time.
      if ready.isEmpty { state.heard.append(announcement) }
      state.waiting.removeAll { $0.0 == announcement.id }
      return ready
    }
    for (_, continuation) in resumed { continuation.resume(returning: announcement) }
  }

  /// The next announcement with this id, or the newest one when it has been made since `clear`.
  func next(_ id: String) async -> SpokenAnnouncement {
    await withCheckedContinuation { continuation in
      let found = state.withLock { state -> SpokenAnnouncement? in
        if let index = state.heard.lastIndex(where: { $0.id == id }) {
          return state.heard.remove(at: index)
        }
        state.waiting.append((id, continuation))
        return nil
      }
      if let found { continuation.resume(returning: found) }
    }
  }
}
