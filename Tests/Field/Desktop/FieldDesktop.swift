import Foundation
import PrivateDesktop
import StoppedProgram

/// A recipe or a program did not get as far as the drop.
struct SetupError: Error, CustomStringConvertible {
  let description: String
}

/// A private desktop with a window manager, and folders in its home that the drops go between.
final class FieldDesktop {
  /// A command that has ended.
  struct Ended {
    let status: Int
    let lines: [String]
  }

  let desktop: PrivateDesktop
  let home: String
  /// The program that is tried.
  let keydrag: String
  private let manager: KeptProcess
  private var programs: [KeptProcess] = []
  private var guests: [AnyObject] = []
  /// Names of the person's files and folders, from the home: all others are left there by programs.
  private(set) var owned: Set<String> = []
  /// The end of the case, whatever it waits for.
  private let deadline: Date

  /// - Parameters:
  ///   - seconds: the time that the whole case may take.
  ///   - pace: how long the screen reader takes to say a character, in milliseconds.
  init(_ keydrag: String, within seconds: Double, pace: Int = 0) throws {
    self.keydrag = keydrag
    deadline = Date() + seconds
    desktop = try PrivateDesktop(pace: pace)
    home = desktop.environment["HOME"] ?? ""
    try desktop.chooseThunarView()
    // Its startup command runs once it manages windows.
    let startup = "/bin/sh -c '/usr/bin/xdotool set_desktop 0; echo ready'"
    manager = try desktop.start(["/usr/bin/openbox", "--startup", startup])
    try desktop.startAccessibility()
    while try manager.line(within: 60) != "ready" {}
  }

  deinit {
    // Before the folder goes, which they would write into again.
    for program in programs { program.end() }
    manager.end()
  }

  // MARK: Files

  func path(_ name: String) -> String { name.hasPrefix("/") ? name : home + "/" + name }

  func make(_ name: String, _ contents: String? = nil) throws {
    try make(name, data: Data((contents ?? name + "\n").utf8))
  }

  func make(_ name: String, data: Data) throws {
    owned.insert(name.hasSuffix("/") ? String(name.dropLast()) : name)
    let url = URL(fileURLWithPath: path(name))
    let isFolder = name.hasSuffix("/")
    try FileManager.default.createDirectory(
      at: isFolder ? url : url.deletingLastPathComponent(), withIntermediateDirectories: true)
    if !isFolder { try data.write(to: url) }
  }

  /// Links a name to another one.
  func link(_ name: String, to target: String) throws {
    owned.insert(name)
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: path(target))
  }

  func read(_ name: String) -> String? {
    FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: Processes

  /// Seconds that are left, at most `most` of them.
  func left(_ most: Double = .infinity) -> Int32 {
    Int32(max(1, min(most, deadline.timeIntervalSinceNow)))
  }

  var isOver: Bool { deadline.timeIntervalSinceNow < 1 }

  /// Starts a program that lives as long as the desktop.
  @discardableResult
  func start(_ command: [String], adding more: [String: String] = [:]) throws -> KeptProcess {
    // Mesa's drawing without a graphics card may hang for a minute, and the view of GTK 4's file manager
    // is not there before its first picture is.
    let drawing = ["GSK_RENDERER": "cairo"]
    let process = try desktop.start(command, adding: drawing.merging(more) { $1 })
    programs.append(process)
    return process
  }

  /// Keeps connections open as long as the desktop lives.
  func keep(_ guests: [AnyObject]) { self.guests += guests }

  /// Runs a command to its end, or to the end of its time: status 124 then, as timeout(1) has it.
  @discardableResult
  func run(
    _ command: [String], within seconds: Double = 20, adding more: [String: String] = [:]
  ) throws -> Ended {
    let live = try LiveCommand(command, on: self, adding: more)
    return try live.finish(within: seconds)
  }

  /// Looks again and again until something holds; whether it came to hold.
  @discardableResult
  func wait(_ most: Double, until holds: () throws -> Bool) rethrows -> Bool {
    let end = Date() + min(most, Double(left()))
    while Date() < end {
      if try holds() { return true }
      // Other programs are looked at from outside: they send nothing when they change.
      usleep(100_000)
    }
    return try holds()
  }

  // MARK: Keys and windows

  @discardableResult
  func xdotool(_ arguments: String...) throws -> [String] {
    try run(["/usr/bin/xdotool"] + arguments).lines
  }

  func press(_ keys: String...) throws {
    for key in keys {
      try xdotool("key", "--clearmodifiers", key)
      usleep(60_000)
    }
  }

  func windows() throws -> [Window] {
    let list = try run(["/usr/bin/xprop", "-root", "_NET_CLIENT_LIST"]).lines.joined()
    let ids = list.split(whereSeparator: { ", #".contains($0) }).filter { $0.hasPrefix("0x") }
    return try ids.compactMap { id in
      let names = ["_NET_WM_NAME", "WM_NAME", "WM_CLASS", "_NET_WM_PID", "_NET_WM_WINDOW_TYPE"]
      let properties = try run(["/usr/bin/xprop", "-id", String(id)] + names)
      return properties.status == 0 ? Window(id: String(id), properties.lines) : nil
    }
  }

  /// The first window that fits, waiting for it.
  func window(
    _ name: String, within seconds: Double = 45, _ fits: (Window) -> Bool
  ) throws -> Window {
    var found: Window?
    var last: [Window] = []
    _ = try wait(seconds) {
      last = try windows()
      found = last.first(where: fits)
      return found != nil
    }
    guard let found else {
      throw SetupError(description: "no window \(name), but \(last.map(\.title))")
    }
    return found
  }

  func window(_ title: String, within seconds: Double = 45) throws -> Window {
    try window(title, within: seconds) { $0.title.contains(title) }
  }

  func activate(_ window: Window) throws {
    try xdotool("windowactivate", "--sync", window.id)
    usleep(200_000)
  }

  /// The window with this in its title, once it is there and in front.
  @discardableResult
  func inFront(_ title: String) throws -> Window {
    let window = try window(title)
    try activate(window)
    return window
  }

  func click(_ window: Window, x: Int, y: Int) throws {
    try xdotool("mousemove", "--window", window.id, "\(x)", "\(y)", "click", "1")
    usleep(300_000)
  }

  /// Writes down each title that a window comes to have, so that it is known when the window is gone.
  func follow(_ window: Window) throws {
    guard !window.id.isEmpty else { return }
    let command = "exec xprop -spy -id \(window.id) _NET_WM_NAME > \"$1\""
    try start(["/bin/sh", "-c", command, "sh", path("cache/titles")])
  }

  /// The titles that the followed window has had, the first one left out.
  var laterTitles: [String] {
    (read("cache/titles") ?? "").split(separator: "\n").dropFirst().compactMap { line in
      line.split(separator: "=", maxSplits: 1).dropFirst().first
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"")) }
    }
  }

  /// Writes a picture of the screen.
  func photograph(to path: String) {
    _ = try? run(["/usr/bin/import", "-window", "root", path])
  }
}

/// A managed window, as its own properties describe it.
struct Window {
  /// Stands for one where nothing is dropped on a window.
  static let none = Window(id: "", [])

  let id: String
  let title: String
  let kind: String
  let process: Int32
  let type: String

  init(id: String, _ lines: [String]) {
    self.id = id
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix(name + "(") }?.split(separator: "=", maxSplits: 1).dropFirst()
        .first
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"")) }
    }
    title = value("_NET_WM_NAME") ?? value("WM_NAME") ?? ""
    kind = value("WM_CLASS") ?? ""
    process = value("_NET_WM_PID").flatMap(Int32.init) ?? 0
    type = value("_NET_WM_WINDOW_TYPE") ?? ""
  }
}

/// A command that is read line by line while it runs.
final class LiveCommand {
  private let process: KeptProcess
  private let field: FieldDesktop
  private(set) var lines: [String] = []
  private(set) var status: Int?
  private static let end = "=ended with "
  private static let script = "\"$@\" 2>&1; s=$?; echo; echo \"\(end)$s\""

  init(_ command: [String], on field: FieldDesktop, adding more: [String: String] = [:]) throws {
    self.field = field
    process = try field.desktop.start(
      ["/bin/sh", "-c", Self.script, "sh"] + command, adding: more)
  }

  /// The next line; nothing at the end, or when it is not there in time.
  func line(within seconds: Double) throws -> String? {
    guard status == nil, let line = try? process.line(within: field.left(seconds)) else {
      return nil
    }
    if line.hasPrefix(Self.end) {
      status = Int(line.dropFirst(Self.end.count))
      if lines.last == "" { lines.removeLast() }
      return nil
    }
    lines.append(line)
    return line
  }

  func finish(within seconds: Double) throws -> FieldDesktop.Ended {
    let end = Date() + seconds
    while status == nil, Date() < end, try line(within: end.timeIntervalSinceNow) != nil {}
    defer { process.end() }
    return FieldDesktop.Ended(status: status ?? 124, lines: lines)
  }

  func stop() { process.end() }
}
