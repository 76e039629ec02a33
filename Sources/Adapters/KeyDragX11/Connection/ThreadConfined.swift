/// Carries what belongs to one thread to that thread.
///
/// Sendable because whoever makes it gives the value away: the thread alone uses it from then on.
final class ThreadConfined<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// Keeps nothing alive: what it names may be gone when its thread is reached.
struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}
