/// The keys pressed before the folders are listed: kept, so that a quick hand is not told that
/// there is nothing. They are taken in their order when the first folder is there.
struct EarlyInputs {
  /// More are not kept.
  private static let most = 64

  private var inputs: [SessionInput] = []
  /// Whether a folder has been so late that nothing waits for it any more.
  var isOver = false

  var isEmpty: Bool { inputs.isEmpty }

  mutating func keep(_ input: SessionInput) {
    if inputs.count < Self.most { inputs.append(input) }
  }

  /// All that were kept, which are not any more.
  mutating func take() -> [SessionInput] {
    defer { inputs = [] }
    return inputs
  }
}

/// The keys pressed while something is prepared, asked about or dropped: each is taken when those
/// before it have been, so that Enter drops where the letters before it led.
extension Session {
  /// Nobody presses as many keys on purpose.
  private static let mostWaiting = 64

  /// Has a key wait while answers are outstanding; `false` for one that waits for nothing.
  ///
  /// Keys that end something or are silent empty the line. Enter again while one waits is the same
  /// Enter.
  mutating func waits(_ input: SessionInput) -> Bool {
    guard case .carrying(let carry) = phase, carry.stage != .ready else { return false }
    switch input {
    case .command(.cancel), .command(.silence), .command(.interrupt), .command(.quit):
      waiting = []
      return false
    case .command(.whereAmI), .command(.repeatLast), .command(.help), .command(.redraw),
      .command(.sayHeld), .command(.pickUp):
      return false
    case .command(.drop):
      if case .command(.drop)? = waiting.last { return false }
      if case .dropping = carry.stage { return false }
    case .command(.undo), .command(.redo), .command(.deliveries), .command(.goToLanded), .typeAhead:
      break
    case .command:
      // Behind a drop a key may mean something else.
      if case .dropping = carry.stage { return false }
    default: return false
    }
    if waiting.count < Self.mostWaiting {
      waiting.append(input)
    } else {
      say(.holding(holding(carry, verdict: .asking)))
    }
    return true
  }

  /// Takes the keys that wait, until one of them has to wait again. Those behind one that led
  /// nowhere, or to a question, were not meant for it, and are dropped.
  mutating func takeWaiting() {
    while !waiting.isEmpty {
      if case .confirming = phase {
        waiting = []
      } else if said.contains(where: \.isRefusal) {
        waiting = []
        if case .carrying(let carry) = phase { say(.holding(holding(carry))) }
      } else {
        if case .carrying(let carry) = phase, carry.stage != .ready { return }
        perform(waiting.removeFirst())
      }
    }
  }

  /// Keeps a command or a text until the listing it needs has come; `false` when it can be taken now.
  mutating func isKept(_ input: SessionInput) -> Bool {
    guard case .browsing(adding: nil) = phase, !early.isOver else { return false }
    if case .command(.cancel) = input {
      _ = early.take()
      return false
    }
    guard let id = neededListing(for: input) else { return false }
    if early.isEmpty { emit(.startTimer(.asking(id), milliseconds: Session.askingDelay)) }
    early.keep(input)
    return true
  }

  /// Takes what was kept, in order, once no folder given is outstanding.
  mutating func takeKept() {
    if early.isOver {
      askAgain()
    } else if rootListings.isEmpty {
      takeAllKept()
    }
  }

  /// A folder does not answer: the others are used without it.
  mutating func listingIsLate() {
    early.isOver = true
    takeAllKept()
  }

  private mutating func takeAllKept() {
    for input in early.take() {
      switch input {
      case .command(let command): run(command)
      case .typeAhead(let text, _): typeAhead(text)
      case .places(let places): takePlaces(places)
      default: break
      }
    }
  }

  /// The outstanding listing that an input needs: a pick-up needs every place there is, all else the
  /// folder shown; what follows something kept waits behind it.
  private func neededListing(for input: SessionInput) -> RequestID? {
    let listings = rootListings
    let all = listings.keys.min { $0.rawValue < $1.rawValue }
    switch input {
    case .command(.pickUp), .command(.toggleRefusing), .command(.copyTo), .command(.moveTo),
      .command(.linkTo),
      .command(.actions), .command(.openItem), .command(.nextContainer),
      .command(.previousContainer), .command(.paste), .places:
      return all
    case .command(.nextItem), .command(.previousItem), .command(.firstItem), .command(.lastItem),
      .command(.nextPage), .command(.previousPage), .command(.toggleSelection),
      .command(.extendSelectionDown), .command(.extendSelectionUp), .command(.selectAll),
      .typeAhead:
      return early.isEmpty ? listings.first { $0.value == browse.current }?.key : all
    default: return nil
    }
  }

  /// The views whose folders are still being listed, by their requests.
  private var rootListings: [RequestID: Int] {
    outstanding.compactMapValues { purpose in
      if case .listRoot(let view) = purpose { view } else { nil }
    }
  }
}

extension Announcement {
  /// Whether a key did not do what it is for.
  fileprivate var isRefusal: Bool {
    switch self {
    case .noMatch, .nothingToPickUp, .nothingAccepts, .cannotOpen, .operationUnavailable, .refused,
      .failed, .unknownKey, .cancelled, .vanished:
      true
    default: false
    }
  }
}
