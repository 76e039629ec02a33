import CXCB
import Glibc
import KeyDragCore
import KeyDragThreads

extension ClipboardHolder {
  /// Holds the clipboard contents given on standard input until another program copies or the
  /// display is lost; `nil` when this process was not started for that.
  ///
  /// Blocks until then. `nil` has changed nothing: a user may have started the process.
  ///
  /// - Returns: whether the clipboard could be taken.
  package static func run() -> Bool? {
    guard let parcel = parcel(from: STDIN_FILENO) else { return nil }
    // Writing to a lost display must fail, not end the process.
    signal(SIGPIPE, SIG_IGN)
    // Keeps no folder from being removed, and frees the input's memory.
    _ = chdir("/")
    let nothing = open("/dev/null", O_RDONLY)
    if nothing > 0 {
      dup2(nothing, STDIN_FILENO)
      close(nothing)
    }
    guard let holding = try? Holding(parcel) else { return false }
    return holding.run()
  }

  /// The parcel on standard input, if there is one. A regular file of a plausible size, as
  /// ``ClipboardHolder/start(_:ended:)`` makes in memory; a terminal or a pipe is rejected.
  private static func parcel(from descriptor: Int32) -> SerializedClipboard? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...SerializedClipboard.longest).contains(Int(status.st_size))
    else { return nil }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let read = pread(
          descriptor, buffer.baseAddress.map { $0 + count }, size - count, off_t(count))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { return }
        count += read
      }
    }
    return SerializedClipboard(bytes)
  }
}

/// The clipboard as held by this process, on the thread that calls ``run()``.
private final class Holding {
  private let server: XServer
  private let thread: EventLoop
  private let words: ClipboardAtoms
  private let window: XWindow
  private let owned: OwnedSelection
  /// `nil` when it is held without limit.
  private var deadline: Milliseconds?

  /// Longest pause of a requestor still reading when the clipboard is replaced.
  private static let patience: Milliseconds = 5_000

  /// Throws when the display is not the parcel's: its atoms are unknown then.
  init(_ parcel: SerializedClipboard) throws(Reason) {
    guard let thread = EventLoop() else { throw .noDisplay }
    self.thread = thread
    let server = try XServer(display: nil)
    self.server = server
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)),
      let words = ClipboardAtoms(server.atoms(ClipboardAtoms.names))
    else { throw .noDisplay }
    self.words = words
    window = server.makeHiddenWindow()
    // An unknown atom is of another display, or of another start of this one.
    let known = parcel.forms.filter {
      server.names(of: [$0.target, $0.type]).allSatisfy { $0 != nil }
    }
    guard known.count == parcel.forms.count,
      let owned = OwnedSelection(
        known, as: words.clipboard, by: window, since: parcel.time, on: server, atoms)
    else { throw .noDisplay }
    self.owned = owned
    if parcel.lifetime > 0 { deadline = MonotonicClock.now + Milliseconds(parcel.lifetime) }
  }

  /// Blocks as long as the clipboard is held.
  func run() -> Bool {
    thread.run(
      reading: server.descriptor, deadline: { [self] in deadline }, hasMore: server.hasQueuedEvent,
      handle: step)
    return true
  }

  /// `false` when nothing is left to hold.
  private func step() -> Bool {
    while let event = server.nextEvent() { take(event) }
    server.flush()
    guard !server.isLost, owned.isOwned || owned.isBusy else { return false }
    return deadline.map { MonotonicClock.now < $0 } ?? true
  }

  private func take(_ event: XServer.Event) {
    switch event {
    case .selectionRequest(_, let selection, let request):
      guard selection == words.clipboard else { return }
      owned.serve(request)
    case .selectionCleared(let selection):
      guard selection == words.clipboard else { return }
      owned.lost()
      deadline = MonotonicClock.now + Self.patience
    case .propertyDeleted(let requestor, let property):
      owned.propertyDeleted(property, of: requestor)
      if !owned.isOwned { deadline = MonotonicClock.now + Self.patience }
    case .destroyed(let gone): owned.windowVanished(gone)
    case .failed(let resource): owned.windowVanished(XWindow(rawValue: resource))
    case .message, .selectionNotified, .ownerChanged, .propertySet: break
    }
  }
}
