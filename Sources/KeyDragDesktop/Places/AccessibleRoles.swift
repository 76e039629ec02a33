import KeyDragCore

/// Role names of the AT-SPI specification that matter for places; toolkits differ in their use.
package enum AccessibleRoles {
  /// Items of a list; their contents belong to them.
  static let rows: Set<String> = ["list item", "table row", "tree item", "table cell"]
  /// Toolkits expose a table as its cells, without rows.
  static let cell = "table cell"
  static let columnHeader = "table column header"
  /// Lists of any kind, each one place that contains its rows.
  static let containers: Set<String> = [
    "table", "tree table", "tree", "list", "list box", "directory pane",
  ]
  static let tabs: Set<String> = ["page tab"]
  /// Elements with text, editable or not.
  static let texts: Set<String> = [
    "text", "entry", "editbar", "paragraph", "section", "combo box",
  ]
  /// Texts in which a person may type.
  static let fields: Set<String> = ["text", "entry"]
  /// Elements that a label beside them may name.
  static let controls: Set<String> = fields.union(["combo box", "editbar"]).union(settable)
    .union(trail).union(containers)
  /// Controls whose parts are one with them.
  static let wholes: Set<String> = controls.subtracting(containers)
  /// Controls that are never places.
  private static let settable: Set<String> = ["spin button", "slider", secret]
  /// Elements that report their children in reading order.
  static let ordered: Set<String> = containers.union(documents).union(iconViews)
  /// A label in one of these names something in it.
  static let scopes: Set<String> = rows.union(containers).union(tabs).union(documents)
    .union(["tool bar", statusBar])
  /// Parts of a document, each with lines of its own.
  static let paragraphs: Set<String> = ["paragraph", "section", "heading"]
  /// The contents of a file, with everything embedded in it.
  static let documents: Set<String> = [
    "document web", "document frame", "document text", "document spreadsheet",
    "document presentation", "document email", "html container",
  ]
  /// Web pages, which have rules of their own.
  static let web: Set<String> = ["document web"]
  /// Areas that a program draws itself.
  static let canvases: Set<String> = ["canvas", "drawing area"]
  /// Roles of areas that a program draws itself: only it knows what is selected there.
  static let untelling: Set<String> = canvases.union(panels)
    .union(["frame", "filler", "unknown", "viewport", "scroll pane", "layered pane", "root pane"])
  static let icons: Set<String> = ["icon"]
  static let iconViews: Set<String> = ["layered pane", "directory pane", "desktop frame"]
  /// Icon views without another role: places if they contain icons.
  static let bareIconViews: Set<String> = [pages, "desktop frame"]
  static let terminals: Set<String> = ["terminal"]
  static let images: Set<String> = ["image"]
  static let links: Set<String> = ["link"]
  /// Roles that links and pictures may have; only these are asked for an address.
  static let leading: Set<String> = links.union(images).union(labels).union(icons)
    .union(["push button", "heading"])
  /// Places only where their program says what can be dropped there.
  static let areas: Set<String> = ["panel", "section", "grouping", "landmark"]
  /// Areas that programs draw themselves, and containers.
  static let panels: Set<String> = ["panel"]
  /// A stack of pages in Qt, an icon view in other toolkits.
  static let pages = "layered pane"
  /// Roles that may be a part of a window to drop on, where nothing else says so.
  static let guessed: Set<String> = panels.union(labels).union([pages])
  /// Roles whose name also applies to the one thing in them.
  static let surroundings: Set<String> = panels.union(tabs).union([
    "scroll pane", "internal frame", "viewport", "tool bar", dock,
  ])
  /// A part of a window that may become a window of its own.
  private static let dock = "frame"
  /// A popup over the window is not a place during a drag.
  static let menus: Set<String> = ["combo box", "menu", "menu bar", "popup menu"]
  /// Static text.
  static let labels: Set<String> = ["label", "static"]
  static let choice = "combo box"
  /// Elements whose text is only about themselves.
  static let captioned: Set<String> = ["push button", "toggle button"]
  /// The roles that have the focus in a list of files.
  static let rowsAndLists: Set<String> = rows.union(icons).union(iconViews).union(containers)
    .union(["table row"])
  /// The roles of the parts of a path bar.
  static let trail: Set<String> = switches.union(["push button", "check box"])
  /// Containers whose fields hold settings, such as the font size or the page to go to.
  static let settings: Set<String> = ["tool bar", "combo box"]
  /// Buttons that stay pressed; path bars have little else.
  static let switches: Set<String> = ["toggle button", "radio button"]
  /// Interrupts a person to tell or to ask.
  static let alert = "alert"
  /// A window that asks before anything else goes on.
  static let dialog = "dialog"
  /// Windows that ask or tell, and show no document.
  static let dialogs: Set<String> = [alert, dialog, "file chooser", "notification"]
  /// Messages in a window about its document.
  static let notices: Set<String> = [alert, "info bar", "notification"]
  static let statusBar = "status bar"
  static let telling: Set<String> = notices.union([statusBar]).union(labels)
  /// Signs of activity or progress.
  static let progress: Set<String> = ["progress bar", "animation"]
  /// A password field, which is never a place.
  static let secret = "password text"
  /// Roles that clip the elements in them.
  static let edges: Set<String> = containers.union([
    "scroll pane", "viewport", "layered pane", "internal frame",
  ])
  /// The whole window, for programs that expose no contents.
  package static let window = "window"

  package static func wanted(for profile: ProgramProfile?) -> Set<String> {
    var result = rows.union(containers).union(tabs).union(texts).union(documents)
    result.formUnion(canvases.union(icons).union(iconViews).union(terminals).union(images))
    result.formUnion(links.union(areas).union(labels).union(edges).union(settings).union(settable))
    result.formUnion([columnHeader, dock])
    // A profile says where names come from.
    if profile == nil { result.formUnion(captioned) }
    for rule in profile?.rules ?? [] {
      result.formUnion(rule.condition.roles)
      result.formUnion(rule.condition.inside)
      result.formUnion(rule.condition.outside)
    }
    result.remove(window)
    return result
  }

  /// Whether a program's rules match rows by their present states.
  static func readsRowStates(_ profile: ProgramProfile?) -> Bool {
    (profile?.rules ?? []).contains { rule in
      let (roles, states) = (rule.condition.roles, rule.condition.states)
      return !states.isEmpty && (roles.isEmpty || !roles.isDisjoint(with: rows))
    }
  }

  /// The kind of place for an element of a role; an area by default.
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
  /// For programs without a profile of their own. Rules are tried in order, and the first match
  /// counts.
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
      // Read-only text can still be dragged out of.
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
      // Only with a name or some text, and with no place in or around them: most are mere
      // containers.
      rule(
        AccessibleRoles.guessed, outside: AccessibleRoles.documents.union(AccessibleRoles.menus),
        .area, PlaceTraits(isDropPoint: true)),
    ])

  private static func rule(
    _ roles: Set<String>, states: ElementStates = [], inside: Set<String> = [],
    outside: Set<String> = [], _ word: PlaceRole?, _ traits: PlaceTraits
  ) -> ElementRule {
    ElementRule(
      ElementRule.Condition(roles: roles, states: states, inside: inside, outside: outside),
      traits: traits, word: word.map { .role($0) })
  }
}
