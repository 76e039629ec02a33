/// The content of a selection that is owned here, served to whoever asks for it.
///
/// Belongs to one thread. It counts what was taken, by which a loan knows that a paste has
/// happened.
final class OwnedSelection {
  /// In the order in which they were offered.
  let forms: [SelectionFetch.Form]
  /// The server's time at which the selection was taken.
  let time: UInt32
  /// `false` once another program has taken it; what is on its way is still served.
  private(set) var isOwned = true
  /// How many times a form of it was asked for.
  ///
  /// MULTIPLE counts each of its forms.
  private(set) var taken = 0
  private let server: XServer
  private let selection: XAtom
  private let atoms: XdndAtoms
  /// `none` where every form counts.
  private let uncounted: XAtom
  private var serving: SelectionServer

  /// Takes the selection; `nil` when the server does not let.
  ///
  /// - Parameters:
  ///   - saving: `nil` for what is not to be kept by others.
  ///   - uncounted: a form that is looked at without taking anything.
  /// - Parameter time: of the server; an older time than the present owner's takes nothing.
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

  /// Whether somebody takes it now.
  var isBusy: Bool { serving.isBusy }

  /// Another program has the selection now.
  func lost() { isOwned = false }

  /// Answers a request at once: the forms are in memory.
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

  /// A requestor has taken a portion.
  func propertyDeleted(_ property: XAtom, of requestor: XWindow) {
    for action in serving.propertyDeleted(property, of: requestor) {
      server.carryOut(action, selection: selection)
    }
  }

  /// Everything on its way to it is forgotten.
  func windowVanished(_ window: XWindow) { serving.windowVanished(window) }
}
