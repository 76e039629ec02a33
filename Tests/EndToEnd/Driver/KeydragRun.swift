import Glibc
import Testing

/// A run of the program that has ended.
struct KeydragRun: CustomStringConvertible {
  let status: Int
  let records: Records
  let output: String
  let errors: String

  var ids: [String] { records.ids }
  var said: [String] { records.said }

  func first(_ id: String) -> Record? { records.first(id) }
  func last(_ id: String) -> Record? { records.last(id) }

  var description: String { "status \(status)\n\(output)\(errors)" }
}

/// A run whose script is given word by word, so that the world can change in between.
final class LiveRun {
  private let child: ChildProcess
  private(set) var records = Records()
  private var read = 0

  init(_ child: ChildProcess) { self.child = child }

  func type(_ words: String) { child.write(words + "\n") }

  func signal(_ number: Int32) { child.signal(number) }

  /// Waits until a record is as expected, from where the last wait stopped.
  @discardableResult
  func wait(_ what: String, _ isExpected: (Record) -> Bool) throws -> Record {
    while true {
      try parse()
      while read < records.all.count {
        read += 1
        if isExpected(records.all[read - 1]) { return records.all[read - 1] }
      }
      guard try child.readMore(waitingFor: what) else {
        throw ChildProcess.Hung(description: "ended before \(what):\n\(records)")
      }
    }
  }

  /// Waits for an announcement.
  @discardableResult
  func wait(for id: String) throws -> Record {
    try wait(id) { $0.kind == "announcement" && $0.id == id }
  }

  /// Ends the script and waits for the end of the run.
  func finish() throws -> KeydragRun {
    child.closeInput()
    return try ended()
  }

  /// Waits for the end of the run, its script still open.
  func ended() throws -> KeydragRun {
    let status = try child.finish()
    try parse()
    return KeydragRun(
      status: status, records: records, output: String(decoding: child.output, as: UTF8.self),
      errors: String(decoding: child.errors, as: UTF8.self))
  }

  func closeOutput() { child.closeOutput() }

  private var parsed = 0

  private func parse() throws {
    let bytes = child.output
    while let end = bytes[parsed...].firstIndex(of: 0x0A) {
      records.all.append(try Record(line: String(decoding: bytes[parsed..<end], as: UTF8.self)))
      parsed = end + 1
    }
  }
}

extension Stage {
  /// Runs a command to its end, with a transcript unless it has none.
  func run(_ arguments: String..., transcript: Bool = true) throws -> KeydragRun {
    try run(arguments, transcript: transcript)
  }

  func run(_ arguments: [String], transcript: Bool = true) throws -> KeydragRun {
    let extra = transcript ? ["--transcript", "-"] : []
    return try end(of: try start(arguments + extra), transcript: transcript)
  }

  /// Runs commands beside each other, without a transcript, each to its end.
  func run(atOnce commands: [[String]]) throws -> [KeydragRun] {
    let children = try commands.map { try start($0) }
    return try children.map { try end(of: $0, transcript: false) }
  }

  private func end(of child: ChildProcess, transcript: Bool) throws -> KeydragRun {
    let status = try child.finish()
    let output = String(decoding: child.output, as: UTF8.self)
    var records = Records()
    if transcript {
      records.all = try output.split(separator: "\n").map { try Record(line: String($0)) }
    }
    return KeydragRun(
      status: status, records: records, output: output,
      errors: String(decoding: child.errors, as: UTF8.self))
  }

  /// Runs `keydrag files` with a key script.
  func files(_ folders: String..., keys: String, options: [String] = []) throws -> KeydragRun {
    try run(["files"] + folders + ["--keys", keys] + speechless(options))
  }

  /// Starts `keydrag files` with an open key script.
  func live(_ folders: String..., options: [String] = []) throws -> LiveRun {
    let arguments = ["files"] + folders + ["--keys", "-", "--transcript", "-"]
    return LiveRun(try start(arguments + speechless(options), hasInput: true))
  }

  private func speechless(_ options: [String]) -> [String] {
    options.contains("--speech") ? options : options + ["--speech", "off"]
  }

  func start(_ arguments: [String], hasInput: Bool = false) throws -> ChildProcess {
    var command = runner + [try Program.path()] + arguments
    if isOrdinary {
      try giveAway()
      command = OrdinaryUser.command + command
    }
    return try ChildProcess(command, environment: environment, folder: work, hasInput: hasInput)
  }
}

/// The program under test.
enum Program {
  /// Beside the tests, in the folder of what was built; the program itself where `KEYDRAG_BUILT` names
  /// another such folder, that of the optimised one.
  static func path(_ name: String = "keydrag") throws -> String {
    if name == "keydrag", let folder = getenv("KEYDRAG_BUILT") {
      return String(cString: folder) + "/" + name
    }
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(length, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let slash = try #require(own.lastIndex(of: "/"))
    return own[..<slash] + "/" + name
  }
}
