import Glibc

/// Starts programs with the signals that they expect: threads here block all, and some are ignored.
package enum ProcessStart {
  /// POSIX_SPAWN_SETSID, which the headers show only to GNU sources.
  package static let inSession: Int32 = 0x80

  /// - Parameters:
  ///   - program: looked for in `PATH` unless it has a slash.
  ///   - words: its name and its arguments.
  ///   - environment: that of this program if `nil`.
  ///   - flags: whether it has a session or group of its own, in which no interrupt that is typed at
  ///     our terminal reaches it.
  ///   - signals: those that it must not ignore.
  ///   - prepare: says what becomes of its descriptors.
  /// - Returns: `nil` if it could not be started.
  package static func start(
    _ program: [CChar], _ words: [[CChar]], environment: [[CChar]]? = nil, flags: Int32 = 0,
    signals: [Int32] = [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGTSTP],
    _ prepare: (inout posix_spawn_file_actions_t) -> Void = { _ in }
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    guard posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer { posix_spawnattr_destroy(&attributes) }
    let all = flags | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(all))
    var set = sigset_t()
    sigemptyset(&set)
    posix_spawnattr_setsigmask(&attributes, &set)
    for signal in signals { sigaddset(&set, signal) }
    posix_spawnattr_setsigdefault(&attributes, &set)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let error =
      environment == nil
      ? posix_spawnp(&process, program, &actions, &attributes, &arguments, environ)
      : posix_spawnp(&process, program, &actions, &attributes, &arguments, &variables)
    return error == 0 ? process : nil
  }

  /// Waits for its end, and returns its status as in waitpid(2).
  @discardableResult
  package static func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The bytes of a word with the NUL at its end.
  package static func word(_ text: UnsafePointer<CChar>) -> [CChar] {
    Array(UnsafeBufferPointer(start: text, count: strlen(text) + 1))
  }
}
