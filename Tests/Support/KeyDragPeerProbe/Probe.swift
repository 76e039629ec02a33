import Glibc
import KeyDragCore
import KeyDragPeer
import PeerBasket
import Synchronization

/// Another program: `KeyDragPeerProbe take|mute|nobody FOLDER` has places until it is ended, and
/// `KeyDragPeerProbe send FOLDER BYTES` drops something on the first place it finds. What happens is
/// told line by line on standard output.
@main
enum Probe {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count >= 3 else { exit(64) }
    // Somebody else, when root tries it.
    if words[1] == "nobody", setgid(65_534) != 0 || setuid(65_534) != 0 { exit(77) }
    do {
      let folder = try PeerFolder(path: words[2])
      if words[1] == "send" {
        await send(Int64(words.last ?? "") ?? 0, in: folder)
      } else {
        try await serve(in: folder, answers: words[1] != "mute")
      }
    } catch {
      tell("error \(error)")
      exit(1)
    }
  }

  private static func serve(in folder: PeerFolder, answers: Bool) async throws {
    let start = Start()
    let world = BasketWorld(answers: answers, keeps: false) { count in
      if start.isFirst() { tell("taking \(count)") }
    }
    let service = try PeerService(in: folder, program: "probe", places: world)
    tell("ready \(service.socketName)")
    // Ended with the one who started it.
    var nudges = 0
    while readLine() != nil {
      nudges += 1
      world.show([BasketWorld.listing(["Basket", "Full", "Nudge \(nudges)"])])
      tell("peak \(peak())")
    }
    service.close()
  }

  private static func send(_ count: Int64, in folder: PeerFolder) async {
    guard let world = try? PeerWorld(in: folder, program: "sender") else { exit(1) }
    let reports = ReportBox()
    world.observe { reports.add($0) }
    guard let point = await reports.appearance()?.dropPoints?.first else { exit(1) }
    let items = MadeItems { _ in MadeItems.zeros(count) }
    let order = DeliveryOrder(
      items: [MadeItems.item(1)], stop: DropStop(point.id), operation: .copy)
    reports.deliver(DeliveryID(1), order, to: world, from: items)
    let result = await reports.result()
    tell("sent \(result?.outcome.rawValue ?? "nothing") \(result?.bytes ?? 0) \(peak())")
    world.close()
  }

  /// The most memory this process has had, in kilobytes. Not from `getrusage`, which counts what the
  /// process had before it became this program.
  private static func peak() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix("VmHWM:") else { continue }
      return Int(text.filter { $0.isNumber }) ?? 0
    }
    return 0
  }

  private static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}

private final class Start: Sendable {
  private let hasBegun = Atomic(false)

  func isFirst() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
}
