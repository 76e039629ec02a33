import Testing

@Suite struct DocumentationRulesTests {
  @Test("every public declaration says what it is")
  func documented() throws {
    let files = try ProjectTree.files()
    let found = files.filter { $0.path.hasPrefix("Sources/KeyDragCore/Items/") }
    #expect(found.count > 5, "the library was not found: the tree was not read")
    #expect(Rules.undocumented(files) == [])
  }

  @Test("only what an app can import is public")
  func reach() throws {
    #expect(Rules.needlesslyPublic(try ProjectTree.files()) == [])
  }

  @Test(
    "a public declaration without a sentence is found, any other is not",
    arguments: [
      ("public struct A {}", 1), ("  public var a: Int", 1), ("  public let a = 1", 1),
      ("// A.\npublic func a() {}", 1), ("///\npublic func a() {}", 1),
      ("/// A.\n\npublic func a() {}", 1),
      ("@discardableResult\npublic func a() {}", 1), ("@discardableResult public func a() {}", 1),
      ("/// A.\npublic var a: Int\npublic var b: Int", 1),
      ("  public subscript(_ a: Int) -> Int { a }", 1),
      ("  public static func < (a: A, b: A) -> Bool { true }", 1), ("  public init() {}", 1),
      ("public private(set) var a = 1", 1), ("extension A {\n  public typealias B = C\n}", 1),
      ("/// A.\npublic enum A {\n  case a\n  /// B.\n  case b\n}", 1),
      ("/// A.\npublic enum A: String {\n  case a = \"{\"\n  case b(Int)\n  indirect case c\n}", 3),
      (
        "/// A.\npublic enum A {\n  var b: Int {\n    switch self {\n    case a: 1\n    }\n  }\n  case a\n}",
        1
      ),
      ("let a = \"\"\"\n  public\n  \"\"\"\npublic let b = 1", 1),
      ("/// A.\nlet a = 1\npublic let b = 1", 1),
      ("/// A.\npublic struct A {}", 0), ("/// A.\n@discardableResult\npublic func a() {}", 0),
      ("/// A.\n@discardableResult public func a() {}", 0), ("struct A {}", 0),
      ("package var a = 1", 0),
      ("public protocol A {\n  var a: Int { get }\n}", 2),
      ("/// A.\npublic protocol A {\n  func a(\n    _ b: Int\n  ) -> Int\n}", 1),
      ("public extension A {\n  func a() {}\n}", 1),
      ("/// A.\npublic enum A:\n  B\n{\n  case a\n}", 1),
      ("/// A.\npublic protocol A {\n  /// B.\n  func a(\n    _ b: Int\n  ) -> Int\n}", 0),
      ("extension A {\n  /// B.\n  public func a() {\n    let b = 1\n  }\n}", 0),
      ("public import A", 0), ("let a = \"public\"", 0),
      ("// public", 0), ("enum A {\n  case a\n}", 0), ("package enum A {\n  case a\n}", 0),
      ("let a = \"\"\"\n  public struct A {}\n  \"\"\"", 0), ("let a = 1  // public var", 0),
      ("/// A.\npublic enum A {\n  /// B.\n  case a\n}\nenum B {\n  case b\n}", 0),
      ("/// A.\n///\n/// - Parameter b: c.\npublic init(b: Int) {}", 0),
    ])
  func rule(_ text: String, _ count: Int) {
    let found = Rules.undocumented([ProjectFile("Sources/KeyDrag/A.swift", text)])
    #expect(found.count == count, "\(text)\n\(found)")
  }

  @Test("a program in a terminal has one type to know, whose call takes a host or what makes one")
  func terminal() throws {
    let files = try ProjectTree.files().filter {
      $0.path.hasPrefix("Sources/KeyDragApp/") && $0.isSwift
    }
    let found = files.flatMap(\.code).map(\.text).filter { $0.contains("public ") }.map {
      $0.trimmingPrefix { $0 == " " }
    }
    #expect(
      found == [
        "public struct TerminalApp: Sendable {",
        "public struct Failure: Error, Hashable, CustomStringConvertible {",
        "public let description: String", "public let status: Int32",
        "public init(_ name: String, in catalogue: (any Catalogue)? = nil, domain: String = \"keydrag\") {",
        "public func run(", "public func run(", "public func session(",
      ])
  }

  @Test("what is public where no app can see it is found")
  func needless() {
    let text = "/// A.\npublic struct A {}"
    let paths = [
      "Sources/Adapters/KeyDragTypes/A.swift", "Sources/keydrag/A.swift", "Sources/KeyDrag/A.swift",
    ]
    #expect(Rules.needlesslyPublic(paths.map { ProjectFile($0, text) }) == Array(paths.prefix(2)))
    #expect(
      Rules.needlesslyPublic([ProjectFile("Sources/keydrag/A.swift", "let a = \"public\"")]) == [])
  }
}
