import KeyDragCore
import KeyDragDesktop
import Testing

/// Elements written down one a line, as trees of real programs were read:
///
///     table 'Files' 0,20,300,200 showing
///       table cell 'notes.txt' 0,40,300,20 showing {grabbed: true}
///
/// Two blanks a level; no rectangle where the program gives none.
enum TreeText {
  private static let states: [Substring: ElementStates] = [
    "showing": .showing, "visible": .visible, "editable": .editable, "focused": .focused,
    "selected": .selected, "focusable": .focusable, "multi-line": .multiLine,
  ]

  static func elements(_ text: String) -> [ElementFacts] {
    var result: [ElementFacts] = []
    var open: [(depth: Int, index: Int)] = []
    for line in text.split(separator: "\n") {
      let depth = line.prefix { $0 == " " }.count
      open.removeAll { $0.depth >= depth }
      var element = element(line.drop { $0 == " " }, number: result.count)
      element.parent = open.last?.index
      open.append((depth, result.count))
      result.append(element)
    }
    return result
  }

  private static func element(_ line: Substring, number: Int) -> ElementFacts {
    let parts = line.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
    precondition(parts.count == 3, "a line is: role 'name' x,y,width,height states {attributes}")
    var element = ElementFacts(
      id: ElementID(program: ":1.7", path: "/\(number)"),
      role: String(parts[0].dropLast()), name: String(parts[1]))
    let rest = parts[2].split(separator: "{", maxSplits: 1)
    for word in (rest.first ?? "").split(separator: " ") {
      if let state = states[word] {
        element.states.insert(state)
        continue
      }
      let numbers = word.split(separator: ",").compactMap { Int($0) }
      precondition(numbers.count == 4, "neither a state nor a rectangle: \(word)")
      element.rectangle = ScreenRectangle(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    guard rest.count == 2 else { return element }
    for pair in rest[1].dropLast().split(separator: ", ") {
      let sides = pair.split(separator: ": ", maxSplits: 1)
      element.attributes[String(sides[0])] = String(sides[1])
    }
    element.index = element.attributes.removeValue(forKey: "posinset").flatMap { Int($0) }
    element.total = element.attributes.removeValue(forKey: "setsize").flatMap { Int($0) }
    return element
  }
}

/// A window with its elements.
struct Stage {
  var elements: [ElementFacts]
  var window: WindowFacts
  var program: ProgramFacts
  var profile: ProgramProfile?
  var actions: [ElementID: Set<String>] = [:]

  init(
    _ tree: String, title: String = "", class className: String = "", program: String = "",
    toolkit: String = "gtk", version: String = "3.24.38",
    window: ScreenRectangle = ScreenRectangle(x: 0, y: 0, width: 1280, height: 900),
    profile: ProgramProfile? = nil
  ) {
    elements = TreeText.elements(tree)
    self.window = WindowFacts(
      id: WindowID(1), title: title, className: className, processID: nil, rectangle: window,
      isMapped: true, isActive: true)
    self.program = ProgramFacts(
      bus: ":1.7", name: program, toolkit: toolkit, toolkitVersion: version)
    self.profile = profile
  }

  var found: FoundPlaces {
    PlaceFinder.find(
      in: elements, window: window, program: program, profile: profile, actions: actions,
      phrases: Phrasebook())
  }

  var places: [Place] { found.places }

  /// How the places for dropping are told.
  var names: [String] { places.filter(\.traits.isDropPoint).map(\.spokenName) }

  func place(_ name: String) throws -> Place {
    try #require(places.first { $0.spokenName == name }, "there is \(places.map(\.spokenName))")
  }
}
