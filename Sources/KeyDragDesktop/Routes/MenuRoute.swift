import KeyDragCore

/// Into a program through its own Paste command, with the clipboard lent for as long as it takes.
///
/// Used where a program takes no drop that has no pointer, or where its profile says so.
struct MenuRoute: Sendable {
  /// The windows.
  let desktop: Desktop
  /// The items as forms.
  let goods: PayloadCoordinator
  /// `nil` where there is no clipboard to lend.
  let clipboard: (any ClipboardLending)?
  /// Whether menus of programs can be reached.
  let hasCommands: Bool

  /// More is not put into the clipboard.
  private static let mostBytes = 64 << 20
  /// The form in which files are copied.
  private static let fileList = "text/uri-list"

  /// Whether Paste can stand in for a drop there: it goes to what its window is for, not to one of
  /// many places in it.
  ///
  /// Asks the program, or knows it from a while ago.
  func canStandIn(at spot: Desktop.Spot, for items: [DragItem]) async -> Bool {
    guard spot.place.traits.isView || spot.place.element == nil,
      !Self.wouldWritePaths(of: items, at: spot.place)
    else { return false }
    return await desktop.offers(.paste, in: spot.window)
  }

  /// Whether pasted files would be written into a text as their paths, which nobody wants from a
  /// drop.
  private static func wouldWritePaths(of items: [DragItem], at place: Place) -> Bool {
    [.textField, .textLine, .document, .page, .terminal].contains(place.role)
      && items.holdFiles
  }

  /// The answer of a place to the items carried.
  ///
  /// Sure only in a folder; elsewhere a program may ignore what it is given.
  func proposal(
    at spot: Desktop.Spot, _ items: [DragItem], _ operation: DragOperation
  ) async -> DropProposal {
    guard clipboard != nil, hasCommands, !Self.wouldWritePaths(of: items, at: spot.place) else {
      return .refused(.notTaken)
    }
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

  /// Has the program paste what is carried. What is lent is given back by whoever has seen the
  /// effect.
  ///
  /// - Parameter begin: called when it has its turn, before the program is told of it.
  /// - Returns: what is lent, and what `begin` has given.
  func paste<Start: Sendable>(
    _ order: DeliveryOrder, at spot: Desktop.Spot, begin: () async throws(Reason) -> Start
  ) async throws(Reason) -> (any ClipboardLoan, Start) {
    guard let clipboard else { throw .notTaken }
    let loan = try await clipboard.lend(try await loaded(order))
    do throws(Reason) {
      let start = try await begin()
      try await desktop.carryOut(
        .paste, in: spot.window, mayOpen: spot.place.traits.route == .menu)
      return (loan, start)
    } catch {
      _ = await loan.giveBack()
      throw error
    }
  }

  /// All forms read, since the clipboard holds them as bytes. Throws `tooBig`, or `gone` where
  /// nothing can be read.
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

  /// Programs that keep what was copied leave out what says this: it is in the clipboard for a
  /// moment and was copied by nobody.
  private static let notForHistories: SelectedForm = (
    "x-kde-passwordManagerHint", Array("secret".utf8)
  )

  /// How file managers say in the clipboard whether files are copied or moved: those of GNOME and
  /// Xfce in a list of their own, those of KDE beside the usual one.
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
