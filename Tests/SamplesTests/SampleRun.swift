import KeyDrag
import Synchronization

/// A session over a sample; its announcements are waited for one after the other.
final class SampleRun: Sendable {
  private struct State {
    var heard: [SpokenAnnouncement] = []
    var waiting: (id: String, continuation: CheckedContinuation<String, Never>)?
  }

  private let state: Ear
  private let controller: DragController

  private final class Ear: Sendable {
    let state = Mutex(State())

    func hear(_ announcement: SpokenAnnouncement) {
      let ready = state.withLock { state -> CheckedContinuation<String, Never>? in
        guard let waiting = state.waiting, waiting.id == announcement.id else {
          state.heard.append(announcement)
          return nil
        }
        state.waiting = nil
        state.heard = []
        return waiting.continuation
      }
      ready?.resume(returning: announcement.text)
    }

    func next(_ id: String) async -> String {
      await withCheckedContinuation { continuation in
        let found = state.withLock { state -> String? in
          guard let index = state.heard.firstIndex(where: { $0.id == id }) else {
            state.waiting = (id, continuation)
            return nil
          }
          let text = state.heard[index].text
          state.heard.removeFirst(index + 1)
          return text
        }
        if let found { continuation.resume(returning: found) }
      }
    }
  }

  init(_ host: DragHost) {
    let ear = Ear()
    state = ear
    controller = host.begin { ear.hear($0) }
  }

  func perform(_ command: CommandName) { controller.perform(command) }

  func type(_ text: String) { controller.type(text) }

  /// A run that has said that it is ready.
  static func ready(_ host: DragHost) async -> SampleRun {
    let run = SampleRun(host)
    await run.heard("ready")
    return run
  }

  @discardableResult
  func perform(_ command: CommandName, until id: String) async -> String {
    perform(command)
    return await heard(id)
  }

  @discardableResult
  func type(_ text: String, until id: String) async -> String {
    type(text)
    return await heard(id)
  }

  /// Picks up what is in focus, goes to a place by its name, and drops there.
  func drag(to place: String) async {
    await perform(.pickUp, until: "drop-point")
    await type(place, until: "drop-point")
    await perform(.drop, until: "delivered")
  }

  /// The next announcement with this id; what was said before it is passed over.
  @discardableResult
  func heard(_ id: String) async -> String { await state.next(id) }

  func end() async { await controller.end() }
}
