/// Files of one module that name each other's types in a loop.
///
/// Types are found by their declarations at the beginning of a line, uses by their names.
struct Circles {
  /// Files that must be read together to understand one of them, as they are named at the end of a path.
  static func groups(_ files: [ProjectFile]) -> [[String]] {
    Dictionary(grouping: files.filter { $0.isSwift && $0.module != nil }) { $0.module ?? "" }
      .values.flatMap { Circles($0).found }
  }

  private let names: [String]
  /// For each file the files whose types it names.
  private let edges: [[Int]]
  private var order: [Int?]
  private var low: [Int]
  private var stack: [Int] = []
  private var isOpen: [Bool]
  private var found: [[String]] = []
  private var count = 0

  private init(_ files: [ProjectFile]) {
    names = files.map(\.path)
    let codes = files.map(Self.code)
    var owners: [Substring: Set<Int>] = [:]
    for (file, code) in codes.enumerated() {
      for name in Self.declared(in: code) { owners[name, default: []].insert(file) }
    }
    edges = codes.enumerated().map { file, code in
      let words = Set(code.utf8.split { !Self.isPartOfName($0) }.compactMap(Substring.init))
      return words.reduce(into: Set<Int>()) { $0.formUnion(owners[$1] ?? []) }
        .subtracting([file]).sorted()
    }
    order = files.map { _ in nil }
    low = files.map { _ in 0 }
    isOpen = files.map { _ in false }
    for file in files.indices where order[file] == nil { visit(file) }
  }

  /// Tarjan's algorithm for strongly connected components.
  private mutating func visit(_ file: Int) {
    order[file] = count
    low[file] = count
    count += 1
    stack.append(file)
    isOpen[file] = true
    for next in edges[file] {
      if let seen = order[next] {
        if isOpen[next] { low[file] = min(low[file], seen) }
      } else {
        visit(next)
        low[file] = min(low[file], low[next])
      }
    }
    guard low[file] == order[file], let start = stack.lastIndex(of: file) else { return }
    let group = stack[start...]
    for member in group { isOpen[member] = false }
    if group.count > 1 { found.append(group.map { names[$0] }.sorted()) }
    stack.removeSubrange(start...)
  }

  /// The code without comments and texts.
  private static func code(_ file: ProjectFile) -> String {
    var code: [UInt8] = []
    for (_, line) in file.code {
      var isText = false
      var isEscaped = false
      for byte in line.utf8 {
        if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        if !isText { code.append(byte) }
      }
      code.append(UInt8(ascii: "\n"))
    }
    return String(decoding: code, as: UTF8.self)
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "private", "fileprivate", "internal", "final", "indirect", "nonisolated",
  ]
  private static let kinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The types that are declared at the beginning of a line.
  private static func declared(in code: String) -> [Substring] {
    code.split(separator: "\n").compactMap { line in
      guard let first = line.utf8.first, first != UInt8(ascii: " ") else { return nil }
      let words = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
      guard let kind = words.first, kinds.contains(kind) else { return nil }
      return words.dropFirst().first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    }
  }
}
