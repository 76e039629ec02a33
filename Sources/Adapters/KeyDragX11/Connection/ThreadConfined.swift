/// Hands a value over to the thread that owns it. Sendable because the creator gives the value up:
/// only its thread uses it from then on.
final class ThreadConfined<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) { self.value = value }
}

/// A weak reference: the object may be gone when its thread is reached.
struct Weak<Object: AnyObject> {
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}
