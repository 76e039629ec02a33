/// Measuring on an injected clock.
extension Clock<Duration> {
  /// Begins to measure: the result tells how long ago that was. Moments of `any Clock` can't be kept.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
