import KeyDrag
import Synchronization

/// A list of an app with many rows, at a pick-up and when it grows.
enum ListBenchmark {
  static let benchmark = Benchmark(name: "list", about: "a program's list of 10,000 rows") {
    sizes, _ in
    let count = sizes.files
    var (inserts, words, places): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<max(sizes.pairs, 5) {
      let host = DragHost()
      let list = DragList<Row>(
        "List", in: host, accepting: Row.self,
        source: { row in DragHost.Source(row.suggestedName) { row } }, rows: { [$0] })
      let rows = (0..<count).map { Row(suggestedName: "row \($0)") }
      inserts.append(Clock.time { list.insert(rows) })
      let heard = Arrivals<String>()
      let controller = host.begin { heard.add($0.id) }
      func wait(_ id: String) { while heard.next() != id {} }
      wait("ready")
      words.append(
        Clock.time {
          controller.press(KeyStroke(.space))
          wait("picked-up")
        })
      places.append(
        Clock.time {
          controller.press(KeyStroke(.tab))
          wait("drop-point")
          wait("drop-point")
        })
      await controller.end()
    }
    return [
      .time("\(count) rows put into a list", Median.of(inserts), atMost: 100e-3),
      .time(
        "from the key to the first word of a pick-up among them", Median.of(words), atMost: 20e-3),
      .time("from there to the next place", Median.of(places)),
    ]
  }
}

private struct Row: DragRepresentable, DropReadable {
  static let representedTypes = ["text/plain"]
  static let acceptedTypes = representedTypes
  var suggestedName: String

  init(suggestedName: String) { self.suggestedName = suggestedName }
  init(dragged data: [UInt8], contentType: String) {
    suggestedName = String(decoding: data, as: UTF8.self)
  }
  func represented(
    as contentType: String, progress: LoadProgress
  ) async throws -> [UInt8] { Array(suggestedName.utf8) }
}
