import Glibc
import Testing

/// How much is tried of what has many variations: a few in the ordinary run, which is to end within ten
/// minutes on two processors; all of it where KEYDRAG_THOROUGH is set.
public enum Thorough {
  public static let isOn = getenv("KEYDRAG_THOROUGH") != nil

  /// The first of these cases, or all of them in a thorough run.
  public static func cases<Case>(ordinarily count: Int, of all: [Case]) -> [Case] {
    isOn ? all : Array(all.prefix(count))
  }
}

extension Trait where Self == ConditionTrait {
  /// A variation on what another test holds, for a thorough run alone.
  public static var thorough: Self {
    .enabled("for a thorough run: KEYDRAG_THOROUGH=1 swift test") { Thorough.isOn }
  }
}
