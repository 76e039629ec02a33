import Foundation
import KeyDragCore
import Testing

@testable import KeyDragConfiguration

private func read(_ text: String) throws(ConfigurationProblem) -> ProgramProfile {
  try ProfileFile.read(Array(text.utf8), from: "/c/keydrag/profiles/Thunar.yaml")
}

@Suite("Profiles are read setting by setting")
struct ProfileReaderTests {
  @Test("every setting is read")
  func all() throws {
    let profile = try read(
      """
      program: thunar
      class: [Thunar, "thunar-*"]
      toolkit: gtk
      generic: false
      title-until: "-#.# ("
      rules:
        - role: [table cell, icon]
          called: "Docs*"
          together: [[Places, Devices], ["Orte*", Geräte, Netzwerk]]
          attribute: {id: "a?", class: b}
          state: [showing, multi-line]
          inside: directory pane
          outside: [menu, combo box]
          drop: true
          view: true
          drag: files
          name: "{title} in {name}"
          word: folder-view
          accepts: [text/uri-list, text/plain]
          operation: link
          route: menu
          may-accept: true
          scrolls-by-pointer: true
          details-key: Ctrl+2
          positions: [before, after]
          parts:
            background: [0, 0.5, 1, 1]
            the lid: [0, 0, 1, 0.5]
          each-cell: true
      """)
    var rule = ElementRule(
      ElementRule.Condition(
        roles: ["table cell", "icon"], name: NamePattern("Docs*"),
        attributes: ["id": NamePattern("a?"), "class": NamePattern("b")],
        states: [.showing, .multiLine], inside: ["directory pane"],
        outside: ["menu", "combo box"]),
      traits: PlaceTraits(
        isDropPoint: true, isView: true, source: .files,
        accepts: ["text/uri-list", "text/plain"], operation: .link, route: .menu,
        acceptsEverything: true, scrollsByPointer: true, positions: [.before, .after]),
      name: .template("{title} in {name}"), word: .role(.folderView),
      parts: [
        ElementRule.Part(word: .role(.background), left: 0, top: 0.5, right: 1, bottom: 1),
        ElementRule.Part(word: .text("the lid"), left: 0, top: 0, right: 1, bottom: 0.5),
      ],
      isForEachCell: true)
    rule.traits.detailsKey = KeyStroke(name: "ctrl+2")
    rule.condition.sets = [["Places", "Devices"], ["Orte*", "Geräte", "Netzwerk"]].map {
      $0.map { NamePattern($0) }
    }
    var expected = ProgramProfile(
      name: "thunar", programs: [NamePattern("thunar")],
      classes: [NamePattern("Thunar"), NamePattern("thunar-*")],
      toolkits: [NamePattern("gtk")], rules: [rule], usesGenericRules: false)
    expected.titleEnd = "-#.# ("
    #expect(profile == expected)
  }

  @Test("a key has a name that keys have", arguments: ["ctrl+", "hyper+2", "[ctrl+2]"])
  func detailsKey(_ value: String) {
    #expect(throws: ConfigurationProblem.self) {
      try read("program: a\nrules: [{role: icon, details-key: \(value)}]")
    }
  }

  @Test("names of which one alone is none are several", arguments: ["[[Places]]", "[]", "Places"])
  func together(_ value: String) {
    #expect(throws: ConfigurationProblem.self) {
      try read("program: a\nrules: [{role: icon, together: \(value)}]")
    }
  }

  @Test(
    "where a name comes from",
    arguments: [
      ("name", .name), ("label", .label), ("title", .title), ("{name}!", .template("{name}!")),
    ] as [(String, ElementRule.NameSource)])
  func nameSources(_ text: String, _ source: ElementRule.NameSource) throws {
    let profile = try read("program: a\nrules: [{role: icon, name: \"\(text)\"}]")
    #expect(profile.rules.first?.name == source)
  }

  @Test(
    "what is wrong is told with its place, its reason and the remedy, and the profile is left out",
    arguments: [
      (
        "program: a\nrulez: []", 2, 1,
        #"There is no setting "rulez". Did you mean "rules"? This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules:\n  - role: icon\n    scrol-by-pointer: true", 4, 5,
        #"There is no setting "scrol-by-pointer". Did you mean "scrolls-by-pointer"? This profile is left out until it is mended."#
      ),
      (
        "program: []", 1, 10,
        #""program" must be a name or a list of names, not a list. This profile is left out until it is mended."#
      ),
      (
        "rules: []", 1, 1,
        #""program" must be a name or a list of names, not empty. This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules:\n  - drop: true", 3, 5,
        #""role" must be a name or a list of names, not empty. This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules: drop", 2, 8,
        #""rules" must be a list of at most 200 rules, not "drop". This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules: [{role: icon, drop: maybe}]", 2, 28,
        #""drop" must be true or false, not "maybe". This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules: [{role: icon, drag: unknown}]", 2, 28,
        #""drag" must be files, text, image or link, not "unknown". This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules: [{role: icon, route: peer}]", 2, 29,
        #""route" must be xdnd, menu or pointer, not "peer". This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules: [{attribute: id}]", 2, 21,
        #""attribute" must be a list of attribute, colon, value, not "id". This profile is left out until it is mended."#
      ),
      (
        "program: a\nrules: [{role: icon, parts: {icon: [0, 0, 2, 1]}}]", 2, 36,
        #""parts" must be parts with left, top, right and bottom from 0 to 1, not a list. This profile is left out until it is mended."#
      ),
      (
        "program: a\nprogram: b", 1, 1,
        #""program" is set more than once. Keep one. This profile is left out until it is mended."#
      ),
      (
        "program: a: b", 1, 11,
        "This is not YAML: a colon is too many, or the line before is wrong. This profile is left out until it is mended."
      ),
      (
        "words", 1, 1,
        "Settings are written as name, colon, value, one on each line. This profile is left out until it is mended."
      ),
      (
        "program: &a x\nclass: *a", 1, 10,
        "Anchors and aliases are not understood. Write the value out, or put it in quotes. This profile is left out until it is mended."
      ),
    ])
  func wrong(_ text: String, _ line: Int, _ column: Int, _ sentence: String) {
    #expect {
      try read(text)
    } throws: {
      guard let problem = $0 as? ConfigurationProblem else { return false }
      #expect(problem.words(in: Phrasebook()) == sentence)
      #expect(problem.place == ConfigurationPlace(line: line, column: column))
      return problem.file == "Thunar.yaml"
    }
  }

  @Test(
    "parts lie within their element and have a size",
    arguments: [
      "[0, 0, 1]", "[0, 0, 1, 1, 1]", "[a, 0, 1, 1]", "[-1, 0, 1, 1]", "[nan, 0, 1, 1]",
      "[0.5, 0, 0.5, 1]", "[0, 1, 1, 0]", "whole", "[[0], 0, 1, 1]", "[inf, 0, 1, 1]",
    ])
  func parts(_ numbers: String) {
    #expect(throws: ConfigurationProblem.self) {
      try read("program: a\nrules: [{role: icon, parts: {icon: \(numbers)}}]")
    }
  }

  @Test("sizes are bounded: rules, names, lists of them, brackets and bombs")
  func bounds() {
    let rules = String(repeating: "  - role: icon\n", count: 201)
    let names = Array(repeating: "a", count: 51).joined(separator: ", ")
    var bomb = "a0: &a0 [x]\n"
    for level in 1...40 { bomb += "a\(level): &a\(level) [*a\(level - 1),*a\(level - 1)]\n" }
    for text in [
      "program: a\nrules:\n\(rules)", "program: [\(names)]",
      "program: \(String(repeating: "a", count: 201))", bomb,
      String(repeating: "[", count: 100_000), String(repeating: "{a: ", count: 100_000),
    ] {
      #expect(throws: ConfigurationProblem.self) { try read(text) }
    }
  }

  @Test("control characters of a file reach nobody")
  func control() {
    #expect {
      try read("program: a\n\"ru\\e[31mles\": 1")
    } throws: {
      let words = ($0 as? ConfigurationProblem)?.words(in: Phrasebook()) ?? ""
      return words.hasPrefix("There is no setting \"ru\u{FFFD}[31mles\".")
    }
  }
}

@Suite("What the guide says of profiles is true")
struct ProfileGuideTests {
  private func guide() throws -> String {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Sources/KeyDrag/KeyDrag.docc/Guide/Settings-and-profiles.md")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test("the example is a profile")
  func example() throws {
    let text = try guide()
    let after = try #require(text.components(separatedBy: "<!-- a profile -->\n```yaml\n").last)
    let profile = try read(try #require(after.components(separatedBy: "```").first))
    #expect(profile.rules.count == 4)
    #expect(profile.rules[0].name == .title)
    #expect(profile.rules[2].parts.count == 2)
  }

  @Test("every word for a place is named", arguments: PlaceRole.allCases)
  func words(_ role: PlaceRole) throws {
    #expect(try guide().contains("`\(role.rawValue)`"))
  }
}

@Suite("Profiles come from the person's folder and with the program")
struct ProfileFileTests {
  @Test("those that are shipped are all read, each by its name")
  func shipped() {
    #expect(ProfileFile.shipped.problems == [])
    #expect(
      ProfileFile.shipped.profiles.map(\.name) == [
        "caja", "chromium", "dolphin", "firefox", "gimp", "libreoffice-calc",
        "libreoffice-impress", "libreoffice-writer", "nautilus", "nemo", "nemo-desktop", "pcmanfm",
        "pcmanfm-qt", "terminal", "thunar", "xfdesktop",
      ])
    #expect(ProfileFile.shipped.profiles.allSatisfy { !$0.rules.isEmpty })
  }

  @Test("without a folder the shipped ones are used")
  func folderMiss() throws {
    let folder = try TemporaryFolder()
    for environment in [["XDG_CONFIG_HOME": folder.path], [:]] {
      let loaded = ProfileFile.load(environment: environment)
      #expect(loaded.profiles == ProfileFile.shipped.profiles)
      #expect(loaded.problems.isEmpty)
    }
  }

  @Test("the person's own come first and replace the shipped one of their name")
  func own() throws {
    let folder = try folder([
      ("thunar.yaml", "program: mine"), ("other.yaml", "class: Other"),
      (".hidden.yaml", "]"), ("notes.txt", "]"),
    ])
    let loaded = ProfileFile.load(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(loaded.problems.isEmpty)
    #expect(loaded.profiles.prefix(2).map(\.name) == ["other", "thunar"])
    #expect(loaded.profiles.count(where: { $0.name == "thunar" }) == 1)
    #expect(loaded.profiles.count == ProfileFile.shipped.profiles.count + 1)
  }

  @Test("one that can't be read is told once and left out; the others and the shipped one work")
  func broken() throws {
    let folder = try folder([
      ("thunar.yaml", "program: [\nrules: 7"), ("other.yaml", "class: Other"),
    ])
    _ = folder.folder("keydrag/profiles/folder.yaml")
    _ = folder.fifo("keydrag/profiles/pipe.yaml")
    let loaded = ProfileFile.load(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(loaded.problems.map(\.file) == ["folder.yaml", "pipe.yaml", "thunar.yaml"])
    #expect(loaded.problems.allSatisfy { $0.subject == .profile })
    #expect(loaded.profiles.first?.name == "other")
    #expect(loaded.profiles.contains { $0.name == "thunar" && !$0.rules.isEmpty })
  }

  @Test("bytes that are not UTF-8, and too many of them, are told with their reason")
  func bytes() throws {
    let folder = try folder([])
    _ = folder.file("keydrag/profiles/a.yaml", Array("program: ".utf8) + [0xFF])
    _ = folder.file(
      "keydrag/profiles/b.yaml", [UInt8](repeating: UInt8(ascii: "#"), count: 1_048_577))
    let loaded = ProfileFile.load(environment: ["XDG_CONFIG_HOME": folder.path])
    #expect(loaded.problems.map(\.kind) == [.notUTF8, .tooLarge])
  }

  @Test(
    "the folder is beside the settings",
    arguments: [
      (["XDG_CONFIG_HOME": "/c"], "/c/keydrag/profiles"),
      (["HOME": "/h"], "/h/.config/keydrag/profiles"), ([:], nil),
    ] as [([String: String], String?)])
  func place(_ environment: [String: String], _ path: String?) {
    #expect(ProfileFile.folder(environment) == path)
  }

  private func folder(_ files: [(String, String)]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = folder.folder("keydrag")
    _ = folder.folder("keydrag/profiles")
    for (name, text) in files { _ = folder.file("keydrag/profiles/\(name)", text.utf8) }
    return folder
  }
}
