/// Requests, and the reasons for them.
extension Session {
  /// The purpose of a request, by which its answer finds its way.
  enum Purpose: Hashable, Sendable {
    /// One of the folders given, by its index.
    case listRoot(Int)
    /// A folder that the person opens, in one of the views.
    case enter(view: Int)
    /// A container that is shown already, listed anew.
    case relist(ContainerID)
    /// The items of a new drag.
    case prepareCarry
    /// Items to add to a drag.
    case prepareAdding
    /// The items that a menu of actions is opened for.
    case prepareActions
    /// `round`: what was held and wished when it was asked (see ``Carry/round``).
    case ask(AskPurpose, round: Int)
    /// A place that is opened while carrying.
    case openPoint(DropPointID)
    /// The person has reached a container whose drop points are not known.
    case listDropPoints(ContainerID)
    /// An undo.
    case undo
    /// The entry that undo would take back, to be asked about.
    case undoNewest
    /// A redo.
    case redo
    /// The history, for its list.
    case history
    /// The folder in which something landed.
    case reveal([Landing])
    /// An item that is moved within its list.
    case reorder(DragSourceID, in: ContainerID)
    /// A container whose editing is turned on or off.
    case edit(ContainerID)
    /// A delivery.
    ///
    /// Its events end it, and not an answer.
    case deliver(DeliveryID)
    /// The focus on the desktop, with the wish of the key that asked.
    case focus(DragOperation?)
    /// The windows of other programs.
    case windows
    /// The window in which something landed.
    case show
    /// The keyboard at the end of a drag, with the word of the end that waits for it.
    case comeBack(KeyboardReturn, Announcement? = nil)
    /// The folder around this one.
    case leave(ContainerID)
    /// The folder at a path.
    case goTo
    /// The next letters of a path, with what was typed when they were asked for.
    case complete(String)
    /// The facts of one item.
    case describe
    /// Sizes and dates of the items in sight.
    case measure
    /// A folder that is made.
    case newFolder(name: String, in: ContainerID)
    /// An item that gets another name.
    case rename(DragSourceID, from: String, to: String)
  }

  /// Why places are asked, which says what is told once they have answered.
  enum AskPurpose: Hashable, Sendable {
    /// The first time for a drag.
    case pickUp
    /// The wish was changed.
    case wish
    /// Items were added; their names.
    case added([String])
    /// An item was taken out; its name.
    case removed(String)
    /// A place appeared; it is said when it accepts.
    case appeared(DropPointID, name: String)
    /// A place was opened; the person is taken to the first place in it.
    case opened(ContainerID, from: DropPointID)
    /// Something changed that may change answers.
    case refresh
    /// The places that have not answered yet, when it has been said what the others say.
    case rest
    /// A folder was gone to by its path; the person is taken there.
    case goneTo(ContainerID)
    /// The place where the person is.
    case arrival(DropStop)
    /// A place a little ahead of the person.
    case ahead(DropStop)
    /// The last time, before the drop.
    case final

    /// The one place that is asked by itself.
    var stop: DropStop? {
      switch self {
      case .arrival(let stop), .ahead(let stop): stop
      case .pickUp, .wish, .added, .removed, .appeared, .opened, .goneTo, .refresh, .rest, .final:
        nil
      }
    }

    /// Whether the walk can't be relied on until it is answered.
    var isWhole: Bool {
      switch self {
      case .pickUp, .wish, .added, .removed, .appeared, .opened, .goneTo, .rest: true
      case .refresh, .arrival, .ahead, .final: false
      }
    }
  }
}

extension Session.Purpose {
  /// Whether things come and go by it that need no word of their own.
  var changesNames: Bool {
    switch self {
    case .undo, .redo, .newFolder, .rename: true
    default: false
    }
  }
}
