import PrivateDesktop

/// Programs that are run with a mount of their own, which nobody else sees and which ends with them.
enum OwnMounts {
  /// What runs a program with such a mount.
  ///
  /// - Parameters:
  ///   - source: mounts something at `place`, in Python, with `libc` and `check(result, what)`.
  ///   - place: the path that it is mounted at.
  static func runner(_ source: String, _ place: String) -> [String] {
    ["/usr/bin/python3", "-c", [opening, source, ending].joined(separator: "\n"), place]
  }

  /// Why a runner can't be had here; `nil` when it can.
  static func obstacle(to runner: [String], on stage: Stage) throws -> String? {
    let child = try ChildProcess(
      runner + ["/bin/true"], environment: stage.environment, folder: stage.work)
    let status = try child.finish()
    return status == 0 ? nil : String(decoding: child.errors, as: UTF8.self)
  }

  private static let opening = """
    import ctypes, os, sys
    libc = ctypes.CDLL(None, use_errno=True)
    def check(result, what):
        if result:
            sys.exit(what + ": " + os.strerror(ctypes.get_errno()))
    place, command = sys.argv[1], sys.argv[2:]
    user, group = os.getuid(), os.getgid()
    new_mounts, new_user, private, bind = 0x20000, 0x10000000, 0x44000, 0x1000
    check(libc.unshare(new_mounts | (new_user if user else 0)), "no namespace of its own")
    if user:
        lines = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
        for name, line in lines.items():
            with open("/proc/self/" + name, "w") as file:
                file.write(line)
    check(libc.mount(None, b"/", None, private, None), "no mounts of its own")
    """

  private static let ending = "os.execv(command[0], command)"
}
