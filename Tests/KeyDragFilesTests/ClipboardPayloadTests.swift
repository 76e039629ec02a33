import KeyDragCore
import RealPrograms
import Synchronization
import SystemPackage
import Testing

@testable import KeyDragFiles

/// A clipboard without a display.
private final class KeptClipboard: ClipboardAccess {
  let forms: Mutex<[SelectedForm]>
  private let trouble: Reason?

  init(_ forms: [(String, String)] = [], trouble: Reason? = nil) {
    self.forms = Mutex(forms.map { ($0, Array($1.utf8)) })
    self.trouble = trouble
  }

  func read(_ forms: [String]) async throws(Reason) -> [SelectedForm] {
    let all = self.forms.withLock { $0 }
    if let trouble { throw trouble }
    guard !all.isEmpty else { throw .nothingThere }
    let found = forms.compactMap { name in all.first { $0.contentType == name } }
    guard !found.isEmpty else { throw .wrongType }
    return found
  }

  func put(_ forms: [SelectedForm]) async throws(Reason) {
    if let trouble { throw trouble }
    self.forms.withLock { $0 = forms }
  }

  func settle() {}

  func text(_ type: String) -> String? {
    forms.withLock { $0.first { $0.contentType == type } }
      .map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}

@Suite("The clipboard: paste and copy", .realPrograms(by: .suite), .timeLimit(.minutes(5)))
struct ClipboardPayloadTests {
  private func paste(
    _ clipboard: KeptClipboard, _ scratch: Scratch
  ) async throws -> (PreparedItems, PlacesStage, ClipboardPayload) {
    let goods = ClipboardPayload(clipboard, types: PlainTypes(), folder: try scratch.folder("temp"))
    let stage = PlacesStage([try scratch.folder("shown")], clipboard: goods)
    let report = await stage.answer(.folders(.takeClipboard(from: nil)))
    guard case .prepared(_, let preparation) = report else { throw Reason.unknown }
    return (preparation, stage, goods)
  }

  @Test(
    "H11: files that were copied in a file manager or as paths are held as they are",
    arguments: [
      ("text/uri-list", "# two\r\nfile://P/a%20b.txt\r\nfile://P/c.txt\r\n"),
      ("x-special/gnome-copied-files", "copy\nfile://P/a%20b.txt\nfile://P/c.txt"),
      ("x-special/gnome-copied-files", "cut\nfile://P/a%20b.txt\nfile://P/c.txt"),
      ("UTF8_STRING", "P/a b.txt\nP/c.txt\n"),
    ])
  func files(type: String, text: String) async throws {
    let scratch = try Scratch()
    for name in ["a b.txt", "c.txt"] { try scratch.file(name, "hello") }
    let clipboard = KeptClipboard([(type, text.replacing("P", with: scratch.path.string))])
    let (preparation, _, _) = try await paste(clipboard, scratch)
    #expect(preparation.items.map(\.name) == ["a b.txt", "c.txt"])
    #expect(preparation.items.allSatisfy { $0.allowed == .all })
  }

  @Test(
    "H11: what a file manager has cut is held to be moved, what it has copied for any use",
    arguments: [
      ([("x-special/gnome-copied-files", "cut\nfile://P/c.txt")], .move),
      ([("x-special/gnome-copied-files", "copy\nfile://P/c.txt")], nil),
      ([("text/uri-list", "file://P/c.txt"), ("application/x-kde-cutselection", "1")], .move),
      ([("text/uri-list", "file://P/c.txt"), ("application/x-kde-cutselection", "0")], nil),
      ([("UTF8_STRING", "P/c.txt"), ("application/x-kde-cutselection", "1")], nil),
    ] as [([(String, String)], DragOperation?)])
  func cut(forms: [(String, String)], wish: DragOperation?) async throws {
    let scratch = try Scratch()
    try scratch.file("c.txt", "hello")
    let clipboard = KeptClipboard(
      forms.map { ($0, $1.replacing("P", with: scratch.path.string)) })
    let (preparation, _, _) = try await paste(clipboard, scratch)
    #expect(preparation.items.map(\.name) == ["c.txt"])
    #expect(preparation.wish == wish)
  }

  @Test(
    "H24: a text or a picture becomes a file, which can be copied alone and goes at the end",
    arguments: [
      ("UTF8_STRING", "Grüße, aus\n  dem Text", "Grüße, aus dem Text.txt"),
      ("text/plain;charset=utf-8", "../x/y", "x-y.txt"),
      ("text/plain", "/usr\nnot a path", "usr not a path.txt"),
      ("image/png", "PNG", "file.png"),
    ])
  func made(type: String, text: String, name: String) async throws {
    let scratch = try Scratch()
    let (preparation, stage, goods) = try await paste(KeptClipboard([(type, text)]), scratch)
    let item = try #require(preparation.items.first)
    #expect(item.name == name)
    #expect(item.allowed == .copy)
    #expect(preparation.taskPoints.isEmpty)
    let path = try #require(stage.world.path(of: item.source))
    #expect(FileCalls.head(of: path, most: 99, head: 99)?.bytes == Array(text.utf8))
    stage.world.close()
    // A program that another test starts holds what is open here until it runs, and the file with it.
    while (try? FileCalls.status(path)) != nil { goods.close() }
  }

  @Test(
    "What can't be pasted has a reason",
    arguments: [
      ([], nil, Reason.emptyClipboard), ([("application/x-odd", "x")], nil, .wrongType),
      ([("x-kde-passwordManagerHint", "secret"), ("UTF8_STRING", "1234")], nil, .password),
      ([], .noDisplay, .noClipboard), ([], .tooBig, .tooBig),
      ([("UTF8_STRING", " \n")], nil, .wrongType),
    ] as [([(String, String)], Reason?, Reason)])
  func refused(forms: [(String, String)], trouble: Reason?, reason: Reason) async throws {
    let scratch = try Scratch()
    let (preparation, _, _) = try await paste(KeptClipboard(forms, trouble: trouble), scratch)
    #expect(preparation == .refused(reason))
  }

  @Test("Without a clipboard Ctrl+V says so, and no place leads there")
  func none() async throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", "x")
    let stage = PlacesStage([scratch.path])
    let report = await stage.answer(.folders(.takeClipboard(from: nil)))
    #expect(report == .prepared(RequestID(1), .refused(.noClipboard)))
    let held = try await stage.prepare(try await stage.list().sources ?? [])
    #expect(!held.taskPoints.contains { $0.task == .clipboard })
  }

  @Test("H20: files that are held are put there as files, as paths, and a picture as itself")
  func put() async throws {
    let scratch = try Scratch()
    try scratch.file("a b.png", "PNG")
    let clipboard = KeptClipboard()
    let goods = ClipboardPayload(clipboard, types: PlainTypes(), folder: "/tmp")
    let stage = PlacesStage([scratch.path], clipboard: goods)
    let held = try await stage.prepare(try await stage.list().sources ?? [])
    let place = try #require(held.taskPoints.last { $0.task == .clipboard })
    let order = DeliveryOrder(
      items: held.items, stop: DropStop(place.id), operation: .copy, clash: .keepBoth)
    let report = await stage.answer(.deliver(DeliveryID(1), order))
    guard case .delivery(_, .finished(let result)) = report else { throw Reason.unknown }
    #expect(result.outcome == .delivered)
    let address = "file://\(scratch.path.string)/a%20b.png"
    #expect(clipboard.text("text/uri-list") == address + "\r\n")
    #expect(clipboard.text("x-special/gnome-copied-files") == "copy\n" + address)
    #expect(clipboard.text("UTF8_STRING") == scratch.path.string + "/a b.png")
    #expect(clipboard.text("image/png") == "PNG")
  }
}
