import CFaults
import Foundation
import Synchronization

/// Saves files as editors do, and does what else people do to files that are worked on.
final class Editor: Sendable {
  enum Way: String, CaseIterable {
    case inPlace = "in place"
    case byAnother = "by another file"
    case new
    case appended
    /// Appended to, and kept open for more.
    case heldOpen = "held open"
    case renamed
  }

  private struct State {
    var isOver = false
    var chance: Chance
    var saved: Set<String> = []
    var overwritten: Set<String> = []
    var written: Set<String> = []
    var counts: [String: Int] = [:]
    var touched: Set<String> = []
    var heldOpen: [Int32] = []
  }

  private let folders: [String]
  private let state: Mutex<State>
  private let thread = DispatchGroup()

  init(folders: [String], seed: UInt64) {
    self.folders = folders
    state = Mutex(State(chance: Chance(seed)))
  }

  /// The things, by their names in the folders, that it has changed.
  var touched: Set<String> { state.withLock { $0.touched } }
  var words: String {
    state.withLock { $0.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" } }
      .joined(separator: ", ")
  }

  /// So many saves at most, that the disk does not fill.
  private static let most = 400

  func begin() {
    DispatchQueue.global().async(group: thread) { [self] in
      for number in 0..<Self.most {
        if state.withLock({ $0.isOver }) { return }
        save(number)
        usleep(UInt32(chance(3000)))
      }
    }
  }

  func end() {
    state.withLock { $0.isOver = true }
    thread.wait()
  }

  private func chance(_ bound: Int) -> Int { state.withLock { $0.chance.below(bound) } }

  /// Does one thing to one file while a program waits, or as soon as the kernel lets it.
  ///
  /// - Returns: `false` where there is nothing to which it can be done.
  func act(_ way: Way) {
    DispatchQueue.global().async(group: thread) { [self] in
      // Most files are in one of the folders only.
      for number in 0..<20 where save(number, way) { return }
    }
    // A file from which writers are kept is let go by the one who waits.
    _ = thread.wait(timeout: .now() + .milliseconds(50))
  }

  /// Waits for what is not done yet, writes once more to the files that are held open, and closes them.
  func finish() {
    thread.wait()
    for file in state.withLock({ $0.heldOpen }) {
      append("the rest ", to: file)
      close(file)
    }
    state.withLock { $0.heldOpen = [] }
  }

  @discardableResult
  private func save(_ number: Int, _ wanted: Way? = nil) -> Bool {
    let names = ["f1", "f2", "big", "tree/x", "tree/inner/y"]
    let folder = folders[chance(folders.count)]
    let name = names[chance(names.count)]
    let path = folder + "/" + name
    let text = String(repeating: "edit \(number) ", count: 60)
    state.withLock { _ = $0.written.insert(text) }
    let way = wanted ?? [.inPlace, .inPlace, .byAnother, .byAnother, .new][chance(5)]
    let isDone =
      switch way {
      case .inPlace: write(text, over: path)
      case .byAnother: exchange(text, path)
      case .new: add(text, folder + "/tree/new-\(number)")
      case .appended, .heldOpen: append(text, to: path, isHeld: way == .heldOpen)
      case .renamed: cfaults_put(path, path + ".renamed", 0) == 0
      }
    state.withLock {
      $0.counts[isDone ? way.rawValue : "missed", default: 0] += 1
      if isDone { $0.touched.insert(way == .new ? "tree" : String(name.prefix { $0 != "/" })) }
    }
    return isDone
  }

  private func append(_ text: String, to path: String, isHeld: Bool) -> Bool {
    let file = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    if isHeld { state.withLock { $0.heldOpen.append(file) } }
    defer { if !isHeld { close(file) } }
    return append(text, to: file)
  }

  @discardableResult
  private func append(_ text: String, to file: Int32) -> Bool {
    let old = contents(of: file)
    state.withLock { _ = $0.written.insert(old + text) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { return false }
    state.withLock {
      $0.overwritten.insert(old)
      $0.saved.insert(old + text)
    }
    return true
  }

  /// A text that is nowhere and that the editor has not written over itself, and a file that holds neither
  /// a known text nor what the editor has written so far.
  func judge(
    _ now: [String: String], wanted: Set<String>, known: Set<String>
  ) -> (lost: String?, torn: String?) {
    let state = state.withLock { $0 }
    let contents = Set(now.values)
    let wanted = wanted.union(state.saved).subtracting(state.overwritten)
    let lost = wanted.first { !contents.contains($0) }
    let torn = now.first { path, text in
      // A half-written file may be copied as it stands.
      !path.contains("/.keydrag-") && !known.contains(text)
        && !state.saved.union(state.written).contains { $0.hasPrefix(text) }
    }
    return (lost.map { String($0.suffix(24)) }, torn.map { "\($0.key) \($0.value.count)" })
  }

  private func write(_ text: String, over path: String) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    let old = contents(of: file)
    usleep(UInt32(chance(1500)))
    state.withLock { _ = $0.overwritten.insert(old) }
    guard ftruncate(file, 0) == 0, lseek(file, 0, SEEK_SET) == 0 else { return false }
    let bytes = Array(text.utf8)
    let half = bytes.count / 2
    guard Glibc.write(file, bytes, half) == half else { return false }
    usleep(UInt32(chance(1500)))
    guard Glibc.write(file, Array(bytes[half...]), bytes.count - half) == bytes.count - half else {
      return false
    }
    state.withLock { _ = $0.saved.insert(text) }
    return true
  }

  /// Puts a new file into the place of the old one, of which it knows what it held.
  private func exchange(_ text: String, _ path: String) -> Bool {
    let new = path + ".new"
    guard add(text, new, isSave: false) else { return false }
    let isThere = access(path, F_OK) == 0
    guard cfaults_put(new, path, isThere ? 1 : 0) == 0 else {
      unlink(new)
      return false
    }
    state.withLock { _ = $0.saved.insert(text) }
    if !isThere { return true }
    let file = open(new, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return true }
    defer { close(file) }
    let old = contents(of: file)
    state.withLock { _ = $0.overwritten.insert(old) }
    unlink(new)
    return true
  }

  private func add(_ text: String, _ path: String, isSave: Bool = true) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(text.utf8)
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else { return false }
    if isSave { state.withLock { _ = $0.saved.insert(text) } }
    return true
  }

  private func contents(of file: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = pread(file, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
