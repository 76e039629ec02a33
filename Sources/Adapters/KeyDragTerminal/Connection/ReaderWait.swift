import Glibc

/// The inputs that the reader waits for, and how long: without a pending Escape, for ever.
///
/// A value of the reader's thread.
struct ReaderWait {
  /// The descriptors that have something.
  struct Ready {
    /// Bytes to read, or the end of the terminal.
    var input = false
    /// A signal, or a word from another thread.
    var signals = false
    /// Room to write.
    var output = false
  }

  /// On the monotonic clock, in milliseconds.
  ///
  /// `nil` for no bound.
  private var deadline: Int64?

  /// Whether the pending Escape has waited long enough.
  var isDue: Bool { deadline.map { $0 <= Self.now() } ?? false }

  /// The time left in milliseconds, as `poll` takes it.
  ///
  /// -1 without a bound, 0 when it is over.
  var timeout: Int32 {
    guard let deadline else { return -1 }
    return Int32(clamping: max(deadline - Self.now(), 0))
  }

  /// New bytes start the wait anew; a signal in between does not.
  ///
  /// - Parameter needsForce: whether the decoder holds bytes back that may be a key by themselves.
  mutating func update(needsForce: Bool, restarts: Bool) {
    if !needsForce {
      deadline = nil
    } else if restarts || deadline == nil {
      deadline = Self.now() + Int64(KeyDecoder.patience)
    }
  }

  /// Waits; a descriptor of -1 is not waited for.
  func poll(input: Int32, signals: Int32, output: Int32) -> Ready {
    var descriptors = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output, events: Int16(POLLOUT), revents: 0),
    ]
    // A signal ends the wait early: its byte is in the pipe and is seen the next time.
    guard Glibc.poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return Ready() }
    return Ready(
      input: descriptors[0].revents != 0, signals: descriptors[1].revents != 0,
      output: descriptors[2].revents != 0)
  }

  /// In milliseconds.
  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
