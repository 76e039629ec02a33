import CLinux
import Foundation
import Glibc
import KeyDragCore
import PeerBasket
import StoppedProgram
import Synchronization
import Testing

@testable import KeyDragPeer

/// A folder for sockets of a test's own, gone with the test.
final class PeerStage: Sendable {
  let base: String
  /// Where the programs meet; made by whoever comes first.
  var meeting: String { base + "/keydrag" }

  init() throws {
    var template = Array("/tmp/kdpeer-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Reason.unknown }
    base = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: base) }

  func folder() throws -> PeerFolder { try PeerFolder(path: meeting) }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: meeting)) ?? []).sorted()
  }
}

/// Two programs in one process, over a real socket: one with a basket, one that carries.
final class PeerPair: Sendable {
  let stage: PeerStage
  let basket: BasketWorld
  let service: PeerService
  let world: PeerWorld
  let reports = ReportBox()

  init(_ basket: BasketWorld = BasketWorld(), patience: PeerPatience = .calm) throws {
    stage = try PeerStage()
    self.basket = basket
    service = try PeerService(
      in: stage.folder(), program: "Samples\u{1B}[31m", places: basket, patience: patience)
    world = try PeerWorld(in: stage.folder(), program: "Files", patience: patience)
    let reports = reports
    world.observe { reports.add($0) }
  }

  func end() {
    world.close()
    service.close()
  }

  func deliver(
    _ items: [DragItem], to listing: Listing, _ operation: DragOperation = .copy,
    id: Int = 1, from make: @escaping MadeItems.Maker
  ) {
    let order = DeliveryOrder(
      items: items, stop: DropStop(listing.dropPoints?.first?.id ?? DropPointID(0)),
      operation: operation)
    reports.deliver(DeliveryID(id), order, to: world, from: MadeItems(make))
  }
}

extension PeerPatience {
  /// For what must not depend on how busy the machine is.
  static let calm: PeerPatience = {
    var patience = PeerPatience()
    patience.answer = 30_000
    patience.look = 30_000
    patience.silence = 30_000
    return patience
  }()

  /// For programs that say nothing. One that has not begun yet is silent, too: there is time for it to
  /// get its turn on a busy machine before it is given up.
  static let short: PeerPatience = {
    var patience = PeerPatience()
    patience.answer = 200
    patience.silence = 5_000
    patience.beat = 100
    return patience
  }()
}

/// Another program in a process of its own.
final class ProbeRun: Sendable {
  let process: pid_t
  private let input: FileHandle
  private let lines: AsyncStream<String>

  init(_ words: [String]) throws {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "KeyDragPeerProbe").path
    var out: [CInt] = [0, 0]
    var into: [CInt] = [0, 0]
    try #require(pipe(&out) == 0 && pipe(&into) == 0)
    for end in [out[0], into[1]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, into[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO)
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 3)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, nil, arguments, environ)
    close(out[1])
    close(into[0])
    try #require(code == 0, "\(program) does not start")
    process = child
    input = FileHandle(fileDescriptor: into[1], closeOnDealloc: true)
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    lines = stream
    let descriptor = out[0]
    Thread.detachNewThread {
      var text = ""
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { break }
        text += String(decoding: buffer[..<count], as: UTF8.self)
        while let end = text.firstIndex(of: "\n") {
          continuation.yield(String(text[..<end]))
          text = String(text[text.index(after: end)...])
        }
      }
      close(descriptor)
      continuation.finish()
    }
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// What follows the word on the first line that begins with it; `nil` when it ends before.
  func line(_ word: String) async -> [String]? {
    for await line in lines {
      let words = line.split(separator: " ").map(String.init)
      if words.first == word { return Array(words.dropFirst()) }
    }
    return nil
  }

  func signal(_ number: CInt) {
    if number == SIGSTOP { StoppedProgram.stop(process) } else { kill(process, number) }
  }

  /// Has it tell how much memory it has used.
  func nudge() { input.write(Data("\n".utf8)) }
}
