extension Session {
  /// The purpose of a request, which decides how its answer is handled.
  enum Purpose: Hashable, Sendable {
    /// A given folder, by its index.
    case listRoot(Int)
    /// A folder opened in a view.
    case enter(view: Int)
    /// A container shown already.
    case relist(ContainerID)
    case prepareCarry
    case prepareAdding
    /// The items of the actions menu.
    case prepareActions
    /// `round`: the state of the drag when it was asked (see ``DragState/round``).
    case ask(AskPurpose, round: Int)
    /// A place opened while carrying.
    case openPoint(DropPointID)
    /// A container that the person has reached.
    case listDropPoints(ContainerID)
    case undo
    /// The entry that undo would take, to ask about it.
    case undoNewest
    case redo
    case history
    /// The folder of a landing.
    case reveal([Landing])
    case reorder(DragSourceID, in: ContainerID)
    /// A container whose edit mode is switched.
    case edit(ContainerID)
    /// Ended by its events instead of an answer.
    case deliver(DeliveryID)
    /// The focused item on the desktop, with the wish of the key that asked.
    case focus(DragOperation?)
    case windows
    /// The window of a landing.
    case show
    /// The keyboard at the end of a drag, with the announcement that waits for it.
    case restoreKeyboard(KeyboardReturn, Announcement? = nil)
    /// The parent of this container.
    case leave(ContainerID)
    case goTo
    /// The completion of a path, with the text at the time of the request.
    case complete(String)
    case describe
    case measure
    /// The contents of the folder that the person stands on.
    case preview
    case newFolder(name: String, in: ContainerID)
    case rename(DragSourceID, from: String, to: String)
  }

  /// Why places are asked, which decides the announcement of their answers.
  enum AskPurpose: Hashable, Sendable {
    /// For the first time in a drag.
    case pickUp
    case wish
    case added([String])
    case removed(String)
    /// A new place, announced if it accepts.
    case appeared(DropPointID, name: String)
    /// An opened place; the person is moved to the first place in it.
    case opened(ContainerID, from: DropPointID)
    /// A change that may affect answers.
    case refresh
    /// Places that have not answered when the others have been announced.
    case rest
    /// A folder given by its path; the person is moved there.
    case goneTo(ContainerID)
    /// The current place.
    case arrival(DropStop)
    /// A prefetched place.
    case ahead(DropStop)
    /// The final question before a drop.
    case final

    var stop: DropStop? {
      switch self {
      case .arrival(let stop), .ahead(let stop): stop
      case .pickUp, .wish, .added, .removed, .appeared, .opened, .goneTo, .refresh, .rest, .final:
        nil
      }
    }

    /// Whether the walk is incomplete until it is answered.
    var isWhole: Bool {
      switch self {
      case .pickUp, .wish, .added, .removed, .appeared, .opened, .goneTo, .rest: true
      case .refresh, .arrival, .ahead, .final: false
      }
    }
  }
}

extension Session.Purpose {
  var isDelivery: Bool { if case .deliver = self { true } else { false } }

  /// An undo or a redo.
  var takesBack: Bool { [.undo, .redo].contains(self) }

  /// Whether the changes that it causes are not announced.
  var changesNames: Bool {
    switch self {
    case .undo, .redo, .newFolder, .rename: true
    default: false
    }
  }
}
