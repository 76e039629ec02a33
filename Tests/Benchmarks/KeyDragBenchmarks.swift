import Glibc

/// Runs the benchmarks that are named, or all, and prints a table.
@main
struct KeyDragBenchmarks {
  static let all: [Benchmark] = [
    KeyBenchmark.benchmark, SpeechBenchmark.benchmark, WalkBenchmark.benchmark,
    OpeningBenchmark.benchmark, TransferBenchmark.copies, TransferBenchmark.unflushed,
    TransferBenchmark.moves, LoadBenchmark.benchmark,
    StartBenchmark.benchmark,
    IdleBenchmark.benchmark,
    FlatBenchmark.benchmark, FlatBenchmark.selection, ReaderBenchmark.benchmark,
    ItemsBenchmark.benchmark, ListBenchmark.benchmark, PointsBenchmark.benchmark,
    VerdictBenchmark.benchmark,
    AgentBenchmark.benchmark, ThunarBenchmark.benchmark,
  ]

  static let usage = """
    keydrag-benchmarks [--quick] [--all] [--pairs N] [--drags N] [NAME ...]
    Measures what is promised; without a name, everything. --quick is for a first look only;
    --all shows the first pairs of each.
    \(all.map { "  \($0.name): \($0.about)" }.joined(separator: "\n"))
    """

  static func main() async {
    var sizes = Sizes()
    var names: [String] = []
    var showsPairs = false
    var words = CommandLine.arguments.dropFirst()
    while let word = words.popFirst() {
      switch word {
      case "--quick": sizes = .quick
      case "--all": showsPairs = true
      case "--pairs":
        guard let count = words.popFirst().flatMap({ Int($0) }), count > 0 else { return misused() }
        sizes.pairs = count
      case "--drags":
        guard let count = words.popFirst().flatMap({ Int($0) }), count > 0 else { return misused() }
        sizes.drags = count
      default:
        guard all.contains(where: { $0.name == word }) else { return misused() }
        names.append(word)
      }
    }
    exit(await run(all.filter { names.isEmpty || names.contains($0.name) }, sizes, showsPairs))
  }

  private static func misused() {
    print(usage)
    exit(64)
  }

  private static func run(_ benchmarks: [Benchmark], _ sizes: Sizes, _ showsPairs: Bool) async
    -> Int32
  {
    do {
      let scratch = try Scratch()
      defer { scratch.remove() }
      scratch.takeEnvironment()
      signal(SIGPIPE, SIG_IGN)
      print(Figure.head)
      var isGood = true
      for benchmark in benchmarks {
        do {
          for figure in try await benchmark.run(sizes, scratch) {
            print(figure.row)
            for pair in showsPairs ? figure.pairs : [] { print("  " + pair) }
            if figure.isMet == false { isGood = false }
          }
        } catch {
          print(Figure(benchmark.name, "not measured: \(error)", isMet: false).row)
          isGood = false
        }
        fflush(nil)
      }
      return isGood ? 0 : 1
    } catch {
      print("\(error)")
      return 74
    }
  }
}
