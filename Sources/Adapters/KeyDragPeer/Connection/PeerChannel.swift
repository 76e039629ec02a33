import Glibc

/// One end of a connection: frames in, frames out, neither ever waited for. Belongs to one actor.
///
/// The descriptor is the channel's and is closed with it.
final class PeerChannel {
  /// Never blocks.
  let descriptor: Int32
  /// Puts frames together from what arrives.
  private var reader = PeerFrameReader()
  /// Bytes still to be sent.
  private var outgoing: [UInt8] = []
  /// How much of that the other end has.
  private var sent = 0
  /// Why nothing is sent or read any more; `nil` while all is well.
  private(set) var fault: PeerFault?

  /// Takes a descriptor that is connected.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Lets the other end know that this is over, also while something here still holds on to it;
  /// what was sent is still read there.
  func end() {
    fault = fault ?? .closed
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Bytes that the other end has not taken yet.
  var pending: Int { outgoing.count - sent }

  /// Waits for something to read, and for room to send while something waits for it.
  var wait: pollfd {
    let events = pending > 0 ? POLLIN | POLLOUT : POLLIN
    return pollfd(fd: descriptor, events: Int16(events), revents: 0)
  }

  /// `false` for a message that is too long to be sent, which then is not.
  @discardableResult
  func send(_ message: PeerMessage) -> Bool {
    guard let body = PeerCodec.bytes(message) else { return false }
    write(PeerFraming.bytes(message: body))
    return true
  }

  /// Sends a piece of contents.
  func send(piece: [UInt8], load: UInt32) {
    write(PeerFraming.bytes(piece: piece, load: load))
  }

  /// Takes the frames that have arrived by now, up to a bound, so that no other end is kept
  /// waiting.
  ///
  /// - Throws: why the connection is over.
  func receive() throws(PeerFault) -> [PeerFrame] {
    if let fault { throw fault }
    let count = withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 1) { buffer in
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    if count == 0 { throw .closed }
    // Nothing there now is no fault.
    if count < 0 {
      if errno == EAGAIN || errno == EINTR { return [] }
      throw .closed
    }
    var frames: [PeerFrame] = []
    while let frame = try reader.next() { frames.append(frame) }
    return frames
  }

  /// Sends what waits, as far as the other end takes it.
  func flush() {
    while fault == nil, pending > 0 {
      let count = outgoing.withUnsafeBytes { bytes in
        Glibc.send(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { fault = .closed }
        return
      }
      sent += count
    }
    // Room that was once needed for much is not kept.
    outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.readSize * 2)
    sent = 0
  }

  /// Puts bytes behind what waits. An end that reads too slowly for too much is given up.
  private func write(_ bytes: [UInt8]) {
    guard fault == nil else { return }
    if sent > Self.readSize {
      outgoing.removeSubrange(..<sent)
      sent = 0
    }
    guard pending + bytes.count <= PeerLimits.outgoing else {
      fault = .overfull
      return
    }
    outgoing += bytes
    flush()
  }

  /// In bytes, of one read.
  private static let readSize = 128 << 10
}
