import Foundation

/// Gives each reader of bytes from outside a great many that are nearly right, and tells which of them
/// end the program, keep it for ever, or are read as something that must not be.
@main
struct KeyDragFuzzers {
  static let usage = """
    keydrag-fuzzers [--inputs N] [--seed N] [--corpus FOLDER] [--found FOLDER] [READER ...]
    Reads N inputs (1,000,000) with each reader: the corpus first, then changed ones, the same for each
    seed. What ends the reader is put into the folder of what was found, by the reader's name and the
    input's number.
    """

  static func main() throws {
    #if DEBUG || FUZZERS
      try run()
    #else
      print("The readers are not to be reached in this build. CONTRIBUTING.md has the command.")
      exit(69)
    #endif
  }
}

#if DEBUG || FUZZERS
  extension KeyDragFuzzers {
    private static func run() throws {
      var round = Round()
      var names: [String] = []
      var words = CommandLine.arguments.dropFirst()
      while let word = words.popFirst() {
        switch word {
        case "--inputs": round.inputs = words.popFirst().flatMap { Int($0) } ?? round.inputs
        case "--seed": round.seed = words.popFirst().flatMap { UInt64($0) } ?? round.seed
        case "--corpus": round.corpus = words.popFirst() ?? round.corpus
        case "--found": round.found = words.popFirst() ?? round.found
        // As the program starts itself.
        case "--from": round.first = words.popFirst().flatMap { Int($0) } ?? 0
        case "--progress": round.progress = words.popFirst()
        case _ where word.hasPrefix("-"):
          print(usage)
          exit(64)
        default: names.append(word)
        }
      }
      let readers = FuzzReader.all.filter { names.isEmpty || names.contains($0.name) }
      if let path = round.progress {
        for reader in readers { try round.read(reader, telling: path) }
        return
      }
      var found = 0
      print(Row.head)
      for reader in readers {
        let row = try round.watch(reader)
        found += row.found
        print(row)
        fflush(nil)
      }
      exit(found > 0 ? 1 : 0)
    }
  }

  /// The results of one reader.
  private struct Row: CustomStringConvertible {
    var name: String
    var inputs: Int
    var understood: Int
    var found: Int
    var seconds: Double

    static let head = line("reader", "inputs", "understood", "found", "seconds")

    var description: String {
      Self.line(
        name, "\(inputs)", "\(understood)", "\(found)", "\(Int(seconds.rounded()))")
    }

    private static func line(_ words: String...) -> String {
      words.map { $0.padding(toLength: 18, withPad: " ", startingAt: 0) }.joined()
    }
  }

  /// Which inputs are read, and how far a process has come with them.
  private struct Round {
    var inputs = 1_000_000
    var seed: UInt64 = 1
    var first = 0
    var corpus = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus").path
    var found = "fuzzers-found"
    var progress: String?

    /// No input takes longer, in seconds; most take less than a thousandth.
    private static let patience: UInt32 = 20
    /// More memory than any input may take.
    private static let mostMemory: rlim_t = 8 << 30
    /// After so many finds the rest is not looked for.
    private static let mostFound = 20

    /// Reads all inputs from the first on, and writes down before each that it is being read.
    func read(_ reader: FuzzReader, telling path: String) throws {
      var limit = rlimit(rlim_cur: Self.mostMemory, rlim_max: Self.mostMemory)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
      let seeds = try seeds(of: reader)
      let descriptor = open(path, O_RDWR | O_CLOEXEC)
      let size = MemoryLayout<Progress>.size
      guard descriptor >= 0,
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
        memory != MAP_FAILED
      else { throw CocoaError(.fileReadUnknown) }
      let place = memory.bindMemory(to: Progress.self, capacity: 1)
      for number in first..<count(for: reader) {
        place.pointee.number = number
        alarm(Self.patience)
        if reader.read(input(number, of: reader, seeds)) { place.pointee.understood += 1 }
      }
      alarm(0)
    }

    private func count(for reader: FuzzReader) -> Int {
      max(inputs / reader.share, min(inputs, 100))
    }

    private struct Progress {
      var number = 0
      var understood = 0
    }

    private func input(_ number: Int, of reader: FuzzReader, _ seeds: [[UInt8]]) -> [UInt8] {
      guard !seeds.indices.contains(number) else { return seeds[number] }
      var mutator = Mutator(seed: seed << 32 ^ UInt64(number), words: reader.words)
      return mutator.changed(seeds)
    }

    /// The corpus, in the order of its names, and what the reader has of its own.
    private func seeds(of reader: FuzzReader) throws -> [[UInt8]] {
      let folder = URL(filePath: corpus).appending(path: reader.folder)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      let kept = try names.sorted().map {
        [UInt8](try Data(contentsOf: folder.appending(path: $0)))
      }
      return kept + reader.seeds
    }

    /// Has processes read all inputs; each that ends before its time was ended by an input.
    func watch(_ reader: FuzzReader) throws -> Row {
      let start = ContinuousClock.now
      let path = NSTemporaryDirectory() + "keydrag-fuzzers-\(getpid())"
      defer {
        for end in ["", "-files"] { try? FileManager.default.removeItem(atPath: path + end) }
      }
      var row = Row(name: reader.name, inputs: 0, understood: 0, found: 0, seconds: 0)
      var next = 0
      let inputs = count(for: reader)
      let seeds = try seeds(of: reader)
      while next < inputs, row.found < Self.mostFound {
        try Data(count: MemoryLayout<Progress>.size).write(to: URL(filePath: path))
        let end = try child(reader, from: next, telling: path)
        let told = try Data(contentsOf: URL(filePath: path)).withUnsafeBytes {
          $0.loadUnaligned(as: Progress.self)
        }
        row.understood += told.understood
        next = inputs
        guard let end else { continue }
        row.found += 1
        next = told.number + 1
        let name = "\(reader.folder)-\(seed)-\(told.number)"
        try FileManager.default.createDirectory(atPath: found, withIntermediateDirectories: true)
        try Data(input(told.number, of: reader, seeds)).write(
          to: URL(filePath: found).appending(path: name))
        print("\(reader.name): \(end) at \(found)/\(name)")
      }
      row.inputs = next
      row.seconds = (ContinuousClock.now - start) / .seconds(1)
      return row
    }

    /// How a process ended; `nil` when it read everything.
    private func child(
      _ reader: FuzzReader, from first: Int, telling path: String
    ) throws -> String? {
      let process = Process()
      process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [
        "--inputs", "\(inputs)", "--seed", "\(seed)", "--corpus", corpus, "--from", "\(first)",
        "--progress", path, reader.name,
      ]
      let errors = NSTemporaryDirectory() + "keydrag-fuzzers-\(getpid())-errors"
      try Data().write(to: URL(filePath: errors))
      defer { try? FileManager.default.removeItem(atPath: errors) }
      process.standardError = FileHandle(forWritingAtPath: errors)
      // Its own report of a crash takes seconds each time.
      process.environment = [
        "SWIFT_BACKTRACE": "enable=no", "PATH": "/usr/bin:/bin", "TMPDIR": path + "-files",
      ]
      try FileManager.default.createDirectory(
        atPath: path + "-files", withIntermediateDirectories: true)
      try process.run()
      process.waitUntilExit()
      guard process.terminationReason == .uncaughtSignal || process.terminationStatus != 0 else {
        return nil
      }
      let text = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      let isLate = process.terminationStatus == SIGALRM
      let last = text.split(separator: "\n").last { $0.contains("rror") } ?? ""
      return (isLate ? "no end" : "signal \(process.terminationStatus)")
        + (last.isEmpty ? "" : " (\(last))")
    }
  }
#endif
