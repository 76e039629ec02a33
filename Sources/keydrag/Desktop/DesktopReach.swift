import KeyDragApp
import KeyDragCore
import KeyDragDesktop
import KeyDragFiles
import KeyDragRuntime

/// Everything a command can reach without a session: windows, if there is a display, and the places
/// of other KeyDrag programs.
struct DesktopReach {
  let files: FilesWorld
  let world: DesktopWorld
  let others: PeerPrograms
  let peers: PeerHistory
  let search: DesktopSearch
  /// The problem of native Wayland windows; `nil` outside Wayland.
  let nativeWindows: Problem?

  init(_ composition: Composition, _ courier: JournaledCourier) {
    let (environment, phrases) = (composition.environment, composition.phrases)
    nativeWindows = DesktopParts.nativeWindows(environment)
    files = composition.world(roots: [], courier: courier)
    var displays: [any Display] = []
    var trouble: CommandError?
    do throws(CommandError) {
      displays = try DesktopParts.displays(environment, phrases)
    } catch {
      trouble = error
    }
    world = DesktopWorld(
      composition.desktopParts(displays: displays, files: files, courier: courier))
    peers = PeerHistory(in: courier)
    others = PeerPrograms(
      named: "keydrag", environment: environment, phrases: phrases, recording: peers.record)
    search = DesktopSearch(
      world: world, others: others, phrases: phrases, trouble: trouble, nativeWindows: nativeWindows
    ) { [displays] in DesktopParts.silence(of: displays, phrases) }
  }

  /// Windows and other programs as one world; closing it closes both.
  func joined() -> CompositeWorld {
    CompositeWorld([world] + [others.world].compactMap(\.self))
  }

  /// The problems that limit the reach, once it was tried.
  ///
  /// - Parameter hasWindows: whether windows could be looked for.
  func problems(hasWindows: Bool) async -> [Problem] {
    let isTold = await world.isAccessible
    return (hasWindows && !isTold ? [.noAccessibility] : [])
      + [others.problem].compactMap(\.self)
  }

  func verdict(_ found: FoundPoint, _ items: [DragItem], _ joined: CompositeWorld) async
    -> DropProposal
  {
    let inquiry = ProposalRequest(items: items, wish: nil, stops: [found.stop])
    guard found.place == nil else { return await world.verdict(at: found.stop, for: inquiry) }
    return await joined.answers(to: inquiry, from: nil).first?.proposal ?? .refused(.unknown)
  }
}
