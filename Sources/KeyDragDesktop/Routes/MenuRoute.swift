import KeyDragCore

/// The route through a program's own Paste command, with the clipboard lent meanwhile.
///
/// Used where a program takes no drop without a pointer, or where its profile says so.
struct MenuRoute: Sendable {
  let desktop: Desktop
  let goods: PayloadCoordinator

  /// In bytes; more is not put into the clipboard.
  private static let mostBytes = 64 << 20
  private static let fileList = "text/uri-list"

  /// Whether Paste can stand in for a drop: it goes to the main content of a window, not to one of
  /// many places in it.
  ///
  /// Asks the program, or uses its cached answer.
  func canStandIn(at spot: Desktop.PlaceRecord, for items: [DragItem]) async -> Bool {
    guard spot.place.traits.isView || spot.place.element == nil,
      !Self.wouldWritePaths(of: items, at: spot.place)
    else { return false }
    return await desktop.offers(.paste, in: spot.window)
  }

  /// Whether pasted files would be written into a text as their paths, which nobody wants from a
  /// drop.
  private static func wouldWritePaths(of items: [DragItem], at place: Place) -> Bool {
    [.textField, .textLine, .document, .page, .terminal].contains(place.role)
      && items.containFiles
  }

  /// The answer of a place to the items carried: certain only in a folder, as other places may
  /// ignore the clipboard.
  func proposal(
    at spot: Desktop.PlaceRecord, _ items: [DragItem], _ operation: DragOperation
  ) async -> DropProposal {
    guard desktop.parts.commands != nil,
      (try? await desktop.display(of: spot.window).clipboard) != nil,
      !Self.wouldWritePaths(of: items, at: spot.place)
    else { return .refused(.notTaken) }
    guard operation == .copy || operation == .move && spot.isInFolder,
      (try? await goods.forms(of: items)) != nil
    else { return .refused(.operationNotOffered) }
    // A menu that has to be opened for it is opened at the drop.
    let isOffered = await desktop.offers(.paste, in: spot.window)
    guard isOffered || spot.place.traits.route == .menu else { return .refused(.notTaken) }
    return DropProposal(
      spot.isInFolder ? .all : .maybe, offers: DragOperations(operation),
      predictions: [.inProgram(isPasted: true, undo: await desktop.undo(at: spot, items))])
  }

  /// Has the program paste the items. The caller gives the loan back once it has seen the effect.
  ///
  /// - Parameter begin: called before the program hears of it.
  func paste(
    _ order: DeliveryOrder, at spot: Desktop.PlaceRecord, begin: () async throws(Reason) -> Void
  ) async throws(Reason) -> any ClipboardLoan {
    let clipboard = try await desktop.display(of: spot.window).clipboard
    let loan = try await clipboard.lend(try await loaded(order))
    do throws(Reason) {
      try await begin()
      try await desktop.carryOut(
        .paste, in: spot.window, mayOpen: spot.place.traits.route == .menu)
      return loan
    } catch {
      _ = await loan.giveBack()
      throw error
    }
  }

  /// All forms as bytes, as the clipboard holds them. Throws `tooBig`, or `gone` where nothing can
  /// be read.
  private func loaded(_ order: DeliveryOrder) async throws(Reason) -> [SelectedForm] {
    var result: [SelectedForm] = []
    var left = Self.mostBytes
    // Files are pasted as files or not at all.
    for form in try await goods.forms(of: order.items) where !form.isPaths {
      guard let bytes = await form.load() else { continue }
      left -= bytes.count
      guard left >= 0 else { throw .tooBig }
      result.append((form.contentType, bytes))
    }
    guard !result.isEmpty else { throw .gone }
    return result + Self.fileForms(result, order.operation) + [Self.notForHistories]
  }

  /// Keeps the content out of clipboard histories: it is there for a moment, and no person copied
  /// it.
  private static let notForHistories: SelectedForm = (
    "x-kde-passwordManagerHint", Array("secret".utf8)
  )

  /// The forms that tell file managers whether files are copied or moved: those of GNOME and Xfce
  /// read a list of their own, those of KDE a flag beside the usual one.
  static func fileForms(_ forms: [SelectedForm], _ operation: DragOperation) -> [SelectedForm] {
    guard let list = forms.first(where: { $0.contentType == fileList }) else { return [] }
    let lines = String(decoding: list.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard !lines.isEmpty, lines.allSatisfy({ $0.hasPrefix("file://") }) else { return [] }
    let word = operation == .move ? "cut" : "copy"
    let text = ([Substring(word)] + lines).joined(separator: "\n")
    let isCut: [UInt8] = Array((operation == .move ? "1" : "0").utf8)
    return [
      ("x-special/gnome-copied-files", Array(text.utf8)), ("application/x-kde-cutselection", isCut),
    ]
  }
}
