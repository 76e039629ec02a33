import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop
import KeyDragX11

/// Windows whose programs answer, but tell nothing of what is in them.
enum UntoldWindows {
  /// How long programs have to register after accessibility was switched on. Those that follow at all
  /// take 60 ms.
  private static let patience = Duration.seconds(1)

  /// The windows that are in no accessible tree; those of programs that hang are not known to be so.
  static func of(_ windows: [WindowFacts], _ programs: [ProgramFacts]) -> [WindowFacts] {
    let frames = WindowMatch.frames(of: programs, for: windows)
    let hung = Set(programs.filter { !$0.isResponding }.compactMap(\.processID))
    return windows.filter { window in
      frames[window.id] == nil && window.processID != getpid()
        && !(window.title.isEmpty && window.className.isEmpty)
        && !(window.processID.map(hung.contains) ?? false)
    }
  }

  /// Waits until each window is in an accessible tree: looks again whenever a program registers.
  static func wait(
    _ windows: any WindowReading, _ programs: any ProgramReading,
    clock: any Clock<Duration> = ContinuousClock()
  ) async {
    let (stream, events) = AsyncStream.makeStream(of: ProgramChange.self)
    programs.observe { events.yield($0) }
    let end = Task {
      try? await clock.sleep(for: patience)
      events.finish()
    }
    defer { end.cancel() }
    guard await areUntold(windows, programs) else { return }
    for await _ in stream where await !areUntold(windows, programs) { return }
  }

  private static func areUntold(
    _ windows: any WindowReading, _ programs: any ProgramReading
  ) async -> Bool {
    async let shown = windows.windows()
    guard let told = await programs.programs(), let shown = await shown else { return false }
    return !of(shown, told).isEmpty
  }
}

extension AccessibilityActivation {
  /// Has programs tell what is in their windows while `body` runs, and waits for those that begin to
  /// only now.
  ///
  static func during<Value>(
    _ environment: [String: String], _ body: () async throws(CommandError) -> Value
  ) async throws(CommandError) -> Value {
    // Without a display there is no window to be told of.
    guard environment["DISPLAY"]?.isEmpty == false else { return try await body() }
    let activation = AccessibilityActivation(environment: environment)
    if await activation.begin() == .switchedOn,
      let windows = try? DesktopParts.windows(environment)
    {
      await UntoldWindows.wait(windows, ProgramReader(environment: environment))
    }
    do throws(CommandError) {
      let value = try await body()
      await activation.end()
      return value
    } catch {
      await activation.end()
      throw error
    }
  }
}
