import CLinux
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
  /// Open files that go with the byte at an index of ``outgoing``, and are closed when they have gone.
  private var outgoingFiles: [(at: Int, file: Int32)] = []
  /// Open files that have come and that no message has taken yet, oldest first.
  private var files: [Int32] = []
  /// Why nothing is sent or read any more; `nil` while all is well.
  private(set) var fault: PeerFault?

  /// Takes a descriptor that is connected.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    close(descriptor)
    for file in files + outgoingFiles.map(\.file) { close(file) }
  }

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
  ///
  /// - Parameter file: an open file that goes with it, and is closed then.
  @discardableResult
  func send(_ message: PeerMessage, file: Int32? = nil) -> Bool {
    guard let body = PeerCodec.bytes(message) else { return false }
    write(PeerFraming.bytes(message: body), file: file)
    return true
  }

  /// The open file that has come with the message that is being taken, for the caller to close; `nil`
  /// where none has.
  func takeFile() -> Int32? { files.isEmpty ? nil : files.removeFirst() }

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
      var handed: [Int32] = [-1, -1]
      var received: Int32 = 0
      let count = clinux_receive(
        descriptor, buffer.baseAddress, buffer.count, &handed, Int32(handed.count), &received)
      files += handed.prefix(Int(received))
      // Nobody hands over more than one for each message that asks for one.
      while files.count > PeerLimits.files { close(files.removeLast()) }
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
      // A file goes with the first byte of its message, so that it is there when that is whole.
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
    // Room that was once needed for much is not kept.
    outgoing.removeAll(keepingCapacity: outgoing.capacity <= Self.readSize * 2)
    sent = 0
  }

  /// Puts bytes behind what waits. An end that reads too slowly for too much is given up.
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

  /// In bytes, of one read.
  private static let readSize = 128 << 10
}
