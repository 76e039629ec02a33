import Glibc

/// A length of time, or a moment as ``MonotonicClock`` counts, in milliseconds.
package typealias Milliseconds = Int64

/// The clock by which answers are waited for.
package enum MonotonicClock {
  /// Milliseconds of a clock that stands still while the computer sleeps.
  package static var now: Milliseconds {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
  }
}
