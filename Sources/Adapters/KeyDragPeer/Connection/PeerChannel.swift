import CLinux
import Glibc

/// A nonblocking connection that exchanges frames. Belongs to one actor. Owns its descriptor.
final class PeerChannel {
  /// Nonblocking.
  let descriptor: Int32
  private var reader = PeerFrameReader()
  private var outgoing: [UInt8] = []
  /// Bytes of ``outgoing`` already sent.
  private var sent = 0
  /// Files to send with the byte at an index of ``outgoing``; closed once sent.
  private var outgoingFiles: [(at: Int, file: Int32)] = []
  /// Received files that no message has taken yet, oldest first.
  private var files: [Int32] = []
  /// Why the connection has failed; `nil` while it works.
  private(set) var fault: PeerFault?

  /// Takes ownership of a connected descriptor.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    close(descriptor)
    for file in files + outgoingFiles.map(\.file) { close(file) }
  }

  /// Shuts the connection down even if it is still referenced; the other end can still read what
  /// was sent.
  func end() {
    fault = fault ?? .closed
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  var pending: Int { outgoing.count - sent }

  /// Polls for input, and for output while something is pending.
  var wait: pollfd {
    let events = pending > 0 ? POLLIN | POLLOUT : POLLIN
    return pollfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  /// Returns `false`, without sending, for a message that is too long.
  ///
  /// - Parameter file: sent along and then closed.
  @discardableResult
  func send(_ message: PeerMessage, file: Int32? = nil) -> Bool {
    guard let body = PeerCodec.bytes(message) else { return false }
    write(PeerFraming.bytes(message: body), file: file)
    return true
  }

  /// The file that came with the current message, which the caller must close; `nil` if there is
  /// none.
  func takeFile() -> Int32? { files.isEmpty ? nil : files.removeFirst() }

  func send(piece: [UInt8], load: UInt32) {
    write(PeerFraming.bytes(piece: piece, load: load))
  }

  /// Reads available frames, up to a limit so that other connections are not delayed.
  ///
  /// - Throws: why the connection has ended.
  func receive() throws(PeerFault) -> [PeerFrame] {
    if let fault { throw fault }
    let count = withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer in
      var handed: [Int32] = [-1, -1]
      var received: Int32 = 0
      let count = clinux_receive(
        descriptor, buffer.baseAddress, buffer.count, &handed, Int32(handed.count), &received)
      files += handed.prefix(Int(received))
      // At most one per message that requests one.
      while files.count > PeerLimits.files { close(files.removeLast()) }
      if count > 0 { reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    if count == 0 { throw .closed }
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return [] }
      throw .closed
    }
    var frames: [PeerFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  /// Sends pending bytes as far as the other end accepts them.
  func flush() {
    while fault == nil, pending > 0 {
      // With the first byte of its message, so that the file is there once the message is complete.
      let file = outgoingFiles.first
      let isDue = file?.at == sent
      let end = isDue ? outgoingFiles.dropFirst().first?.at : file?.at
      let count = outgoing.withUnsafeBytes { bytes in
        clinux_send(
          descriptor, bytes.baseAddress?.advanced(by: sent), (end ?? bytes.count) - sent,
          isDue ? file?.file ?? -1 : -1)
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { fault = .closed }
        return
      }
      sent += count
      if isDue { close(outgoingFiles.removeFirst().file) }
    }
    // Releases a buffer that was needed only once.
    outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.readSize * 2)
    sent = 0
  }

  /// Queues bytes. A peer that reads too slowly is given up.
  private func write(_ bytes: [UInt8], file: Int32? = nil) {
    if fault == nil, sent > Self.readSize {
      outgoing.removeSubrange(..<sent)
      for index in outgoingFiles.indices { outgoingFiles[index].at -= sent }
      sent = 0
    }
    if pending + bytes.count > PeerLimits.outgoing { fault = fault ?? .overfull }
    guard fault == nil else {
      if let file { close(file) }
      return
    }
    if let file { outgoingFiles.append((outgoing.count, file)) }
    outgoing += bytes
    flush()
  }

  /// In bytes.
  private static let readSize = 128 << 10
}
