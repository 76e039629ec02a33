import CXCB
import Glibc
import KeyDragThreads

extension ClipboardHolder {
  /// Holds in the clipboard what standard input brings, until another program copies or the display
  /// goes; `nil` when that is not what this process was started for.
  ///
  /// Blocks until then. `nil` leaves everything as it was: the process may have been started by a
  /// person.
  ///
  /// - Returns: whether it could be put there.
  package static func run() -> Bool? {
    guard let parcel = parcel(from: STDIN_FILENO) else { return nil }
    // A write to a display that has gone is an error here, and not the end.
    signal(SIGPIPE, SIG_IGN)
    // No folder is kept from being removed, and the memory is given back.
    _ = chdir("/")
    let nothing = open("/dev/null", O_RDONLY)
    if nothing > 0 {
      dup2(nothing, STDIN_FILENO)
      close(nothing)
    }
    guard let holding = try? Holding(parcel) else { return false }
    return holding.run()
  }

  /// The parcel that a holder is started with, and nothing that a person or a script would put
  /// there.
  ///
  /// A plain file of the right size, as ``ClipboardHolder/start(_:ended:)`` makes in memory; a
  /// terminal or a pipe is none.
  private static func parcel(from descriptor: Int32) -> ClipboardParcel? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (1...ClipboardParcel.longest).contains(Int(status.st_size))
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
    return ClipboardParcel(bytes)
  }
}

/// The clipboard as one process holds it.
///
/// Everything runs on the thread that calls ``run()``.
private final class Holding {
  private let server: XServer
  private let thread: EventLoop
  private let words: ClipboardWords
  private let window: XWindow
  private let owned: OwnedSelection
  /// Milliseconds; `nil` where it is held without end.
  private var deadline: Milliseconds?

  /// How long somebody who is taking it when it is replaced may do nothing.
  private static let patience: Milliseconds = 5_000

  /// Throws where the display is another one than that of the parcel: its atoms are unknown here
  /// then.
  init(_ parcel: ClipboardParcel) throws(XError) {
    guard let thread = EventLoop() else { throw .unreachable(display: nil) }
    self.thread = thread
    let server = try XServer(display: nil)
    self.server = server
    guard let atoms = XdndAtoms(server.atoms(XdndAtoms.names)),
      let words = ClipboardWords(server.atoms(ClipboardWords.names))
    else { throw .connectionLost }
    self.words = words
    window = server.makeHiddenWindow()
    // An atom that the server does not know is of another display, or of another start of this one.
    let known = parcel.forms.filter {
      server.names(of: [$0.target, $0.type]).allSatisfy { $0 != nil }
    }
    guard known.count == parcel.forms.count,
      let owned = OwnedSelection(
        known, as: words.clipboard, by: window, since: parcel.time, on: server, atoms)
    else { throw .connectionLost }
    self.owned = owned
    if parcel.lifetime > 0 { deadline = MonotonicClock.now + Milliseconds(parcel.lifetime) }
  }

  /// Whether it ended because it is needed no more.
  ///
  /// Blocks as long as the clipboard is held.
  func run() -> Bool {
    thread.run(
      reading: server.descriptor, deadline: { [self] in deadline }, hasMore: server.hasReadAhead,
      handle: step)
    return true
  }

  /// `false` when there is nothing to be held any more.
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
