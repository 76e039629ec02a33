import KeyDragCore

/// All that is known of a drop's end. The report is computed from it by ``result(of:)``, and from
/// nothing else.
///
/// Pure: ``DropExecutor`` gathers it.
struct Evidence: Sendable {
  /// One kind of evidence. The first that proves an arrival counts.
  ///
  /// | kind | proves | does not prove, because |
  /// |---|---|---|
  /// | files | an arrival: compared with what was carried | |
  /// | paths | that the paths were written | that files were copied: a path is no file; |
  /// | | | with a title, that nothing else came |
  /// | replacedText | that the file was opened | |
  /// | text | an arrival: the words carried are there | |
  /// | wholeText | the same, and nothing else is there | that it was opened, without a title |
  /// | tab, title | that a document was opened | anything of a text field that has changed or |
  /// | | | can't be read: titles follow those |
  /// | order | an arrival: rows carried stand elsewhere | |
  /// | fileRow | an arrival in a view of files that no folder on the disk is known for | |
  /// | object | that a document has one picture more, where pictures were dropped | which one |
  /// | row, rowBeside | that the items are listed, there or elsewhere in the window | that files |
  /// | | | were copied: playlists keep their paths alone; |
  /// | | | anything beside an alert: a list may show what its program turns out not to take |
  /// | longerList | of one that took the data: its list has as many rows more | alone: rows come |
  /// | | | and go for other reasons |
  /// | word | that the program has the data | what it made of it: most programs say yes at once |
  /// | modified | of one that read the data: its document has the items | alone: any change marks it; |
  /// | | | of texts: their path may have been written |
  /// | changed | that the program made something of the data | what: it may have written a path |
  /// | sameText | that nothing came: it was read whole | |
  /// | sameView | | that nothing came: files may be attached or listed elsewhere in the program |
  /// | earlyWord | | a receipt: it was given before the person had answered |
  /// | habitualWord | | a receipt: this program says yes to everything |
  /// | alert | | a receipt: it was followed by words that may say so |
  /// | ended, hungDisk | | a receipt: the end was not seen |
  enum Kind: Hashable, Sendable, CaseIterable {
    case files, paths, replacedText, text, wholeText, tab, title, order, fileRow, object, row,
      rowBeside
    case longerList, word, modified, changed
    case sameText, sameView, prematureReceipt, unconditionalAcceptance, alert, ended, hungDisk

    var proof: Proof {
      switch self {
      case .files, .text, .wholeText, .order, .fileRow: .arrival(.item)
      case .object, .row, .rowBeside: .arrival(.listing)
      case .paths: .arrival(.path)
      case .replacedText, .tab, .title: .arrival(.document)
      case .word, .changed: .receipt
      case .modified, .longerList: .support
      case .sameText: .absence
      case .sameView, .prematureReceipt, .unconditionalAcceptance, .alert, .ended, .hungDisk: .doubt
      }
    }
  }

  /// The conclusion from one kind of evidence.
  enum Proof: Hashable, Sendable {
    case arrival(Form)
    /// The program has the data.
    case receipt
    /// With a receipt: the data is in a list or document of the program.
    case support
    /// None of it is there.
    case absence
    /// Nothing, and it cancels a receipt.
    case doubt
  }

  enum Form: Hashable, Sendable {
    case item
    /// A row of a list or an object of a document.
    case listing
    /// The path or address of a file, written as text.
    case path
    /// A page, tab or document named after the item.
    case document
  }

  /// The program's answer.
  var said: DragAnswer
  private(set) var kinds: Set<Kind>
  /// The state of the folder on the disk; `nil` where none was checked.
  var report: DeliveryResult?
  /// Items that have left their source.
  var gone: Set<DragSourceID> = []
  /// The name of the program, safe to speak.
  var program = ""
  var wasAsked = false
  /// The name of the window, safe to speak, where the place is a row of it: many rows accept on
  /// behalf of their window, and an effect outside the row is reported as the window's.
  var window: String?
  /// A question or message of the program that is visible now.
  var question: ProgramQuestion?

  init(_ said: DragAnswer, _ kinds: Set<Kind> = []) { (self.said, self.kinds) = (said, kinds) }

  mutating func add(_ kind: Kind?) { if let kind { kinds.insert(kind) } }

  /// Whether something has come of it, if only out of sight.
  var hasSigns: Bool { !kinds.isDisjoint(with: [.longerList, .modified, .changed]) }

  /// Whether no later observation can change the result.
  var isConclusive: Bool {
    switch said {
    case .refuses, .failed: true
    case .accepts, .doubtful, .silent: arrival != nil || hasLanded || isFailure
    }
  }

  private var hasLanded: Bool { (report?.delivered ?? 0) > 0 }

  /// A program that ended while it asked does nothing more. One that has not asked may have passed
  /// the drop on to another program.
  private var isFailure: Bool { wasAsked && report?.outcome == .failed }

  /// `nil` for a path beside a title that names the item: whether more came than the path is unknown.
  private var arrival: Form? {
    if kinds.isSuperset(of: [.paths, .title]) { return nil }
    return seenArrival ?? (isSupported ? .listing : nil)
  }

  /// A program that has read the data and then says that it failed is believed less than a change of
  /// its document in that moment: many of Qt take a drop without saying so.
  private var isSupported: Bool {
    let isGiven = has(.receipt) || said == .doubtful(.programFailed)
    return isGiven && has(.support) && !has(.doubt) && !has(.absence)
  }

  /// An arrival that was observed directly.
  private var seenArrival: Form? {
    for kind in Kind.allCases where kinds.contains(kind) {
      if case .arrival(let form) = kind.proof { return form }
    }
    return nil
  }

  /// Whether it was read in the text of the place itself, such as a cell's.
  private var isInPlace: Bool {
    !kinds.isDisjoint(with: [.paths, .replacedText, .text, .wholeText])
  }

  private var isReceived: Bool { has(.receipt) && !has(.doubt) && !has(.absence) }

  private func has(_ proof: Proof) -> Bool {
    if case .accepts = said, Kind.word.proof == proof { return true }
    return kinds.contains { $0.proof == proof }
  }

  func result(of order: DeliveryOrder) -> DeliveryResult {
    switch said {
    case .refuses(let reason): return .failure(order, .refused, reason)
    case .failed(let reason): return .failure(order, .failed, reason)
    case .accepts, .doubtful, .silent: break
    }
    if let report, hasLanded { return completed(report, order) }
    if isFailure { return .failure(order, .failed, .programEnded) }
    if let effect = effect(order) {
      var result = DeliveryResult(
        outcome: .delivered, route: .xdnd, delivered: order.items.count,
        verified: seenArrival != nil)
      (result.effect, result.window) = (effect, isInPlace ? nil : window)
      return result
    }
    var result = DeliveryResult.failure(order, .unconfirmed, reason)
    result.window = window
    for index in order.items.indices where gone.contains(order.items[index].source) {
      result.failures[index].reason = .gone
    }
    let isAnswered = wasAsked && isAbsent && [nil, .unchanged].contains(question)
    result.question = isAnswered ? .answered : question
    switch result.question {
    case .tells where isReceived, .unchanged where isReceived: result.effect = .taken
    // A link recognised by its name alone looks like a copy.
    case nil where isReceived || arrival == .item: result.effect = .taken
    default: break
    }
    return result
  }

  /// Whether it would be visible if it were there. A doubtful answer may be about anything.
  private var isAbsent: Bool {
    if case .doubtful = said { return false }
    return has(.absence) || report.map { $0.outcome != .unconfirmed } == true
  }

  private var reason: Reason {
    if kinds.contains(.hungDisk) { return .notResponding }
    if kinds.contains(.ended) { return .programEnded }
    return switch said {
    case .refuses(let reason), .failed(let reason), .doubtful(let reason): reason
    case .silent: .notResponding
    case .accepts: .unknown
    }
  }

  /// The effect of what has arrived; `nil` where nothing is proved.
  ///
  /// Of files only names are visible at the target: those gone from their source were moved, the
  /// others were not.
  private func effect(_ order: DeliveryOrder) -> DeliveryEffect? {
    switch arrival {
    case nil: return nil
    case .path: return .pathsWritten
    case .document: return .opened(program: program)
    case .item, .listing: break
    }
    guard order.items.containFiles else { return .ordered }
    if arrival == .listing, gone.isEmpty { return .listed }
    switch order.operation {
    case .copy: return gone.isEmpty ? .ordered : .performed(.move)
    case .move: return gone.isEmpty ? .performed(.copy) : .ordered
    case .link: return said == .accepts(.link) && gone.isEmpty ? .ordered : nil
    case .open, .remove: return .ordered
    }
  }

  /// The folder decides: all landed, or some.
  private func completed(_ report: DeliveryResult, _ order: DeliveryOrder) -> DeliveryResult {
    var result = report
    if report.delivered == order.items.count {
      (result.outcome, result.failures, result.totalBytes) = (.delivered, [], report.bytes)
    } else {
      (result.outcome, result.renamed) = (.partly, [])
    }
    // Another one was chosen by the person in the program's own question.
    if result.effect == .performed(order.operation) { result.effect = .ordered }
    if report.isBesideRow { result.window = window }
    return result
  }
}

extension DeliveryResult {
  /// A failure of every item for the same reason.
  static func failure(
    _ order: DeliveryOrder, _ outcome: DeliveryOutcome, _ reason: Reason
  ) -> DeliveryResult {
    DeliveryResult(
      outcome: outcome, route: .xdnd, delivered: 0,
      failures: order.items.map { DeliveryFailure(name: $0.name, reason: reason) })
  }
}
