#if DEBUG || FUZZERS
  import CLinux
  import Foundation

  @testable import KeyDragPeer

  /// A socket that a hostile program speaks by.
  final class PeerLine {
    private let descriptor: Int32
    /// Whether the other end must answer in time.
    private let isStrict: Bool
    private var reader = PeerFrameReader()
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    /// - Parameter patience: milliseconds until it gives up; without, having to give up is a find.
    init(_ descriptor: Int32, patience: Int? = nil) {
      self.descriptor = descriptor
      isStrict = patience == nil
      _ = fcntl(descriptor, F_SETFL, 0)
      let milliseconds = patience ?? 15_000
      var time = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }

    convenience init(to name: String, in folder: PeerFolder, patience: Int? = nil) throws {
      guard let name = PeerName(name),
        case .made(let descriptor) = PeerSocket.connect(to: name, in: folder)
      else { throw PeerError.noRuntimeFolder }
      self.init(descriptor, patience: patience)
    }

    deinit { close(descriptor) }

    /// Writes, and hands over an open file with it.
    func write(_ bytes: [UInt8], _ file: Int32 = -1) {
      _ = clinux_send(descriptor, bytes, bytes.count, file)
    }

    func say(_ message: PeerMessage) {
      write(PeerFraming.bytes(message: PeerCodec.bytes(message) ?? []))
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next message, which has to be what this program would say; `nil` when the other end has gone.
    func next() -> PeerMessage? {
      while true {
        while let frame = try? reader.next() {
          guard case .message(let body) = frame else { continue }
          let message = try? PeerCodec.message(body)
          FuzzReader.must(message != nil, "it speaks what it does not understand")
          return message
        }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        FuzzReader.must(
          count >= 0 || errno == ECONNRESET || !isStrict && errno == EAGAIN, "no answer")
        guard count > 0 else { return nil }
        reader.append(buffer[..<count])
      }
    }

    /// Everything until the other end has gone.
    func messages() -> [PeerMessage] {
      var found: [PeerMessage] = []
      while let message = next() { found.append(message) }
      return found
    }
  }
#endif
