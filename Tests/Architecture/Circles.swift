import RegexBuilder

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
      for match in code.matches(of: Self.declaration) {
        owners[match.output.1, default: []].insert(file)
      }
    }
    edges = codes.enumerated().map { file, code in
      let words = Set(code.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
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
    file.code.map { $0.text.replacing(text, with: "") }.joined(separator: "\n")
  }

  private static var text: Regex<Substring> { /"(?:\\.|[^"\\])*"/ }

  private static var declaration: Regex<(Substring, Substring)> {
    Regex {
      Anchor.startOfLine
      ZeroOrMore {
        ChoiceOf {
          "public "
          "package "
          "private "
          "fileprivate "
          "internal "
          "final "
          "indirect "
          "nonisolated "
          #/@\w+(?:\([^)]*\))? /#
        }
      }
      ChoiceOf {
        "struct "
        "class "
        "enum "
        "protocol "
        "actor "
        "typealias "
      }
      Capture { /[A-Z]\w*/ }
    }
  }
}
