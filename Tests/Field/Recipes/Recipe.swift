import Foundation

/// One program: its start, its places, and an oracle for its effects that is independent of KeyDrag.
struct Recipe {
  /// The row's name.
  var name: String
  /// The package of Debian that brings it.
  let package: String
  /// The program's file, and others that it needs here.
  let files: [String]
  /// The name that `--app` is given.
  let app: String
  /// Starts the program; returns the window that is dropped on once it is there.
  var open: (FieldDesktop) throws -> Window
  /// Names of places, in the order in which they are preferred: the beginning of a name, any case.
  var places: [String]
  /// The payload carried to it.
  var payload = Recipe.note
  /// The folder that shows in the window, from the home of the case.
  var folder: String?
  /// The question that it asks at every drop.
  var question: Question?
  /// Whether it asks about a name that is taken.
  var asksAtClash = false
  /// Reads the effect from the program itself.
  var oracle: (FieldDesktop, Window, Payload, _ titlesBefore: [String]) throws -> Set<Effect> =
    { _, _, _, _ in [] }
  /// Files of the program that its oracle reads.
  var documents: Set<String> = []
  /// Files that only the program's own oracle understands.
  var judgedAlone: Set<String> = []
  /// Text dropped on it: the places, where it takes text.
  var textPlaces: [String] = []
  /// Selects a file in its window, the one that is then carried away.
  var selectFile: ((FieldDesktop, Window) throws -> Payload)?
  /// Selects a text in its window.
  var selectText: ((FieldDesktop, Window) throws -> Payload)?
  /// Has a file manager show folders in one of its views.
  var chooseView: ((FieldDesktop, NeighbourOptions.View) throws -> Void)?
  /// Something that it is not to take, and where.
  var refused: (payload: Payload, places: [String])?
  /// Brings its window into the state in which it does not take that.
  var makeRefusing: ((FieldDesktop, Window) throws -> Void)?
  /// Harm that is done before the drop, and judged with it.
  var attack: ((FieldDesktop) throws -> Void)?
  /// The place that throws files away.
  var trash: [String] = []
  /// Whether it takes several files in one drop, and shows each of them.
  var takesSeveral = false
  /// The tab of the page or document, where it has one.
  var tab: [String] = []
  /// A target made for a lie: what its success says nothing about.
  var isLiar = false
  /// It is ended in the moment in which it asks something.
  var killsWhenAsked = false
  var scenarios: Set<Scenario>?
  /// A session beside the screen reader of its own; else the one of every program.
  var listen: ((Case, FieldDesktop) throws -> HeardSession)?
  /// The end of the session of every program.
  var listenFurther: ((HeardSession) throws -> Void)?
  /// Seconds until its places are there on a busy machine.
  var patience = 20.0
  /// Seconds until all that a drop starts is done.
  var settling = 1.5

  /// A menu or dialog, and the keys that answer it.
  struct Question {
    var copy: [String]
    var move: [String]
    var cancel = ["Escape"]
    /// Options without which it offers no move.
    var moveOptions: [String] = []
  }

  static let note = Payload(file: "Inbox/drop.txt", contents: Data("Call the baker\n".utf8))
  /// Those that come along with the payload where several are dropped.
  var companions: [Payload] {
    let ending = payload.name.split(separator: ".").last ?? "txt"
    return ["more", "last"].map { name in
      let contents = ending == "txt" ? Data("The words of \(name)\n".utf8) : payload.contents
      return Payload(file: "Inbox/\(name).\(ending)", contents: contents)
    }
  }
  static let box = Payload(file: "Inbox/Box", contents: Data())
  static let words = "some words to carry"

  /// The row's programs, in the table's order.
  static var all: [Recipe] {
    fileManagers + editors + browsers + documents + media + collections + workbenches + liars
      + hostileWindows + hostilePeers + hostileHomes + readerSessions
  }

  /// Scenarios that make sense for it.
  func takes(_ scenario: Scenario) -> Bool {
    // A lie is heard as the truth is.
    if scenario == .heard { return !isLiar }
    if scenario == .neighbours { return chooseView != nil }
    if let scenarios { return scenarios.contains(scenario) }
    return switch scenario {
    case .heard, .neighbours: true
    case .fileIn, .busy, .busyLater, .killed, .killedLater: !places.isEmpty
    case .fileOut: selectFile != nil
    case .textIn: !textPlaces.isEmpty
    case .textOut: selectText != nil
    case .refuse: refused != nil
    case .cancel, .unrelated: question != nil || asksAtClash
    case .several: folder != nil || takesSeveral
    case .oneOfSeveral: folder != nil && refused?.payload.file != nil
    case .folderIn, .move: question != nil && folder != nil || asksAtClash
    case .link: asksAtClash
    case .trash: !trash.isEmpty
    case .tab: !tab.isEmpty
    }
  }

  /// Why it cannot run here.
  var obstacle: String? {
    let missing = files.first { access($0, F_OK) != 0 }
    return missing == nil ? nil : "apt-get install \(package)"
  }
}

/// The columns of the table.
enum Scenario: String, CaseIterable, Codable {
  case fileIn = "file in"
  case folderIn = "folder in"
  /// Three files in one drop.
  case several
  /// The same, where one of them lies there already.
  case oneOfSeveral = "one not"
  case fileOut = "file out"
  case textIn = "text in"
  case textOut = "text out"
  case refuse
  case cancel
  case move
  case link
  case unrelated
  case trash
  case tab
  case busy
  case busyLater = "busy later"
  case killed
  case killedLater = "killed later"
  case heard
  /// Each folder of a window is dropped on. Run only where it is named.
  case neighbours
}
