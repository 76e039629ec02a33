import KeyDragCore

/// Role names of the AT-SPI specification, as far as places are made of them.
///
/// Every toolkit has its own habits with them.
package enum AccessibleRoles {
  /// One thing in a list; what is in it belongs to it.
  static let rows: Set<String> = ["list item", "table row", "tree item", "table cell"]
  /// Toolkits tell a table by its cells, and not by its rows.
  static let cell = "table cell"
  static let columnHeader = "table column header"
  /// Lists of any kind, each one place with its rows in it.
  static let containers: Set<String> = [
    "table", "tree table", "tree", "list", "list box", "directory pane",
  ]
  /// Elements that open a page of a window.
  static let tabs: Set<String> = ["page tab"]
  /// Elements with text, whether it can be written or not.
  static let texts: Set<String> = [
    "text", "entry", "editbar", "paragraph", "section", "combo box",
  ]
  /// Texts in which a person may type.
  static let fields: Set<String> = ["text", "entry"]
  /// Elements that a label beside them may be for.
  static let controls: Set<String> = fields.union(["combo box", "editbar"]).union(settable)
    .union(trail).union(containers)
  /// Of them those whose parts are one with them.
  static let wholes: Set<String> = controls.subtracting(containers)
  /// Of them those that are nobody's place.
  private static let settable: Set<String> = ["spin button", "slider", secret]
  /// Elements that tell their parts in the order in which they are read.
  static let ordered: Set<String> = containers.union(documents).union(iconViews)
  /// A label in one of these is for something in it.
  static let scopes: Set<String> = rows.union(containers).union(tabs).union(documents)
    .union(["tool bar", statusBar])
  /// Parts of a document, each with lines of its own.
  static let paragraphs: Set<String> = ["paragraph", "section", "heading"]
  /// The contents of a file as a program shows them, with whatever is in them.
  static let documents: Set<String> = [
    "document web", "document frame", "document text", "document spreadsheet",
    "document presentation", "document email", "html container",
  ]
  /// Pages of the web, which have rules of their own.
  static let web: Set<String> = ["document web"]
  /// Areas that a program draws itself.
  static let canvases: Set<String> = ["canvas", "drawing area"]
  /// The roles of what a program draws itself: nobody but it knows what is selected there.
  static let untelling: Set<String> = canvases.union(panels)
    .union(["frame", "filler", "unknown", "viewport", "scroll pane", "layered pane", "root pane"])
  /// One thing in a view of icons.
  static let icons: Set<String> = ["icon"]
  static let iconViews: Set<String> = ["layered pane", "directory pane", "desktop frame"]
  /// Views of icons that have no other role of their own: places where icons lie in them.
  static let bareIconViews: Set<String> = [pages, "desktop frame"]
  /// Elements that shells run in.
  static let terminals: Set<String> = ["terminal"]
  /// Pictures, which can be dragged as pictures.
  static let images: Set<String> = ["image"]
  /// Elements that lead to an address.
  static let links: Set<String> = ["link"]
  /// The roles that links and pictures may have: others are not asked where they lead, which they
  /// can't answer.
  static let leading: Set<String> = links.union(images).union(labels).union(icons)
    .union(["push button", "heading"])
  /// Only programs that say what can be dropped there make places of these.
  static let areas: Set<String> = ["panel", "section", "grouping", "landmark"]
  /// The roles of areas that programs draw themselves, and of elements that hold others.
  static let panels: Set<String> = ["panel"]
  /// Pages of which one is shown, in Qt; other toolkits call a view of icons so.
  static let pages = "layered pane"
  /// The roles that may be a part of a window to drop on, where nothing else says so.
  static let guessed: Set<String> = panels.union(labels).union([pages])
  /// Roles whose name is also that of the one thing in them.
  static let surroundings: Set<String> = panels.union(tabs).union([
    "scroll pane", "internal frame", "viewport", "tool bar",
  ])
  /// A list that opens over the window is not a place while a drag is on.
  static let menus: Set<String> = ["combo box", "menu", "menu bar", "popup menu"]
  /// Words that stand there to be read.
  static let labels: Set<String> = ["label", "static"]
  /// The roles whose elements say themselves what they do: their words are about nothing else.
  static let captioned: Set<String> = ["push button", "toggle button"]
  /// The roles that have the focus in a list of files.
  static let rowsAndLists: Set<String> = rows.union(icons).union(iconViews).union(containers)
    .union(["table row"])
  /// The roles of the parts of a path bar.
  static let trail: Set<String> = switches.union(["push button", "check box"])
  /// In which fields hold settings: the size of the letters, the page to go to.
  static let settings: Set<String> = ["tool bar", "combo box"]
  /// Buttons that stay pressed; path bars are made of little else.
  static let switches: Set<String> = ["toggle button", "radio button"]
  /// In what programs ask. What interrupts a person to tell or to ask.
  static let alert = "alert"
  /// A window that asks before anything else goes on.
  static let dialog = "dialog"
  /// Windows that ask or tell, and show no document.
  static let dialogs: Set<String> = [alert, dialog, "file chooser", "notification"]
  /// What stands in a window beside its document and tells how the program fared with it.
  static let notices: Set<String> = [alert, "info bar", "notification"]
  /// Bars in which programs tell, in one line, how something went.
  static let statusBar = "status bar"
  /// All in which programs tell something in words.
  static let telling: Set<String> = notices.union([statusBar]).union(labels)
  /// What shows that something goes on, and how far it is.
  static let progress: Set<String> = ["progress bar", "animation"]
  /// The role of a password field: it is nobody's place.
  static let secret = "password text"
  /// The roles that cut off the elements in them at their edges.
  static let edges: Set<String> = containers.union([
    "scroll pane", "viewport", "layered pane", "internal frame",
  ])
  /// The whole window, for programs that tell nothing of what is in it.
  package static let window = "window"

  /// The roles that the finder reads for a program.
  package static func wanted(for profile: ProgramProfile?) -> Set<String> {
    var result = rows.union(containers).union(tabs).union(texts).union(documents)
    result.formUnion(canvases.union(icons).union(iconViews).union(terminals).union(images))
    result.formUnion(links.union(areas).union(labels).union(edges).union(settings).union(settable))
    result.insert(columnHeader)
    // The author of a profile says what bears which name.
    if profile == nil { result.formUnion(captioned) }
    for rule in profile?.rules ?? [] {
      result.formUnion(rule.condition.roles)
      result.formUnion(rule.condition.inside)
      result.formUnion(rule.condition.outside)
    }
    result.remove(window)
    return result
  }

  /// Whether a program's rules tell rows apart by what they are just now.
  static func readsRowStates(_ profile: ProgramProfile?) -> Bool {
    (profile?.rules ?? []).contains { rule in
      let (roles, states) = (rule.condition.roles, rule.condition.states)
      return !states.isEmpty && (roles.isEmpty || !roles.isDisjoint(with: rows))
    }
  }

  /// The word that people have for an element of a role.
  ///
  /// Any other role is an area.
  static func word(for role: String) -> PlaceRole {
    switch role {
    case "tree", "tree table": .tree
    case "directory pane": .folderView
    case "icon": .icon
    case "tool bar": .toolbar
    case statusBar: .statusBar
    case "push button", "toggle button": .button
    case "frame", "window", "dialog": .window
    case _ where rows.contains(role): .row
    case _ where containers.union(bareIconViews).contains(role): .list
    case _ where tabs.contains(role): .tab
    case _ where web.contains(role): .page
    case _ where documents.contains(role): .document
    case _ where canvases.contains(role): .canvas
    case _ where terminals.contains(role): .terminal
    case _ where images.contains(role): .image
    case _ where links.contains(role): .link
    case "section", "panel", "grouping", "landmark": .area
    case _ where texts.contains(role): .textField
    default: .area
    }
  }
}

extension ProgramProfile {
  /// For programs without a profile of their own.
  ///
  /// Rules are tried in this order, and the first that fits counts.
  package static let generic = ProgramProfile(
    name: "generic",
    rules: [
      rule(
        AccessibleRoles.rows, outside: AccessibleRoles.web.union(AccessibleRoles.menus), .row,
        PlaceTraits(isDropPoint: true)),
      rule(
        AccessibleRoles.icons, inside: AccessibleRoles.iconViews, .icon,
        PlaceTraits(isDropPoint: true)),
      rule(AccessibleRoles.tabs, .tab, PlaceTraits(isDropPoint: true)),
      rule(
        AccessibleRoles.texts, states: .editable, .textField,
        PlaceTraits(isDropPoint: true, source: .text)),
      // Text that is only read can still be dragged out of.
      rule(["text"], .textField, PlaceTraits(source: .text)),
      rule(AccessibleRoles.documents, nil, PlaceTraits(isDropPoint: true)),
      rule(AccessibleRoles.terminals, .terminal, PlaceTraits(isDropPoint: true, source: .text)),
      rule(AccessibleRoles.canvases, .canvas, PlaceTraits(isDropPoint: true)),
      rule(
        AccessibleRoles.containers, outside: AccessibleRoles.web.union(AccessibleRoles.menus),
        nil, PlaceTraits(isDropPoint: true)),
      rule(AccessibleRoles.bareIconViews, .list, PlaceTraits(isDropPoint: true)),
      rule(AccessibleRoles.images, inside: AccessibleRoles.web, nil, PlaceTraits(source: .image)),
      rule(AccessibleRoles.links, nil, PlaceTraits(source: .link)),
      // Those that bear a name or a sign, with no place in or around them: most only hold other
      // things.
      rule(
        AccessibleRoles.guessed, outside: AccessibleRoles.documents.union(AccessibleRoles.menus),
        .area, PlaceTraits(isDropPoint: true)),
    ])

  /// A rule with the conditions that are given.
  private static func rule(
    _ roles: Set<String>, states: ElementStates = [], inside: Set<String> = [],
    outside: Set<String> = [], _ word: PlaceRole?, _ traits: PlaceTraits
  ) -> ElementRule {
    ElementRule(
      ElementRule.Condition(roles: roles, states: states, inside: inside, outside: outside),
      traits: traits, word: word.map { .role($0) })
  }
}
