import KeyDragCore
import KeyDragDesktop
import RealPrograms
import Testing
import ToldDesktop

@testable import keydrag

@Suite("keydrag audit looks through the windows of running programs", .realPrograms(by: .test))
struct AuditTests {
  private static let rectangle = ScreenRectangle(x: 0, y: 0, width: 400, height: 300)

  private static func window(_ id: UInt32, _ title: String, _ name: String, _ process: Int32)
    -> WindowFacts
  {
    WindowFacts(
      id: WindowID(id), title: title, className: name, processID: process, rectangle: rectangle,
      isMapped: true, isActive: false)
  }

  private static func program(_ name: String, _ process: Int32, _ title: String) -> ProgramFacts {
    let frame = FrameFacts(
      element: ElementID(program: ":1.\(process)", path: "/frame"), title: title, role: "frame",
      rectangle: rectangle, isActive: false)
    return ProgramFacts(
      bus: ":1.\(process)", name: name, toolkit: "gtk", toolkitVersion: "3.24", processID: process,
      frames: [frame])
  }

  private static let rule = ElementRule(
    .init(roles: ["icon"]), traits: PlaceTraits(isDropPoint: true))

  private static func desktop() -> ToldDesktop {
    let files = program("Files", 7, "docs")
    var hung = program("", 8, "Inbox")
    hung.isResponding = false
    let field = ElementFacts(
      id: ElementID(program: ":1.7", path: "/field"), role: "text", name: "",
      rectangle: rectangle, states: [.showing, .editable])
    return ToldDesktop(
      programs: [files, hung],
      windows: [
        window(1, "docs", "Files", 7), window(2, "Inbox", "Mail", 8),
        window(3, "Untitled", "Gimp", 9),
      ],
      elements: [files.frames[0].element: [field]])
  }

  private func find(_ app: String? = nil, on desktop: ToldDesktop) async throws
    -> [AuditRun.Program]
  {
    let profile = ProgramProfile(
      name: "files", programs: [NamePattern("files")], rules: [Self.rule])
    return try await AuditRun(
      adapters: DesktopAdapters(
        sources: EmptyWorld(), goods: NoGoods(), programs: desktop,
        displays: [ToldDisplay(desktop)], profiles: [profile], types: NoTypes(),
        phrases: Phrasebook(), ownProcess: 1,
        clock: ContinuousClock())
    ).find(app: app)
  }

  private final class NoGoods: DragPayload {
    func forms(of items: [DragItem]) -> [DragForm] { [] }
    func expect(
      _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder,
      alive: @escaping @Sendable () -> Void
    ) async -> (any DropVerifier)? { nil }
  }

  private struct NoTypes: ContentTypes {
    func type(forName name: String, head: [UInt8]?) -> String { "" }
    func conforms(_ type: String, to other: String) -> Bool { false }
    func name(of type: String) -> String { "" }
    func fileExtension(for type: String) -> String? { nil }
  }

  @Test("each program is told with its windows, what is wrong in them and in its profile")
  func all() async throws {
    let found = try await find(on: Self.desktop())
    #expect(found.map(\.name) == ["Files", "", "Gimp"])
    #expect(found[0].windows.map(\.findings) == [[]])
    #expect(found[0].findings == [AuditFinding(.deadRule, "files", number: 1)])
    #expect(found[1].windows.map(\.reason) == [.notResponding])
    #expect(found[2].windows.map(\.places) == [1])
  }

  @Test(
    "one program is found by its name, a window's class or a title",
    arguments: [("fil", "Files"), ("inb", ""), ("mail", ""), ("gimp", "Gimp")])
  func one(_ app: String, _ name: String) async throws {
    #expect(try await find(app, on: Self.desktop()).map(\.name) == [name])
  }

  @Test("a program that is not there ends with 66 and the nearest names")
  func unknown() async {
    await #expect {
      try await find("fiels", on: Self.desktop())
    } throws: {
      let error = $0 as? CommandError
      return error?.status == .noInput
        && error?.description == "No running program is called fiels. Did you mean Files?"
    }
  }

  @Test("where no name is near, those there are are told, as the other commands do")
  func unlike() async {
    await #expect {
      try await find("nosuch", on: Self.desktop())
    } throws: {
      let error = $0 as? CommandError
      return error?.status == .noInput
        && error?.description == "No running program is called nosuch. There are: Files, Gimp."
    }
  }

  @Test("a name that fits several programs ends with 64 and the list")
  func several() async {
    let desktop = ToldDesktop(
      programs: [Self.program("Files one", 7, "a"), Self.program("Files two", 8, "b")],
      windows: [Self.window(1, "a", "A", 7), Self.window(2, "b", "B", 8)])
    await #expect {
      try await find("files", on: desktop)
    } throws: {
      let error = $0 as? CommandError
      return error?.status == .usage
        && error?.description == "files may be Files one or Files two. Give more of the name."
    }
  }

  @Test("without a display or without accessibility there is nothing to look through")
  func nothing() async {
    for desktop in [
      ToldDesktop(programs: [], windows: nil), ToldDesktop(programs: nil, windows: []),
    ] {
      await #expect {
        try await find(on: desktop)
      } throws: {
        ($0 as? CommandError)?.status == .unavailable
      }
    }
  }

  @Test("as JSON it is one object")
  func json() async throws {
    let found = try await find("files", on: Self.desktop())
    let text = String(decoding: AuditCommand.object(found), as: UTF8.self)
    #expect(
      text == """
        {"version":"\(KeyDragVersion.current)","programs":[{"name":"Files","profile":"files",\
        "windows":[{"title":"docs","places":1,"findings":[]}],\
        "findings":[{"kind":"dead-rule","name":"files","number":1}]}]}

        """)
  }

  @Test("a window is told with its program, and how many places it has or why it was not read")
  func headings() async throws {
    let found = try await find(on: Self.desktop())
    let headings = found.map { AuditCommand.heading($0.windows[0], of: $0, Phrasebook()) }
    #expect(
      headings == [
        "Files, docs: 1 place.", "Inbox: it is not responding.", "Gimp, Untitled: 1 place.",
      ])
  }
}
