/// Carries what belongs to one thread to that thread.
///
/// Sendable because whoever makes it gives the value away: the thread alone uses it from then on.
final class Handover<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
