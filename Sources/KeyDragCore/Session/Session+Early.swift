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

extension Session {
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
