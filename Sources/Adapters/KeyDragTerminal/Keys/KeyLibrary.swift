import CTermKey
import Glibc

/// A handle of libtermkey that is fed with bytes, without a file descriptor.
struct KeyLibrary: ~Copyable {
  private let handle: OpaquePointer

  /// Fails only if memory is exhausted.
  init?(terminal: String) {
    let flags =
      TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_NOTERMIOS | TERMKEY_FLAG_NOSTART | TERMKEY_FLAG_CONVERTKP
    let name = Self.safeName(terminal)
    guard let handle = termkey_new_abstract(name, CInt(flags)) else { return nil }
    // Terminfo's F13 and up are other keys with Shift or Ctrl ("ESC [ 1 ; 2 P" is Shift+F1), and
    // its one-byte keys are keys with Ctrl (the Linux console's "suspend" is Ctrl+Z).
    termkey_hook_terminfo_getstr(
      handle,
      { name, value, _ in
        guard let name, let value, strlen(value) > 1 else { return nil }
        return strncmp(name, "key_f", 5) == 0 && atoi(name + 5) > 12 ? nil : value
      }, nil)
    guard termkey_start(handle) != 0 else {
      termkey_destroy(handle)
      return nil
    }
    termkey_set_canonflags(handle, CInt(TERMKEY_CANON_DELBS))
    self.handle = handle
  }

  deinit { termkey_destroy(handle) }

  /// The key of a complete sequence; `nil` for none, or several.
  func key(for sequence: [UInt8]) -> TermKeyKey? {
    let taken = sequence.withUnsafeBytes { bytes in
      termkey_push_bytes(
        handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    var keys: [TermKeyKey] = []
    var key = TermKeyKey()
    // Each key consumes at least one byte, so the loop ends and leaves the buffer empty.
    while termkey_getkey_force(handle, &key) == TERMKEY_RES_KEY { keys.append(key) }
    return taken == sequence.count && keys.count == 1 ? keys[0] : nil
  }

  /// `TERM` names a file below the terminfo folders: only a plain name is let through.
  private static func safeName(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "+-_.".utf8.contains(byte)
      }
    }
    let isShort = (1...64).contains(name.utf8.count)
    return isPlain && isShort && !name.hasPrefix(".") ? name : "dumb"
  }
}
