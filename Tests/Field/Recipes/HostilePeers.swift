import Foundation
import HostilePrograms

/// Programs beside an open `keydrag files` that keep to no rule. What the person drops there afterwards is
/// judged with all that they have left.
extension Recipe {
  static var hostilePeers: [Recipe] { PeerTrick.allCases.map(peer) }

  enum PeerTrick: String, CaseIterable {
    case replaces = "wants to replace"
    case unreadable = "hands over what it may not read"
    case escapes = "names a file elsewhere"
    case floods = "floods and crowds"

    /// - Returns: those that stay connected.
    func play(in folder: String, _ field: FieldDesktop) throws -> [RawPeer] {
      let peer = try RawPeer.visit(in: folder, as: "Harmless")
      let place = try peer.place("Target")
      guard place != 0 else { throw SetupError(description: "no place Target in keydrag files") }
      let file = field.path("Inbox/drop.txt")
      switch self {
      case .replaces:
        _ = try peer.drop(file, on: place, clash: "replace", name: "report.txt")
      case .unreadable:
        let handed = Foundation.open(field.path("Inbox"), Self.pathOnly)
        defer { close(handed) }
        _ = try peer.drop(file, kind: 1, on: place, files: [handed], name: "secret")
      case .escapes:
        for name in ["../Out/escaped.txt", field.path("Out/escaped.txt")] {
          let peer = try RawPeer.visit(in: folder, as: "Harmless")
          // It may end the connection instead of an answer.
          _ = try? peer.drop(file, on: peer.place("Target"), name: name)
        }
      case .floods:
        for _ in 0..<20_000 { peer.say("list") }
        return (0..<40).compactMap { try? RawPeer.visit(in: folder, as: "idle \($0)") }
      }
      return [peer]
    }

    /// `O_PATH`, which needs no right to read; Glibc's module leaves it out.
    private static let pathOnly: Int32 = 0o10_000_000
  }

  private static func peer(_ trick: PeerTrick) -> Recipe {
    var recipe = Recipe(
      name: "hostile peer \(trick.rawValue)", package: "keydrag", files: [], app: "keydrag files",
      open: { field in
        // A script of keys that does not end.
        let session = try field.start([
          "/bin/sh", "-c", "tail -f /dev/null | \"$@\"", "sh", field.keydrag, "files",
          field.path("Target"),
          "--keys", "-", "--transcript", "-", "--speech", "off",
        ])
        while try Record(session.line())?.id != "ready" {}
        return .none
      },
      places: ["Target"])
    recipe.attack = { field in
      field.keep(try trick.play(in: field.path("run/keydrag"), field))
    }
    recipe.folder = "Target"
    recipe.isLiar = true
    recipe.scenarios = [.fileIn]
    return recipe
  }
}
