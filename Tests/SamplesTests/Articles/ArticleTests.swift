import Foundation
import KeyDrag
import Synchronization
import Testing

/// The articles of the library's documentation, held to the code that they show.
@Suite struct ArticleTests {
  @Test(
    "Each piece of Swift in the articles stands in code that is compiled", arguments: Article.all)
  func code(_ article: Article) throws {
    let compiled = try Article.compiled().map(Article.lines)
    let blocks = article.blocks.filter { $0.language == "swift" && $0.mark.isEmpty }
    // These tell of the whole, in words, pictures and a table.
    #expect(
      !blocks.isEmpty
        || ["KeyDrag.md", "Architecture.md", "From-UIKit.md", "What-KeyDrag-trusts.md"]
          .contains(article.name)
    )
    for block in blocks {
      let lines = Article.lines(block.text)
      #expect(
        lines.count > 1 || article.name == "A-list-in-order.md")
      #expect(compiled.contains { $0.contains(lines) }, "\(block.text)")
    }
  }

  @Test("The five steps together are the program that runs here, in their order")
  func steps() throws {
    let article = try #require(Article.all.first { $0.name == "Adopt-KeyDrag-in-five-steps.md" })
    let blocks = article.blocks.filter { $0.language == "swift" && $0.mark.isEmpty }
    let example = try String(contentsOf: Article.example, encoding: .utf8)
    #expect(blocks.map(\.text).joined(separator: "\n") == example)
  }

  @Test("The dependency in the first step names the package and its library")
  func dependency() throws {
    let article = try #require(Article.all.first { $0.name == "Adopt-KeyDrag-in-five-steps.md" })
    let block = try #require(article.blocks.first { $0.mark == "Package.swift" })
    let manifest = try String(
      contentsOf: Article.top.appending(path: "Package.swift"), encoding: .utf8)
    for name in ["KeyDrag", "KeyDragApp"] {
      #expect(manifest.contains(#".library(name: "\#(name)", targets: ["\#(name)"])"#))
      #expect(block.text.contains(#".product(name: "\#(name)", package: "KeyDrag")"#))
    }
    // The newest version in the list of changes; the package manager takes the name of the package
    // from the end of the address.
    let changes = try String(
      contentsOf: Article.top.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let version = try #require(changes.firstMatch(of: /\n## \[([^\]]*)\]/)).output.1
    #expect(
      block.text.contains(
        #".package(url: "https://example.org/keydrag.git", from: "\#(version)")"#))
  }

  @Test("H03: a reader of the five steps hears what they promise")
  func adoption() async throws {
    let heard = Mutex<[String]>([])
    await lend(shelf(of: [Book(title: "Flatland", author: "Edwin Abbott")])) { message in
      // On a slow machine the drop is said to be under way.
      if message.id != "delivering" { heard.withLock { $0.append(message.text) } }
    }
    let lines = heard.withLock { $0 }
    for name in ["Adopt-KeyDrag-in-five-steps.md", "KeyDrag.md"] {
      let article = try #require(Article.all.first { $0.name == name })
      let block = try #require(article.blocks.first { $0.mark == "heard" })
      #expect(lines.suffix(block.lines.count) == block.lines[...])
    }
  }

  @Test("What is dropped as text is read as a book, or refused with a reason")
  func reading() async throws {
    let book = Book(title: "Flatland", author: "Edwin Abbott")
    let bytes = try await book.represented(as: "text/plain", progress: LoadProgress())
    #expect(try Book(dragged: bytes, contentType: "text/plain") == book)
    #expect(throws: Reason.malformed) {
      try Book(dragged: Array("Flatland".utf8), contentType: "text/plain")
    }
  }
}

/// A page of the catalogue.
struct Article: Sendable, CustomTestStringConvertible {
  /// A block of code, with the language after its first fence and the comment before it.
  struct Block: Sendable {
    var mark: String
    var language: String
    var text: String

    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  var name: String
  var blocks: [Block] = []

  var testDescription: String { name }

  static let top = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let example = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "AdoptionExample.swift")

  /// The pages; none where the catalogue can't be read, which makes the tests that need one fail.
  static let all: [Article] = {
    let folder = top.appending(path: "Sources/KeyDrag/KeyDrag.docc").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".md") }.sorted().compactMap { name in
      (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)).map {
        Article(name, $0)
      }
    }
  }()

  /// The text of each file that the articles may quote.
  static func compiled() throws -> [String] {
    let samples = top.appending(path: "Sources/Samples").path
    let names = try FileManager.default.subpathsOfDirectory(atPath: samples)
    let files = names.filter { $0.hasSuffix(".swift") }.map { "\(samples)/\($0)" }
    return try ([example.path] + files).map { try String(contentsOfFile: $0, encoding: .utf8) }
  }

  init(_ name: String, _ text: String) {
    self.name = name
    var mark = ""
    var open: Block?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block = open { blocks.append(block) }
        open = open == nil ? Block(mark: mark, language: String(line.dropFirst(3)), text: "") : nil
        mark = ""
      } else if open != nil {
        open?.text += line + "\n"
      } else if line.hasPrefix("<!-- "), line.hasSuffix(" -->") {
        mark = String(line.dropFirst(5).dropLast(4))
      }
    }
  }

  /// What counts when code is compared: neither indentation nor empty lines.
  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }
}
