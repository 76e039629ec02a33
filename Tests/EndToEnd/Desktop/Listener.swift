import FoundationEssentials
import HostilePrograms
import PrivateDesktop
import Testing

/// A window that knows nothing of any toolkit: it takes part in drags by the words of the protocol alone,
/// and writes down all that it can get at whenever it is told something, as any program could.
final class Listener {
  private let process: KeptProcess
  private let log: String
  private var taken = 0

  init(_ title: String, on desktop: DesktopStage) throws {
    log = desktop.stage.base + "/heard"
    process = try desktop.desktop.start([
      "/usr/bin/python3", "-u", "-c", RawWindow.program, title, log,
    ])
    #expect(try process.line() == "shown")
  }

  /// What it has got since the last time.
  func heard() -> String {
    let all = FileManager.default.contents(atPath: log) ?? Data()
    defer { taken = all.count }
    return String(decoding: all.dropFirst(taken), as: UTF8.self)
  }
}
