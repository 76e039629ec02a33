import Glibc
import KeyDragAccessibility
import KeyDragCore
import KeyDragDesktop

/// Windows whose programs answer, but expose none of their contents.
enum OpaqueWindows {
  /// The time for programs to register after accessibility was switched on. Those that do at all
  /// take 60 ms.
  private static let patience = Duration.seconds(1)

  /// Windows without an accessible tree; those of hung programs are not known to be among them.
  static func of(_ windows: [WindowFacts], _ programs: [ProgramFacts]) -> [WindowFacts] {
    let frames = WindowMatch.frames(of: programs, for: windows)
    let hung = Set(programs.filter { !$0.isResponding }.compactMap(\.processID))
    return windows.filter { window in
      frames[window.id] == nil && window.processID != getpid()
        && !(window.title.isEmpty && window.className.isEmpty)
        && !(window.processID.map(hung.contains) ?? false)
    }
  }

  /// Waits until each window has an accessible tree, or for a second; checks whenever a program
  /// registers.
  static func wait(
    _ displays: [any Display], _ programs: any ProgramReading,
    clock: any Clock<Duration> = ContinuousClock()
  ) async {
    let (stream, events) = AsyncStream.makeStream(of: ProgramChange.self)
    programs.observe { events.yield($0) }
    let end = Task {
      try? await clock.sleep(for: patience)
      events.finish()
    }
    defer { end.cancel() }
    guard await areUntold(displays, programs) else { return }
    for await _ in stream where await !areUntold(displays, programs) { return }
  }

  private static func areUntold(
    _ displays: [any Display], _ programs: any ProgramReading
  ) async -> Bool {
    async let shown = displays.windows()
    guard let told = await programs.programs(), let shown = await shown else { return false }
    return !of(shown, told).isEmpty
  }
}

extension AccessibilityActivation {
  /// Has programs expose their windows while `body` runs, and waits for those that begin only now.
  static func during<Value>(
    _ environment: [String: String], _ body: () async throws(CommandError) -> Value
  ) async throws(CommandError) -> Value {
    // Without a display there are no windows.
    guard Displays.areNamed(environment) else { return try await body() }
    let activation = AccessibilityActivation(environment: environment)
    if await activation.begin() == .switchedOn,
      let displays = try? Displays.connect(environment)
    {
      await OpaqueWindows.wait(displays, ProgramReader(environment: environment))
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
