import KeyDragCore
import KeyDragTypes
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite("Where a place is when it is asked")
struct LocatingTests {
  private static let frame = ElementID(program: ":1.7", path: "/frame")
  private static let panel = ElementID(program: ":1.7", path: "/panel")
  private static let page = ElementID(program: ":1.7", path: "/page")

  private static let line = ElementID(program: ":1.7", path: "/line")

  private static func facts(at x: Int) -> WindowFacts {
    WindowFacts(
      id: WindowID(1), title: "Letter", className: "letter", processID: 7,
      rectangle: ScreenRectangle(x: x, y: 0, width: 400, height: 300), isMapped: true,
      isActive: true)
  }

  /// A page that tells no place of its own, in a panel that does, and a line that is scrolled away.
  private static func elements(at x: Int) -> [ElementFacts] {
    [
      ElementFacts(
        id: panel, role: "panel", name: "",
        rectangle: ScreenRectangle(x: x, y: 100, width: 400, height: 200), states: [.showing]),
      ElementFacts(
        id: line, role: "entry", name: "Below",
        rectangle: ScreenRectangle(x: x, y: 500, width: 400, height: 20),
        states: [.showing, .editable]),
      ElementFacts(
        id: page, parent: 0, role: "document web", name: "Letter", rectangle: nil,
        states: [.showing, .editable]),
    ]
  }

  private static func paragraphs(_ count: Int, _ states: ElementStates) -> [ElementFacts] {
    (0..<count).map { number in
      ElementFacts(
        id: ElementID(program: ":1.7", path: "/paragraph/\(number)"), role: "paragraph", name: "",
        states: states)
    }
  }

  private func stage(
    for name: String = "Letter page"
  ) async throws -> (told: ToldDesktop, desktop: Desktop, point: DropPointID) {
    let program = ProgramFacts(
      bus: ":1.7", name: "letter", toolkit: "Gecko", toolkitVersion: "1", processID: 7,
      frames: [
        FrameFacts(
          element: Self.frame, title: "Letter", role: "frame",
          rectangle: Self.facts(at: 0).rectangle, isActive: true)
      ])
    let told = ToldDesktop(
      programs: [program], windows: [Self.facts(at: 0)],
      elements: [Self.frame: Self.elements(at: 0)])
    let desktop = Desktop(
      DesktopAdapters(
        sources: EmptyWorld(), goods: LinkGoods(), programs: told, displays: [ToldDisplay(told)],
        profiles: [], types: SystemContentTypes(), phrases: Phrasebook(),
        ownProcess: 1, clock: ToldClock()))
    let window = try #require(try await desktop.look().first)
    let points = try await desktop.list(window.id).get().dropPoints
    let point = try #require(points?.first { $0.name == name }, "\(points ?? [])")
    return (told, desktop, point.id)
  }

  @Test("H12, T03 A page that tells no place of its own is not refused: it is what it fills")
  func page() async throws {
    let (told, desktop, point) = try await stage()
    #expect(try await desktop.locate(point).at == ScreenPoint(x: 200, y: 200))
    told.tell([Self.elements(at: 50)], in: Self.frame)
    told.show([Self.facts(at: 50)])
    #expect(try await desktop.locate(point).at == ScreenPoint(x: 250, y: 200))
    // It is gone with what it fills.
    told.tell([[]], in: Self.frame)
    await #expect(throws: Reason.notShown) { try await desktop.locate(point) }
  }

  @Test("T03 A place that its program tells beside its window is not shown, and is not asked")
  func beside() async throws {
    let (_, desktop, point) = try await stage(for: "Below text field")
    await #expect(throws: Reason.notShown) { try await desktop.locate(point) }
  }

  @Test(
    "H12, T03 Of several paragraphs to write in it is said that nobody knows which",
    arguments: [
      (2, ElementStates.editable, true), (1, .editable, false), (3, .showing, false),
    ])
  func paragraphs(count: Int, states: ElementStates, isUnknown: Bool) async throws {
    let (told, desktop, point) = try await stage()
    told.tell([Self.paragraphs(count, states)], in: Self.page)
    let proposal = DropProposal(.all, offers: .copy)
    let text = await desktop.telling(proposal, at: point, isText: true)
    #expect(text.isTextPositionUnknown == isUnknown)
    told.write("Milk\nEggs", in: Self.page)
    #expect(await desktop.telling(proposal, at: point, isText: true).isTextPositionUnknown)
    // Files become no lines there.
    #expect(await !desktop.telling(proposal, at: point, isText: false).isTextPositionUnknown)
  }
}
