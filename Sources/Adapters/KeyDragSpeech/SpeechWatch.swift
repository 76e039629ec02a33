import Glibc
import KeyDragCore
import Synchronization

/// Watches speech-dispatcher as a screen reader uses it, with an idle connection of our own that
/// closes when the service ends, as the reader's does.
package final class SpeechWatch: ReaderSpeech {
  private let service: SpeechService
  private let connection = Mutex<Int32?>(nil)

  /// - Parameter environment: names the socket; the initializer fails if it does not.
  package init?(environment: [String: String]) {
    guard let service = SpeechService(environment: environment) else { return nil }
    self.service = service
  }

  deinit { _ = connection.withLock { $0.map { close($0) } } }

  package func silence() { service.silence() }

  package func hasEnded() -> Bool {
    connection.withLock { connection in
      let isLost = connection.map(Self.isClosed) ?? false
      if isLost {
        connection.map { _ = close($0) }
        connection = nil
      }
      // Another program may have restarted it meanwhile.
      connection = connection ?? service.connected()
      return isLost || connection == nil
    }
  }

  private static func isClosed(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }
}
