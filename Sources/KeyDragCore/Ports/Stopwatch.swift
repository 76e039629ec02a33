extension Clock<Duration> {
  /// Starts measuring: the result returns the elapsed time. Instants of `any Clock` can't be
  /// stored.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
