extension Clock<Duration> {
  /// Starts measuring; the result returns the elapsed time. `any Clock` has no storable instants.
  package func stopwatch() -> @Sendable () -> Duration {
    let start = now
    return { start.duration(to: self.now) }
  }
}
