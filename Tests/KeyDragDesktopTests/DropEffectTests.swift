import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a drop did is seen in the window that it went into")
struct DropEffectTests {
  typealias Sight = DropEffect.Sight

  private func place(_ role: PlaceRole, isCovered: Bool = false) -> Place {
    var place = Place(
      element: element("/place"), name: "Notes", spokenName: "Notes", role: role,
      traits: PlaceTraits(isDropPoint: true), origin: .generic(0))
    place.isCovered = isCovered
    return place
  }

  private func element(_ path: String) -> ElementID { ElementID(program: ":1.7", path: path) }

  /// Names of elements: those in the place are written in brackets.
  private func things(_ names: String...) -> Sight {
    Sight(
      things: Set(
        names.map { name in
          let isInside = name.hasPrefix("[")
          let plain = name.filter { !"[]".contains($0) }
          return DropEffect.Thing(element: element(plain), name: plain, isInside: isInside)
        }))
  }

  @Test(
    "text that has come is found, however it is broken into lines",
    arguments: [
      ("", "file:///tmp/a.txt", DropEffect.landed),
      ("see a.txt", "see a.txt a.txt", .landed),
      ("", "two\n  words\n", .landed),
      ("one", "one two", .changed),
      ("a.txt", "a.txt is here", .changed),
      ("one", "one", .missing),
    ])
  func text(before: String, after: String, effect: DropEffect) {
    let seen = DropEffect(
      from: Sight(text: before), to: Sight(text: after), at: place(.textField),
      wanted: ["a.txt", "two words"])
    #expect(seen == effect)
  }

  @Test(
    "a document that was read whole and stays as it was shows that nothing came, one cut short does not"
  )
  func document() {
    for (length, effect) in [(10, DropEffect.missing), (DropEffect.mostText, .unseen)] {
      var sight = things("Slide 1")
      sight.text = String(repeating: "x", count: length)
      let seen = DropEffect(from: sight, to: sight, at: place(.document), wanted: ["a.txt"])
      #expect(seen == effect)
    }
  }

  @Test("a document or a list of which not all was read shows nothing by staying the same")
  func cut() {
    for (role, isCut, effect) in [
      (PlaceRole.document, false, DropEffect.missing), (.document, true, .unseen),
      (.list, false, .missing), (.list, true, .unseen), (.textField, true, .missing),
    ] {
      var sight = things("[one]")
      sight.text = role == .list ? nil : "one"
      sight.isCut = isCut
      #expect(DropEffect.canShow(sight, at: place(role)) == (effect == .missing))
      #expect(DropEffect(from: sight, to: sight, at: place(role), wanted: ["a.txt"]) == effect)
    }
  }

  @Test("a document of more parts than are read is known to be cut", arguments: [0, 1])
  func parts(more: Int) {
    let window = ElementFacts(id: element("/window"), role: "frame", name: "")
    let document = ElementFacts(
      id: element("/document"), parent: 0, role: "document text", name: "")
    let lines = (0..<(Desktop.mostParts + more)).map {
      ElementFacts(id: element("/\($0)"), parent: 1, role: "paragraph", name: "")
    }
    let beside = ElementFacts(id: element("/beside"), parent: 0, role: "label", name: "")
    let found = Desktop.parts(of: 1, in: [window, document] + lines + [beside])
    #expect(found.parts == Array(lines.prefix(Desktop.mostParts)))
    #expect(found.isCut == (more > 0))
  }

  @Test("a field shows what came into it in its text alone, also where it is gone with its page")
  func fieldOfPage() {
    var before = things("Notes", "Drop page")
    before.text = "one"
    var after = things("Drop page", "a.txt")
    #expect(
      DropEffect(from: before, to: after, at: place(.textField), wanted: ["a.txt"]) == .missing)
    after.text = "one"
    // The page shows beside the field what it was given.
    #expect(
      DropEffect(from: before, to: after, at: place(.textField), wanted: ["a.txt"]) == .changed)
    after.things?.insert(
      DropEffect.Thing(element: element("/tab"), name: "a.txt", isInside: false, isTab: true))
    #expect(
      DropEffect(from: before, to: after, at: place(.textField), wanted: ["a.txt"]) == .missing)
  }

  @Test(
    "a page that names its tab after what came has it; a file in place of the page has not come")
  func ownTab() {
    let area = place(.area)
    func sight(_ tab: String, hasPage: Bool = true) -> Sight {
      var sight = things(tab)
      sight.things = [
        DropEffect.Thing(element: element("/tab"), name: tab, isInside: false, isTab: true)
      ]
      if hasPage, let own = area.element {
        sight.things?.insert(DropEffect.Thing(element: own, name: "Zone", isInside: false))
      }
      return sight
    }
    let before = sight("Drop page")
    #expect(
      DropEffect(from: before, to: sight("Got a.txt"), at: area, wanted: ["a.txt"]) == .landed)
    let gone = sight("a.txt", hasPage: false)
    #expect(DropEffect(from: before, to: gone, at: area, wanted: ["a.txt"]) == .missing)
  }

  @Test(
    "a file that a browser opens in a tab of its own has not come to a part of the page",
    arguments: [
      (PlaceRole.area, DropEffect.missing), (.button, .missing), (.page, .landed), (.tab, .landed),
    ])
  func tab(role: PlaceRole, effect: DropEffect) {
    let before = things("Upload", "Drop page")
    var after = things("Upload", "Drop page")
    after.things?.insert(
      DropEffect.Thing(element: element("/tab"), name: "a.txt", isInside: false, isTab: true))
    #expect(DropEffect(from: before, to: after, at: place(role), wanted: ["a.txt"]) == effect)
  }

  @Test("a text too long to be read whole shows nothing by staying the same")
  func longText() {
    let sight = Sight(text: String(repeating: "x", count: DropEffect.mostText))
    #expect(DropEffect(from: sight, to: sight, at: place(.textField), wanted: ["a"]) == .unseen)
  }

  @Test("a new row of a list is what was dropped into it, whatever it is called")
  func row() {
    let seen = DropEffect(
      from: things("[one]"), to: things("[one]", "[track 2]"), at: place(.list),
      wanted: ["a.ogg"])
    #expect(seen == .landed)
  }

  @Test("a list that can't be read any more proves nothing")
  func unread() {
    for before in [things("beside"), things("[z.txt]")] {
      let seen = DropEffect(from: before, to: Sight(), at: place(.list), wanted: ["a.txt"])
      #expect(seen == .changed)
    }
  }

  @Test("the name of what was dropped is found anywhere in the window")
  func label() {
    let seen = DropEffect(
      from: things("drop here"), to: things("You dropped a.txt"), at: place(.area),
      wanted: ["a.txt"])
    #expect(seen == .landed)
  }

  @Test("something else that changes in the window proves nothing")
  func elsewhere() {
    let seen = DropEffect(
      from: things("12:00"), to: things("12:01"), at: place(.area), wanted: ["a.txt"])
    #expect(seen == .changed)
  }

  @Test(
    "only a list with room left shows by staying the same that nothing came",
    arguments: [
      (PlaceRole.list, false, DropEffect.missing), (.list, true, .unseen), (.area, false, .unseen),
      (.button, false, .unseen),
    ])
  func unchanged(role: PlaceRole, isCovered: Bool, effect: DropEffect) {
    let sight = things("[one]", "two")
    let seen = DropEffect(
      from: sight, to: sight, at: place(role, isCovered: isCovered), wanted: ["a.txt"])
    #expect(seen == effect)
  }

  @Test("what lies in a place is told from what lies beside it")
  func inside() {
    let elements = TreeText.elements(
      """
      frame 'Window'
        list 'Tracks'
          list item 'one'
            label 'deep'
        label 'beside'
      """)
    let inside = DropEffect.things(in: elements, around: elements[1].id).filter(\.isInside)
    #expect(Set(inside.map(\.name)) == ["one", "deep"])
  }

  @Test("the word of a program that says yes to everything is none where nothing of a drop is seen")
  func wordless() {
    let order = DeliveryOrder(
      items: [], stop: DropStop(DropPointID(1)), operation: .copy)
    func outcome(
      _ effect: DropEffect, mayAccept: Bool, wasAsked: Bool = false
    ) -> DeliveryOutcome {
      let place = Place(
        element: nil, name: "Page", spokenName: "Page", role: .page,
        traits: PlaceTraits(isDropPoint: true, mayAccept: mayAccept), origin: .generic(0))
      let end = (Delivering.result(effect, .delivered(.copy), order), Int64?.none)
      return Delivering.believed(end, of: place, order, wasAsked: wasAsked).result.outcome
    }
    #expect(outcome(.landed, mayAccept: true) == .delivered)
    #expect(outcome(.changed, mayAccept: true) == .unconfirmed)
    #expect(outcome(.unseen, mayAccept: true) == .unconfirmed)
    #expect(outcome(.unseen, mayAccept: false) == .delivered)
    // It asked what to do before it did it.
    #expect(outcome(.unseen, mayAccept: true, wasAsked: true) == .delivered)
  }

  @Test(
    "the program's word and what is seen make one outcome",
    arguments: [
      (DragOutcome.delivered(.copy), DropEffect.landed, DeliveryOutcome.delivered, true),
      (.delivered(nil), .changed, .delivered, false),
      (.delivered(.copy), .unseen, .delivered, false),
      (.delivered(.copy), .missing, .unconfirmed, false),
      (.unknown, .landed, .delivered, true),
      (.unknown, .changed, .unconfirmed, false),
      (.refused, .landed, .refused, false),
      (.gone, .unseen, .failed, false),
    ])
  func outcome(
    said: DragOutcome, effect: DropEffect, outcome: DeliveryOutcome, isVerified: Bool
  ) {
    let result = effect.outcome(after: said)
    #expect(result.outcome == outcome)
    #expect(result.isVerified == isVerified)
  }
}
