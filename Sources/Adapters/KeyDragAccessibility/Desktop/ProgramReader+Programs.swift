import Glibc
import KeyDragBus
import KeyDragCore

extension ProgramReader {
  /// Further programs are ignored.
  private static let mostPrograms = 256
  /// Of one program.
  private static let mostFrames = 64

  /// All programs with their windows, queried concurrently; `nil` without a bus, or without the
  /// registry of its programs.
  package func programs() async -> [ProgramFacts]? {
    guard await connected() != nil else { return nil }
    let told: [BusValue]?
    do throws(Reason) {
      told = try await ask(Self.registry.children)
    } catch {
      // Busy is not missing.
      return error == .notResponding ? [] : nil
    }
    guard let children = AtspiReplyDecoder.elements(told) else { return nil }
    var names: [String] = []
    // A program counts once, however many objects it has there.
    for child in children where !names.contains(child.program) && names.count < Self.mostPrograms {
      names.append(child.program)
    }
    let processes = await processes(of: names)
    return await withTaskGroup(of: (Int, ProgramFacts).self) { group in
      // This process does not query itself.
      for (order, name) in names.enumerated() where processes[order] != getpid() {
        group.addTask {
          (order, await self.facts(of: name, process: processes[order], looksInside: true))
        }
      }
      var result: [(Int, ProgramFacts)] = []
      for await facts in group { result.append(facts) }
      return result.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  func facts(of program: String) async -> ProgramFacts {
    await facts(of: program, process: await processes(of: [program])[0])
  }

  /// From the bus itself, since programs may report anything; `nil` for one that has left.
  private func processes(of names: [String]) async -> [Int32?] {
    let answers = try? await ask(
      names.map { name in
        BusRequest(
          program: BusName.bus, call: .toBus("GetConnectionUnixProcessID", [.string(name)]))
      })
    return (answers ?? [[BusValue]?](repeating: nil, count: names.count)).map {
      AtspiReplyDecoder.number($0).flatMap { Int32(exactly: $0) }
    }
  }

  /// - Parameter looksInside: whether to peek into windows that have not been read yet.
  private func facts(
    of program: String, process: Int32?, looksInside: Bool = false
  ) async -> ProgramFacts {
    let root = ElementID(program: program, path: AccessibleTree.root)
    var facts = ProgramFacts(bus: program, name: "", processID: process, isResponding: false)
    do throws(Reason) {
      // In one round: a busy program is waited for once.
      let answers = try await ask([
        root.name, root.property("ToolkitName", of: "Application"),
        root.property("Version", of: "Application"), root.children, Self.lineAddress(of: program),
      ])
      facts.name = AtspiReplyDecoder.name(answers[0])
      facts.toolkit = AtspiReplyDecoder.name(answers[1])
      facts.toolkitVersion = AtspiReplyDecoder.name(answers[2])
      learn(.of(facts), of: program)
      learnLine(AtspiReplyDecoder.text(answers[4]), to: program)
      let frames = (AtspiReplyDecoder.elements(answers[3]) ?? []).prefix(Self.mostFrames)
      // Concurrently, so that the first list need not wait for the connection.
      let toolkit = Toolkit.of(facts)
      facts.hasDoubtfulPlaces = !toolkit.isShowingStateReliable
      async let line: Void = toolkit.reading == .levels ? connectDirectly(to: program) : ()
      facts.frames = try await frameFacts(of: Array(frames), toolkit: toolkit)
      facts.isResponding = true
      // A failed peek changes nothing.
      if looksInside { try? await expectBeginnings(of: Array(frames), toolkit) }
      await line
    } catch {
      facts.frames = []
    }
    return facts
  }

  /// The facts of windows, in one round; closed ones are left out.
  func frameFacts(
    of frames: [ElementID], toolkit: Toolkit
  ) async throws(Reason) -> [FrameFacts] {
    let answers = try await ask(
      frames.flatMap { [$0.name, $0.role, $0.states, $0.extents(toolkit.coordinates)] })
    return frames.enumerated().compactMap { order, frame in
      let own = answers[(order * 4)..<(order * 4 + 4)].map { $0 }
      guard let role = AtspiReplyDecoder.role(own[1]),
        let states = AtspiReplyDecoder.states(own[2]), !states.contains(.defunct)
      else { return nil }
      var facts = FrameFacts(
        element: frame, title: toolkit.name(AtspiReplyDecoder.name(own[0])), role: role,
        rectangle: AtspiReplyDecoder.rectangle(own[3]).flatMap {
          toolkit.rectangle($0, origin: nil)
        }, isActive: states.contains(.active))
      facts.isModal = states.contains(.modal)
      return facts
    }
  }
}
