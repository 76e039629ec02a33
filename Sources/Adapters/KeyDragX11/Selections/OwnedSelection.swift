/// An owned selection's content, served to requestors. Belongs to one thread. Counts requests, by
/// which a loan knows that a paste has happened.
final class OwnedSelection {
  /// In the order offered.
  let forms: [SelectionFetch.Form]
  /// The server time at which the selection was taken.
  let time: UInt32
  /// `false` once another program has taken it; transfers in progress are still served.
  private(set) var isOwned = true
  /// Number of forms requested; MULTIPLE counts each of its forms.
  private(set) var taken = 0
  private let server: XServer
  private let selection: XAtom
  private let atoms: XdndAtoms
  /// `none` when every form counts.
  private let uncounted: XAtom
  private var serving: SelectionServer

  /// Takes the selection; `nil` when the server refuses.
  ///
  /// - Parameters:
  ///   - time: server time; one older than the current owner's takes nothing.
  ///   - saving: `nil` when others must not keep it.
  ///   - uncounted: a form whose request does not count as taking.
  init?(
    _ forms: [SelectionFetch.Form], as selection: XAtom, by window: XWindow, since time: UInt32,
    saving: SelectionServer.Saving? = nil, uncounted: XAtom = .none, on server: XServer,
    _ atoms: XdndAtoms
  ) {
    guard server.own(selection, by: window, time: time) else { return nil }
    (self.forms, self.time) = (forms, time)
    (self.server, self.selection, self.atoms) = (server, selection, atoms)
    self.uncounted = uncounted
    let types = Dictionary(forms.map { ($0.target, $0.type) }) { first, _ in first }
    serving = SelectionServer(
      types: forms.map(\.target), answerTypes: types, isDrag: false, saving: saving,
      atoms: atoms, ownedSince: time)
  }

  var isBusy: Bool { serving.isBusy }

  func lost() { isOwned = false }

  /// Answers at once: the forms are in memory.
  func serve(_ request: SelectionServer.Request) {
    var actions =
      request.target == atoms.multiple
      ? serving.take(request, pairs: server.pairs(of: request)) : serving.take(request)
    while let action = actions.first {
      actions.removeFirst()
      if case .load(let type, let id) = action {
        if type != uncounted { taken += 1 }
        let bytes = forms.first { $0.target == type }?.bytes
        actions = serving.loaded(id, bytes) + actions
      } else {
        server.carryOut(action, selection: selection)
      }
    }
    server.flush()
  }

  func propertyDeleted(_ property: XAtom, of requestor: XWindow) {
    for action in serving.propertyDeleted(property, of: requestor) {
      server.carryOut(action, selection: selection)
    }
  }

  func windowVanished(_ window: XWindow) { serving.windowVanished(window) }
}
