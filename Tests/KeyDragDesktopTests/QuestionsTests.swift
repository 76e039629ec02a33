import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("The order in which programs are asked")
struct QuestionsTests {
  private static func inquiry(_ place: UInt64, isFinal: Bool = false, isPrefetch: Bool = false)
    -> ProposalRequest
  {
    ProposalRequest(
      items: [], wish: nil, stops: [DropStop(DropPointID(place))], isFinal: isFinal,
      isPrefetch: isPrefetch)
  }

  /// Adds them in this order, as request 1, 2 and so on: a place where the person is, or one ahead.
  private static func questions(_ places: (place: UInt64, isPrefetch: Bool)...) -> Questions<Int> {
    var questions = Questions<Int>()
    for (index, place) in places.enumerated() {
      _ = questions.add(
        inquiry(place.place, isPrefetch: place.isPrefetch),
        index + 1)
    }
    return questions
  }

  /// The places in the order in which they are asked, with the requests that are answered then.
  private static func order(_ questions: Questions<Int>) -> [[UInt64]] {
    var questions = questions
    var result: [[UInt64]] = []
    while let inquiry = questions.next() {
      result.append(
        inquiry.stops.map(\.point.rawValue) + questions.answered().map { UInt64($0) })
    }
    return result
  }

  @Test("The place where the person is comes first, then those ahead, in the order of the walk")
  func walk() {
    let questions = Self.questions((7, false), (8, true), (9, true))
    #expect(Self.order(questions) == [[7, 1], [8, 2], [9, 3]])
  }

  @Test("Whoever jumps elsewhere does not wait for what was asked about where they were")
  func jump() {
    let questions = Self.questions(
      (1, false), (2, true), (3, true), (8, false), (7, true), (6, true))
    #expect(Self.order(questions) == [[8, 4], [7, 5], [6, 6], [1, 1], [2, 2], [3, 3]])
  }

  @Test("A place that was asked ahead is asked once when it is reached, and at once")
  func reached() {
    let questions = Self.questions((1, false), (2, true), (3, true), (4, true), (4, false))
    #expect(Self.order(questions) == [[4, 4, 5], [1, 1], [2, 2], [3, 3]])
  }

  @Test("A place that is being asked when it is reached is not asked again")
  func running() {
    var questions = Self.questions((2, true), (3, true))
    #expect(questions.next() == Self.inquiry(2, isPrefetch: true))
    _ = questions.add(Self.inquiry(2), 9)
    #expect(questions.answered() == [1, 9])
    #expect(questions.next() == Self.inquiry(3, isPrefetch: true))
  }

  @Test("Whoever walks fast waits for the place reached, and the nearest ahead comes next")
  func fast() {
    let questions = Self.questions((1, false), (2, true), (3, true), (2, false), (4, true))
    #expect(Self.order(questions) == [[2, 2, 4], [1, 1], [3, 3], [4, 5]])
  }

  @Test("Nothing is asked for what is not held any more, and whoever asked is told nothing")
  func otherThings() {
    var questions = Self.questions((1, false), (2, true))
    var other = Self.inquiry(1)
    other.wish = .move
    let left = questions.add(other, 9)
    #expect(left == [1, 2])
    #expect(questions.next() == other)
    #expect(questions.next() == nil)
  }

  @Test("The last question before a drop is asked anew, and none after it gets before the drop")
  func final() {
    var questions = Self.questions((2, true), (3, true), (4, true))
    #expect(questions.next() == Self.inquiry(2, isPrefetch: true))
    let left = questions.add(
      Self.inquiry(2, isFinal: true), 9)
    #expect(left == [2, 3])
    #expect(questions.answered() == [1])
    #expect(questions.next() == Self.inquiry(2, isFinal: true))
    #expect(questions.answered() == [9])
    #expect(questions.next() == nil)
  }

  @Test("Nothing is left to ask when all is dropped, and everybody who waits is given back")
  func dropped() {
    var questions = Self.questions((1, false), (2, true))
    _ = questions.next()
    #expect(questions.drop() == [1, 2])
    #expect(questions.next() == nil && questions.answered().isEmpty)
  }
}
