import KeyDragCore
import Testing
import ToldDesktop

@testable import KeyDragDesktop

@Suite("What is carried together is offered together")
struct CarriedGoodsTests {
  private let clippings = TextPayloads()
  private var goods: PayloadCoordinator {
    PayloadCoordinator(clippings: clippings, files: LinkGoods(), clock: ToldClock())
  }

  private func carried(_ texts: String...) -> [DragItem] {
    let sources = texts.map {
      clippings.add(text: $0, typeName: "text", from: ContainerID(1)).id
    }
    return clippings.prepare(sources).items
  }

  private func texts(of forms: [DragForm]) async -> [String: String] {
    var result: [String: String] = [:]
    for form in forms {
      result[form.contentType] = await form.load().map { String(decoding: $0, as: UTF8.self) }
    }
    return result
  }

  @Test("several texts are one text of several lines, in the order in which they were picked up")
  func several() async throws {
    let forms = try await goods.forms(of: carried("milk", "two eggs", "größer"))
    #expect(forms.first?.contentType == "text/plain;charset=utf-8")
    let texts = await texts(of: forms)
    #expect(texts.keys.sorted() == ["UTF8_STRING", "text/plain", "text/plain;charset=utf-8"])
    #expect(Set(texts.values) == ["milk\ntwo eggs\ngrößer"])
  }

  @Test("one text stays as it is")
  func one() async throws {
    let forms = try await goods.forms(of: carried("milk\n"))
    #expect(Set(await texts(of: forms).values) == ["milk\n"])
  }

  @Test("addresses of several things are one list, a line each")
  func addresses() async throws {
    let sources = ["trash:///a", "trash:///b"].map { address in
      clippings.add(
        forms: [("text/uri-list", Array("\(address)\r\n".utf8))], name: address, typeName: "row",
        from: ContainerID(1))
    }
    let items = clippings.prepare(sources.map(\.id)).items
    let form = try #require(try await goods.forms(of: items).first)
    #expect(form.contentType == "text/uri-list")
    #expect(await form.load() == Array("trash:///a\r\ntrash:///b\r\n".utf8))
  }

  @Test("files and texts together have no form in common, which is another reason than a loss")
  func mixed() async throws {
    let items = carried("milk") + [DesktopStage.item]
    await #expect(throws: Reason.wrongType) { try await goods.forms(of: items) }
  }

  @Test("a text that is kept no more takes the others along: less is not delivered for all")
  func gone() async throws {
    let items = carried("milk", "eggs")
    let other = PayloadCoordinator(
      clippings: TextPayloads(), files: LinkGoods(), clock: ToldClock())
    await #expect(throws: Reason.gone) { try await other.forms(of: items) }
    var lost = items[0]
    lost = DragItem(
      source: DragSourceID(items[1].source.rawValue + 1, of: .clippings), name: lost.name,
      kind: lost.kind,
      types: lost.types, typeName: lost.typeName, container: lost.container, tree: nil)
    let rest = [items[1], lost]
    await #expect(throws: Reason.gone) { try await goods.forms(of: rest) }
  }
}
