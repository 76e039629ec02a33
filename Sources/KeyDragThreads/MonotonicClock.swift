import Glibc

/// A duration, or a time on ``MonotonicClock``.
package typealias Milliseconds = Int64

/// The clock for timeouts; stands still while the computer is suspended.
package enum MonotonicClock {
  package static var now: Milliseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
  }
}
