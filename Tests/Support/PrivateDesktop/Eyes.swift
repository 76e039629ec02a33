extension PrivateDesktop {
  /// Starts what looks through the windows of all programs, as assistive technologies see them, again
  /// and again until it has seen something; then it says so in one line and ends.
  ///
  /// - Parameters:
  ///   - seen: in Python: `seen(frame)`, called for each window, which gives the line, or nothing. The
  ///     arguments are `words`, and `find(node, fits, most, depth)` gives the first element in a window
  ///     that fits, where at most so many children of each are looked at, and so many levels.
  ///   - renewal: what was read of a program that had only begun is kept, and not always renewed by
  ///     itself: it is forgotten at each so manieth look.
  public func eyes(
    _ seen: String, _ words: [String], renewal: Int = 20
  ) throws -> KeptProcess {
    let program = Self.look.replacing("RENEWAL", with: String(renewal))
    return try start(["/usr/bin/python3", "-u", "-c", seen + "\n" + program] + words)
  }

  private static let look = """
    import faulthandler, sys, pyatspi
    from gi.repository import GLib
    words = sys.argv[1:]
    def find(node, fits, most=100, depth=20):
        if node is None or fits(node):
            return node
        for index in range(min(node.childCount, most) if depth else 0):
            found = find(node.getChildAtIndex(index), fits, most, depth - 1)
            if found:
                return found
    looks = 0
    def look():
        global looks
        looks += 1
        try:
            for program in pyatspi.Registry.getDesktop(0):
                if program and looks % RENEWAL == 0:
                    program.clear_cache()
                for frame in program or []:
                    line = frame and seen(frame)
                    if line:
                        print(line)
                        return False
        except Exception as trouble:
            print(trouble, file=sys.stderr)
        return True
    # For what a test says that gave up: where this hangs, or what it sees.
    faulthandler.dump_traceback_later(50)
    def outline(node, depth=0):
        if node and depth < 12:
            print("." * depth, node.getRoleName(), repr(node.name), node.childCount, file=sys.stderr)
            for index in range(min(node.childCount, 4)):
                outline(node.getChildAtIndex(index), depth + 1)
    GLib.timeout_add_seconds(45, lambda: outline(pyatspi.Registry.getDesktop(0)))
    GLib.timeout_add(50, look)
    GLib.MainLoop().run()
    """
}
