import Glibc
import KeyDragCore
import Synchronization

/// Speech-dispatcher as a screen reader uses it, with a connection of our own that asks nothing: it is
/// closed when the service ends, as the reader's is.
package final class SpeechWatch: ReaderSpeech {
  private let service: SpeechService
  private let state = Mutex(Connection())

  /// Everything behind the lock.
  private struct Connection {
    var descriptor: Int32?
    /// It has been told that the service does not run, which a reader without speech needs to hear of
    /// once at most.
    var isToldMissing = false
  }

  /// - Parameter environment: names the socket, as the environment of a process does; `nil` when it
  ///   does not.
  package init?(environment: [String: String]) {
    guard let service = SpeechService(environment: environment) else { return nil }
    self.service = service
  }

  deinit { _ = state.withLock { $0.descriptor.map { close($0) } } }

  package func silence() { service.silence() }

  package func hasEnded() -> Bool {
    state.withLock { state in
      let isLost = state.descriptor.map(Self.isClosed) ?? false
      if isLost {
        state.descriptor.map { _ = close($0) }
        state.descriptor = nil
      }
      // Another program may have started it anew meanwhile.
      state.descriptor = state.descriptor ?? service.connected()
      defer { state.isToldMissing = state.descriptor == nil }
      return isLost || state.descriptor == nil && !state.isToldMissing
    }
  }

  private static func isClosed(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }
}
