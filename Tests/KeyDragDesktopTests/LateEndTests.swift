import Glibc
import KeyDragCore
import KeyDragX11
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragDesktop

@Suite(
  "A drop into a program that hangs meanwhile", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled(if: DesktopStage.obstacle == nil))
struct LateEndTests {
  @Test(
    "H14 A program that stops at the drop confirms nothing; what it does awake is told after all")
  func wakes() async throws {
    let victim = Victim()
    var timing = XdndHandshake.Timing()
    timing.patience = 300
    let stage = try DesktopStage(timing: timing, goods: LinkGoods { victim.stop() })
    let window = try await stage.start(Self.program, title: "Late")
    let process = try #require(stage.programs.last)
    let notes = try stage.point("Notes", in: window)
    #expect(await stage.verdict(at: notes).acceptance == .all)
    victim.set(process.id)
    var results = stage.results(at: notes).makeAsyncIterator()
    let first = await results.next()
    #expect(first?.outcome == .unconfirmed)
    #expect(first?.failures.map(\.reason) == [.notResponding])
    process.signal(SIGCONT)
    let last = await results.next()
    #expect(last?.outcome == .delivered)
    #expect(last?.delivered == 1)
    // It can't be taken back, and an older entry is not taken in its place.
    guard case .undone(_, .refused(let entry?, _)) = await stage.request(.undo(entry: nil)) else {
      throw DesktopStage.Missing(description: "an older entry would have been undone")
    }
    #expect(entry.names == ["a.txt"])
  }

  @Test("H14 What it asks once it is awake is followed by an end, also where nothing shows one")
  func asksAwake() async throws {
    let victim = Victim()
    var timing = XdndHandshake.Timing()
    timing.patience = 300
    let stage = try DesktopStage(timing: timing, goods: LinkGoods { victim.stop() })
    let window = try await stage.start(
      AskingProgramTests.program(.modal, isEmpty: true), title: "Report")
    let chapters = try stage.point("Chapters", in: window)
    #expect(await stage.verdict(at: chapters).acceptance == .all)
    let process = try stage.program
    victim.set(process.id)
    var events = stage.events(at: chapters).makeAsyncIterator()
    guard case .started = await events.next(), case .finished(let first) = await events.next()
    else {
      throw DesktopStage.Missing(description: "no end\n\(stage.desktop.complaints)")
    }
    #expect(first.outcome == .unconfirmed && first.question == nil)
    process.signal(SIGCONT)
    guard
      case .asks(.dialog("Import a.txt", hasKeyboard: true, buttons: [], words: "")) =
        await events.next()
    else {
      throw DesktopStage.Missing(description: "no question\n\(stage.desktop.complaints)")
    }
    process.signal(AskingProgramTests.Answer.leave.rawValue)
    guard case .finished(let last) = await events.next() else {
      throw DesktopStage.Missing(description: "no last end\n\(stage.desktop.complaints)")
    }
    #expect(last.outcome == .unconfirmed && last.question == nil)
  }

  /// The program that is stopped as soon as it is given something.
  private final class Victim: Sendable {
    private let process = Mutex<pid_t?>(nil)

    func set(_ id: pid_t) { process.withLock { $0 = id } }

    func stop() {
      let id = process.withLock { process in
        defer { process = nil }
        return process
      }
      if let id { kill(id, SIGSTOP) }
    }
  }

  /// A window with a text that takes what is dropped, and a line.
  private static let program = """
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(title="Late")
    window.set_default_size(400, 300)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    line = Gtk.Entry()
    line.get_accessible().set_name("Line")
    box.pack_start(line, False, False, 0)
    view = Gtk.TextView()
    view.get_accessible().set_name("Notes")
    box.pack_start(view, True, True, 0)
    window.connect("map-event", lambda *_: print("ready"))
    window.show_all()
    Gtk.main()
    """
}
