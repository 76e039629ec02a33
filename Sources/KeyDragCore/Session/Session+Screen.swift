/// The session on a screen: items while browsing, places while carrying, choices while confirming,
/// one row each.
///
/// Built anew each time; only the first row is kept between calls. What is shown is what is
/// announced.
extension Session {
  /// The rows around the current one, at most `height`.
  ///
  /// - Parameter top: the first row shown before; kept if the current row stays visible.
  package func screen(
    height: Int, top: Int, phrases: Phrasebook, message: String
  ) -> ScreenContents {
    let (count, current) = listShape
    // Rows scroll only as far as they must.
    let first = firstRow(count: count, current: current ?? 0, height: height, top: top)
    let rows = (first..<min(first + max(height, 1), count)).map { row($0, phrases) }
    var contents = ScreenContents(
      title: title(phrases), rows: rows, firstRow: first, current: current.map { $0 - first },
      carried: carriedLine(phrases), deliveries: deliveryLines(phrases), message: message)
    contents.selected = selectedLine(phrases)
    contents.phase = phase.name
    contents.around = around(phrases)
    contents.others = others(phrases)
    contents.keys = keysOfMoment(phrases)
    if case .carrying(let carry) = phase, let stop = carry.currentStop {
      contents.dropPoint = stop.point
      contents.verdict = verdict(at: stop, carry).word
    }
    contents.preview = preview(phrases)
    if case .confirming = phase {} else { contents.reservesPreview = settings.isInFolders }
    contents.label = label(phrases)
    if search.isFinding { contents.finding = findingLine(phrases) }
    if case .help(let lines, _)? = told.help { contents.help = lines.map(phrases.helpText) }
    return contents
  }

  /// The folder stood on, once its contents are known.
  private func preview(_ phrases: Phrasebook) -> ScreenPreview? {
    guard let preview = rowFacts.preview, preview.subject == previewSubject else { return nil }
    let rows = zip(preview.names, preview.kinds).map { name, kind in
      var row = ScreenRow(name: name)
      row.kind = kind
      return row
    }
    switch preview.counts {
    case .failure(let reason):
      return ScreenPreview(title: phrases.short(reason), rows: [], isWhole: true)
    case .success(let counts):
      return ScreenPreview(
        title: phrases.contents(counts), rows: rows,
        isWhole: rows.count == counts.files + counts.folders)
    }
  }

  /// The current row as announced.
  private func label(_ phrases: Phrasebook) -> String? {
    switch phase {
    case .browsing: nil
    case .carrying(let carry):
      switch carry.place {
      case .source: phrases.text(.backAtSource(name: carry.items.first?.name ?? ""))
      case .container: nil
      case .stop(let stop): report(at: stop, carry).map { placeLabel($0, phrases) }
      }
    case .confirming(let question, _):
      question.current.map { choice in
        phrases.text(.choice(choice, index: question.index + 1, total: question.choices.count))
      }
    }
  }

  private func placeLabel(_ report: DropPointReport, _ phrases: Phrasebook) -> String {
    var report = report
    // The title names the program.
    report.app = nil
    return phrases.text(.dropPoint(report))
  }

  private func findingLine(_ phrases: Phrasebook) -> String {
    let letters = SpokenName.clean(search.text)
    guard !letters.isEmpty else { return phrases.text(.finding) }
    // On the screen, while a name is typed to find a place by it. %1$@ is what has been typed so far.
    return phrases.phrase("Find: %1$@", letters)
  }

  /// The phase whose list is shown; under the line of a filter the phase beneath it.
  private var shown: Phase {
    if case .confirming(_, let underneath) = phase, line?.purpose == .filter {
      return underneath
    }
    return phase
  }

  /// The previous first row, scrolled just enough to show the current one.
  private func firstRow(count: Int, current: Int, height: Int, top: Int) -> Int {
    let height = max(height, 1)
    // A shorter list than before leaves no empty rows.
    var first = min(max(top, 0), max(count - height, 0))
    if current < first { first = current }
    if current >= first + height { first = current - height + 1 }
    return first
  }

  private var listShape: (count: Int, current: Int?) {
    switch shown {
    case .browsing:
      let count = sources.count
      return (count, count == 0 ? nil : browse.view?.top.focus)
    case .carrying(let carry):
      // The source is the last row of the walk.
      let count = carry.walk.points.count + 1
      switch carry.place {
      case .source: return (count, count - 1)
      case .container: return (count, nil)
      case .stop(let stop): return (count, carry.walk.ordinal(of: stop.point) ?? count - 1)
      }
    case .confirming(let question, _):
      return (question.choices.count, question.choices.isEmpty ? nil : question.index)
    }
  }

  private func row(_ index: Int, _ phrases: Phrasebook) -> ScreenRow {
    switch shown {
    case .browsing: itemRow(index, phrases)
    case .carrying(let carry): placeRow(index, carry, phrases)
    case .confirming(let question, _): choiceRow(question.choices[index], phrases)
    }
  }

  /// An item and its kind; dimmed while held or being delivered, then with its progress.
  private func itemRow(_ index: Int, _ phrases: Phrasebook) -> ScreenRow {
    let item = sources[index]
    if let coming = delivery(bringing: item) {
      let note = phrases.list([
        phrases.kindWord(item.kind, coming.operation), coming.percent.map(phrases.percent) ?? "",
      ])
      return ScreenRow(name: item.name, note: note, isDimmed: true)
    }
    let isHeld = phase.carry?.items.contains { $0.source == item.id } ?? false
    var row = ScreenRow(
      name: item.name,
      note: phrases.list([
        phrases.kindWord(item.kind),
        // On the screen, beside an item that is carried at the moment.
        isHeld ? phrases.term(in: "state", "held") : "",
      ]),
      isMarked: isSelected(item.id), isDimmed: isHeld)
    row.source = item.id
    row.columns = rowFacts.known[item.id].map(phrases.columns) ?? ""
    row.kind = item.kind
    row.isExecutable = rowFacts.known[item.id]?.isExecutable ?? false
    return row
  }

  /// A place with its verdict; the last row is the source, where a drop cancels.
  private func placeRow(_ index: Int, _ carry: DragState, _ phrases: Phrasebook) -> ScreenRow {
    guard carry.walk.points.indices.contains(index) else {
      var row = ScreenRow(name: carry.items.first?.name ?? "", note: phrases.cancelsText)
      (row.verdict, row.beginsGroup) = (.cancel, true)
      return row
    }
    let point = carry.walk.points[index]
    // The current place has the verdict of its position.
    let stop = DropStop(
      point.id,
      carry.currentStop?.point == point.id ? carry.currentStop?.position ?? .on : .on)
    guard let report = report(at: stop, carry) else {
      return ScreenRow(name: point.name)
    }
    // A place that stands for its own container needs no second name.
    let isOwn = point.leadsTo == point.container || point.isElsewhere || point.task != nil
    let place = isOwn ? "" : registry[point.container]?.container.name ?? ""
    let isDroppable = verdict(at: stop, carry).isDroppable
    // A place of a window is not asked before it is reached.
    let isUnknown = isInWindow(point) && carry.proposals[stop] == nil && carry.currentStop != stop
    var row = ScreenRow(
      name: point.task.map { phrases.name(of: $0, program: point.name) }
        ?? point.name,
      note: phrases.list([
        isUnknown ? "" : phrases.verdictText(report),
        // On the screen, beside a place to drop at: the folder it is in. %1$@ is that folder.
        place.isEmpty ? "" : phrases.phrase("in %1$@", place),
      ]),
      isDimmed: !isDroppable, depth: isOwn ? 0 : 1)
    if !isUnknown { row.verdict = report.verdict.word }
    row.beginsGroup =
      point.task != nil && (index == 0 || carry.walk.points[index - 1].task == nil)
    return row
  }

  private func choiceRow(_ choice: Choice, _ phrases: Phrasebook) -> ScreenRow {
    guard let line, case .line(let text, let isSelected) = choice else {
      return ScreenRow(name: phrases.choiceName(choice), note: phrases.consequence(choice))
    }
    let note = isSelected ? phrases.term(in: "text", "selected") : ""
    var row = ScreenRow(name: SpokenName.clean(text), note: note)
    row.beforeCursor = SpokenName.clean(line.beforeCaret)
    return row
  }

  /// The heading: the path while browsing, the number of accepting places while carrying, otherwise
  /// the question.
  private func title(_ phrases: Phrasebook) -> String {
    switch phase {
    case .browsing:
      guard let container = browse.container else { return "" }
      let path = browse.view.map { view in
        view.containers.compactMap { registry[$0]?.container.name }
          .map(phrases.isolated).joined(separator: " › ")
      }
      return phrases.list([
        path ?? "",
        // An unknown folder is not empty.
        registry[container]?.sources == nil ? "" : phrases.contents(counts(of: container)),
        browse.view?.top.narrowing.map { phrases.filterName($0.text) } ?? "",
      ])
    case .carrying(let carry) where isInWindow(carry.place, carry) || hasOnlyWindows(carry):
      return reachedTitle(carry, phrases)
    case .carrying(let carry):
      return carry.stage == .ready
        // The heading of the list of places on the screen: how many accept. %1$@ is the number.
        ? phrases.plural("%1$@ place accepts", "%1$@ places accept", acceptingPlaces(carry))
        : phrases.askingWord
    case .confirming(let question, _):
      if let line, line.purpose == .filter { return phrases.filterName(line.text) }
      return phrases.text(.confirm(question.confirmation, choices: []))
    }
  }

  /// The title where places are asked one by one: their number is unknown, so the window is named.
  private func reachedTitle(_ carry: DragState, _ phrases: Phrasebook) -> String {
    guard isInWindow(carry.place, carry), let id = container(of: carry.place, carry),
      let container = registry[id]?.container
    else { return phrases.names(carry.names, count: carry.count) }
    return phrases.list([container.name, container.app ?? ""])
  }

  private func hasOnlyWindows(_ carry: DragState) -> Bool {
    carry.walk.placeCount == 0 && !carry.walk.windowBlocks.isEmpty
  }

  /// The held items and the effect of a drop; `nil` if nothing is held.
  private func carriedLine(_ phrases: Phrasebook) -> String? {
    guard let carry = phase.carry, !carry.items.isEmpty else { return nil }
    let operation = carry.currentStop.flatMap { verdict(at: $0, carry).operation } ?? carry.wish
    let names = phrases.isolated(phrases.names(carry.names, count: carry.items.count))
    let what = "[\(phrases.number(carry.items.count))] \(names)"
    return operation.map { phrases.placed(what, phrases.verb($0)) } ?? what
  }

  /// The marked items; `nil` if there are none. Up to three names.
  private func selectedLine(_ phrases: Phrasebook) -> String? {
    guard phase.carry == nil, !browse.marks.isEmpty else { return nil }
    let names = browse.marks.values.prefix(3).map(\.name)
    let what = phrases.isolated(phrases.names(names, count: browse.marks.count))
    return phrases.list([
      "[\(phrases.number(browse.marks.count))] \(what)",
      // On the screen, after the names of items: they are selected.
      phrases.term(in: "state", "selected"),
    ])
  }

  private func deliveryLines(_ phrases: Phrasebook) -> [ScreenDelivery] {
    deliveries.prefix(3).map { id, running in
      let text = phrases.choiceName(
        .delivery(
          id, running.operation, names: running.names, count: running.count,
          percent: running.percent))
      return ScreenDelivery(
        text, percent: running.percent, pace: pace(of: running.progress, phrases))
    }
  }

  /// The speed and the remaining time; empty while unknown.
  private func pace(of progress: DeliveryProgress, _ phrases: Phrasebook) -> String {
    guard let rate = progress.bytesPerSecond else { return "" }
    // Unit symbols and clock times are the same in all languages.
    let units: [(size: Int64, sign: String)] = [
      (1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB"),
    ]
    // From ten of a unit on, as smaller numbers would fluctuate too much.
    let unit = units.first { rate >= 10 * $0.size } ?? (1000, "kB")
    let speed = "\(phrases.number(Int(rate / unit.0))) \(unit.1)/s"
    guard let left = progress.secondsLeft else { return speed }
    let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock =
      hours > 0
      ? "\(hours):\(two(minutes)):\(two(seconds))" : "\(minutes):\(two(seconds))"
    return speed + "  " + clock
  }

  /// The ancestors of the view's base folder.
  private func around(_ phrases: Phrasebook) -> [String] {
    guard case .browsing = phase, let top = browse.view?.base.container else { return [] }
    return registry[top]?.container.around.map(phrases.isolated) ?? []
  }

  private func others(_ phrases: Phrasebook) -> [String] {
    guard case .browsing = phase, let here = browse.view?.root else { return [] }
    return browse.views.map(\.root).filter { $0 != here }
      .compactMap { registry[$0]?.container.name }.map(phrases.isolated)
  }

  /// The most important keys of this phase, as bound by the person.
  private func keysOfMoment(_ phrases: Phrasebook) -> [String] {
    let commands: [CommandName] =
      switch phase {
      case .browsing(adding: nil):
        [.pickUp, .toggleSelection, .nextContainer, .actions, .undo, .help, .quit]
      case .browsing: [.pickUp, .nextContainer, .cancel, .help]
      case .carrying: [.nextDropPoint, .drop, .cancel, .details, .help]
      case .confirming where isTyping: [.take, .back, .help]
      case .confirming: [.nextChoice, .take, .back]
      }
    return commands.compactMap { command in
      helpLine(of: command).map(phrases.helpText)
    }
  }
}
