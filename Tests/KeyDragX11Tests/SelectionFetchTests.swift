import KeyDragCore
import KeyDragThreads
import Testing

@testable import KeyDragX11

private let html = XAtom(rawValue: 203)
private let command = XAtom(rawValue: 204)

/// An owner that answers by a table, and the reading that asks it.
private struct Reading {
  var fetch: SelectionFetch
  var now: Milliseconds = 1_000
  var asked: [XAtom] = []

  init(_ wanted: [XAtom]?, whole: Int = 1_000, text: Int = 100) {
    var limits = SelectionFetch.Limits()
    (limits.whole, limits.text) = (whole, text)
    fetch = SelectionFetch(
      wanted: wanted,
      vocabulary: .init(
        targets: atoms.targets, timestamp: atoms.timestamp, incr: atoms.incr,
        commands: [atoms.targets, atoms.multiple, atoms.timestamp, atoms.delete, command],
        texts: [plainText]),
      limits: limits)
  }

  static func numbers(_ targets: [XAtom]) -> SelectionFetch.Value {
    let bytes = targets.flatMap { target in
      withUnsafeBytes(of: target.rawValue) { Array($0) }
    }
    return .init(type: XAtom(rawValue: 4), format: 32, bytes: bytes, isWhole: true)
  }

  static func bytes(_ bytes: [UInt8], type: XAtom = plainText) -> SelectionFetch.Value {
    .init(type: type, format: 8, bytes: bytes, isWhole: true)
  }

  /// Reads to the end, or until the owner no longer answers (no entry); `nil` values are refusals.
  mutating func run(
    _ owner: [XAtom: SelectionFetch.Value?]
  ) -> Result<[SelectionFetch.Form], Reason>? {
    var actions = fetch.start(now: now)
    while let action = actions.first {
      actions.removeFirst()
      now += 1
      switch action {
      case .convert(let target):
        asked.append(target)
        guard let answer = owner[target] else { return nil }
        actions += fetch.notified(target, isThere: answer != nil, now: now)
      case .take(let most):
        let value = asked.last.flatMap { owner[$0] ?? nil }
        let isWhole = value.map { $0.isWhole && $0.bytes.count <= most } ?? true
        actions += fetch.took(
          value.map { .init(type: $0.type, format: $0.format, bytes: $0.bytes, isWhole: isWhole) },
          now: now)
      case .end(let result): return result
      }
    }
    return nil
  }
}

extension Result<[SelectionFetch.Form], Reason> {
  fileprivate var targets: [XAtom]? { try? get().map(\.target) }
  fileprivate var reason: Reason? {
    if case .failure(let reason) = self { reason } else { nil }
  }
}

@Suite("Reading a selection")
struct SelectionFetchTests {
  private let all = Reading.numbers([atoms.targets, html, command, uriList, plainText])

  @Test("What is wanted is asked for in its order, as far as it is offered, and nothing else")
  func wanted() {
    var reading = Reading([plainText, XAtom(rawValue: 999), uriList, command])
    let result = reading.run([
      atoms.targets: all, plainText: Reading.bytes([1]), uriList: Reading.bytes([2, 3]),
    ])
    #expect(result?.targets == [plainText, uriList])
    #expect(reading.asked == [atoms.targets, plainText, uriList])
  }

  @Test("When nothing is named, all is read but what is a command; a refused form is left out")
  func everything() {
    var reading = Reading(nil)
    let result = reading.run([
      atoms.targets: all, plainText: Reading.bytes([1]), uriList: Reading.bytes([2]),
      html: nil,
    ])
    #expect(result?.targets == [uriList, plainText])
    #expect(!reading.asked.contains(command))
  }

  @Test(
    "An owner that gives nothing fit is told of",
    arguments: [
      ([atoms.targets: Reading.numbers([html])], .wrongType),
      ([atoms.targets: Reading.numbers([uriList]), uriList: nil], .programFailed),
      ([atoms.targets: nil, uriList: nil], .wrongType),
      ([atoms.targets: Reading.bytes([1, 2, 3, 4]), uriList: nil], .wrongType),
      ([atoms.targets: Reading.numbers([]), uriList: nil], .wrongType),
      ([atoms.targets: Reading.numbers(.init(repeating: uriList, count: 300))], .tooBig),
      (
        [
          atoms.targets: Reading.numbers([uriList]),
          uriList: Reading.bytes([UInt8](repeating: 0, count: 1_001)),
        ], .tooBig
      ),
      (
        [atoms.targets: Reading.numbers([uriList]), uriList: Reading.numbers([html])],
        .programFailed
      ),
    ] as [([XAtom: SelectionFetch.Value?], Reason)])
  func unfit(owner: [XAtom: SelectionFetch.Value?], reason: Reason) {
    var reading = Reading([uriList])
    #expect(reading.run(owner)?.reason == reason)
    #expect(reading.fetch.deadline == nil)
  }

  @Test("Text has a smaller bound than data; the same form named twice is read once")
  func bounds() {
    let long = Reading.bytes([UInt8](repeating: 65, count: 101))
    var text = Reading([plainText])
    #expect(text.run([atoms.targets: all, plainText: long])?.reason == .tooBig)
    var data = Reading([uriList, uriList])
    #expect(data.run([atoms.targets: all, uriList: long])?.targets == [uriList])
  }

  @Test("Who can't list what there is may still give what is asked for")
  func noTargets() {
    var reading = Reading([uriList])
    #expect(
      reading.run([atoms.targets: nil, uriList: Reading.bytes([7])])?.targets == [uriList])
  }

  @Test("An owner that does not answer is given up after half a second, at each step")
  func silence() {
    let owners: [[XAtom: SelectionFetch.Value?]] = [[:], [atoms.targets: all]]
    for owner in owners {
      var reading = Reading([uriList])
      #expect(reading.run(owner) == nil)
      let last = reading.now
      #expect(reading.fetch.tick(now: last + 400).isEmpty)
      #expect(reading.fetch.tick(now: last + 500) == [.end(.failure(.notResponding))])
      #expect(reading.fetch.tick(now: last + 5_000).isEmpty)
    }
  }

  @Test("Portions are put together, until an empty one")
  func portions() {
    var reading = Reading([uriList])
    let size = SelectionFetch.Value(
      type: atoms.incr, format: 32, bytes: [9, 0, 0, 0], isWhole: true)
    #expect(reading.run([atoms.targets: all, uriList: size]) == nil)
    for part: [UInt8] in [[1, 2], [3]] {
      #expect(reading.fetch.written(now: reading.now) == [.take(most: 1_000)])
      #expect(reading.fetch.took(Reading.bytes(part), now: reading.now).isEmpty)
    }
    _ = reading.fetch.written(now: reading.now)
    let form = SelectionFetch.Form(target: uriList, type: plainText, bytes: [1, 2, 3])
    #expect(
      reading.fetch.took(Reading.bytes([]), now: reading.now) == [.end(.success([form]))])
  }

  @Test("Portions without end are too much, and a trickle ends with the patience")
  func endless() {
    for (size, reason) in [(400, Reason.tooBig), (1, .notResponding)] {
      var reading = Reading([uriList])
      let marker = SelectionFetch.Value(type: atoms.incr, format: 32, bytes: [], isWhole: true)
      _ = reading.run([atoms.targets: all, uriList: marker])
      var end: [SelectionFetch.Action] = []
      while end.isEmpty {
        reading.now += 450
        end = reading.fetch.tick(now: reading.now)
        guard end.isEmpty else { break }
        _ = reading.fetch.written(now: reading.now)
        let part = Reading.bytes([UInt8](repeating: 1, count: size))
        end = reading.fetch.took(part, now: reading.now)
      }
      #expect(end == [.end(.failure(reason))])
    }
  }

  @Test("Forms of two contents are not taken for one; the time of the owner tells them apart")
  func changed() {
    let offered = Reading.numbers([atoms.timestamp, uriList, plainText])
    for isChanged in [false, true] {
      var reading = Reading([uriList, plainText])
      var owner: [XAtom: SelectionFetch.Value?] = [
        atoms.targets: offered, uriList: Reading.bytes([1]),
        atoms.timestamp: Reading.numbers([XAtom(rawValue: 5)]),
      ]
      #expect(reading.run(owner) == nil)
      #expect(reading.asked == [atoms.targets, atoms.timestamp, uriList, plainText])
      _ = reading.fetch.notified(plainText, isThere: true, now: reading.now)
      #expect(
        reading.fetch.took(Reading.bytes([2]), now: reading.now) == [.convert(atoms.timestamp)])
      owner[atoms.timestamp] = Reading.numbers([XAtom(rawValue: isChanged ? 6 : 5)])
      _ = reading.fetch.notified(atoms.timestamp, isThere: true, now: reading.now)
      let end = reading.fetch.took(owner[atoms.timestamp] ?? nil, now: reading.now)
      guard case .end(let result) = end.first else {
        Issue.record("not over")
        return
      }
      #expect(result.reason == (isChanged ? .changed : nil))
    }
  }

  @Test("Notices of other questions, values nobody waits for and a late end change nothing")
  func stray() {
    var reading = Reading([uriList])
    _ = reading.fetch.start(now: 1)
    #expect(reading.fetch.notified(uriList, isThere: true, now: 2).isEmpty)
    #expect(reading.fetch.took(Reading.bytes([1]), now: 2).isEmpty)
    #expect(reading.fetch.written(now: 2).isEmpty)
    #expect(reading.fetch.ownerVanished() == [.end(.failure(.gone))])
    #expect(reading.fetch.ownerVanished().isEmpty)
    #expect(reading.fetch.notified(atoms.targets, isThere: true, now: 3).isEmpty)
  }

  @Test(
    "Names of forms that can be asked for are plain and short",
    arguments: [
      ("text/plain;charset=utf-8", true), ("", false), ("text/\u{1B}[2J", false),
      (String(repeating: "a", count: 256), false), ("bücher", false),
    ])
  func names(name: String, isFit: Bool) {
    #expect(SelectionForms.askable([name]) == (isFit ? [name] : []))
  }
}
