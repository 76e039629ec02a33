import Testing

@testable import KeyDragAccessibility

@Suite("When a screen reader has done with a key")
struct GrabbedKeyTrackerTests {
  /// What happens, in milliseconds from the start.
  private final class Course {
    private let start = ContinuousClock.now
    private var focus: GrabbedKeyTracker

    /// - Parameter tellings: how often the program tells at a return what is in focus, as far as that is
    ///   known from a key before.
    init(reportCount: Int = 1) {
      focus = GrabbedKeyTracker(singleReporters: reportCount == 1 ? [""] : [])
    }

    /// A chord is pressed at the start, and takes the focus from a program.
    static func chord(reportCount: Int = 1) -> Course {
      let course = Course(reportCount: reportCount)
      course.take(isSeen: true, at: 0)
      course.lose(at: 5)
      return course
    }

    private func at(_ milliseconds: Int) -> GrabbedKeyTracker.Instant {
      start + .milliseconds(milliseconds)
    }

    func take(isSeen: Bool, at time: Int) { focus.take(isSeen: isSeen, at: at(time)) }
    func lose(at time: Int, isUnsaid: Bool = false) {
      focus.lose(at: at(time), isUnsaid: isUnsaid)
    }
    func begin(at time: Int, for duration: Int) {
      focus.begin(at: at(time), for: .milliseconds(duration))
    }
    func isUnfinished(at time: Int) -> Bool { focus.isUnfinished(at: at(time)) }
    func restoreKeyboard(at time: Int) { focus.restoreKeyboard(at: at(time)) }
    func settle(at time: Int, on object: String? = nil) { focus.settle(object, at: at(time)) }
    func go(at time: Int, for duration: Int = 0) -> Bool {
      focus.go(at: at(time), for: .milliseconds(duration))
    }
    func isReadingRedundant(at time: Int) -> Bool { focus.isReadingRedundant(at: at(time)) }
    func readAlways() { focus.readsAlways = true }
    func comeBackSeen(at time: Int) { focus.restoreKeyboard(at: at(time), isRereading: true) }
    func takeAgain(at time: Int) -> Bool { focus.takeAgain(at: at(time)) }

    /// Until when words wait.
    func wait(at time: Int) -> Int? {
      focus.wait(at: at(time)).map { Int((($0 - start) / .milliseconds(1)).rounded()) }
    }
  }

  @Test("Without a key nothing waits, and nothing is cut off")
  func nothing() {
    let course = Course()
    #expect(course.wait(at: 0) == nil)
    #expect(!course.go(at: 0))
    course.lose(at: 10)
    #expect(course.wait(at: 20) == nil)
    course.restoreKeyboard(at: 30)
    #expect(course.wait(at: 30) == nil)
  }

  @Test("After a chord words wait until the program has told what is in focus again")
  func chordReturns() {
    let course = Course.chord()
    #expect(course.wait(at: 10) == 400)
    course.restoreKeyboard(at: 90)
    #expect(course.wait(at: 90) == 190)
    course.settle(at: 95)
    #expect(course.wait(at: 95) == 125)
    course.settle(at: 105)
    #expect(course.wait(at: 106) == 135)
    #expect(course.wait(at: 135) == nil)
    #expect(course.go(at: 135))
    #expect(!course.go(at: 136))
    #expect(!course.takeAgain(at: 200))
  }

  @Test("Words wait for the second telling of a program that was not seen to tell once only")
  func secondTelling() {
    let course = Course.chord(reportCount: 2)
    course.restoreKeyboard(at: 90)
    #expect(course.wait(at: 90) == 190)
    course.settle(at: 91)
    #expect(course.wait(at: 91) == 590)
    course.settle(at: 300)
    #expect(course.wait(at: 300) == 330)
    #expect(course.go(at: 330))
  }

  @Test("A program that has told once is not waited for at the next key, until it tells twice")
  func onceTold() {
    let course = Course(reportCount: 2)
    for (time, end) in [(0, 590), (2000, 2121)] {
      course.take(isSeen: true, at: time)
      course.lose(at: time + 5)
      course.restoreKeyboard(at: time + 90)
      course.settle(at: time + 91)
      #expect(course.wait(at: time + 91) == end)
    }
    course.settle(at: 2150)
    course.take(isSeen: true, at: 4000)
    course.lose(at: 4005)
    course.restoreKeyboard(at: 4090)
    course.settle(at: 4091)
    #expect(course.wait(at: 4091) == 4590)
  }

  @Test("Words that a late second telling reads after them go out again, or cut it off when over")
  func lateSecond() {
    for (duration, isAgain) in [(3000, true), (100, false)] {
      let course = Course.chord(reportCount: 2)
      course.restoreKeyboard(at: 90)
      course.settle(at: 91)
      #expect(course.go(at: 600, for: duration))
      course.settle(at: 800)
      #expect(course.takeAgain(at: 831) == isAgain)
      #expect(course.go(at: 831), "cuts off what is read")
      #expect(!course.go(at: 840))
    }
  }

  @Test("What is read anew before the first words of a key is in vain, for a second")
  func vain() {
    let course = Course.chord()
    #expect(!course.isReadingRedundant(at: 50))
    course.restoreKeyboard(at: 90)
    #expect(course.isReadingRedundant(at: 90) && course.isReadingRedundant(at: 1080))
    #expect(!course.isReadingRedundant(at: 1100))
    _ = course.go(at: 1080)
    #expect(!course.isReadingRedundant(at: 1081))
    let walk = Course()
    walk.take(isSeen: false, at: 0)
    walk.lose(at: 5)
    walk.restoreKeyboard(at: 90)
    #expect(!walk.isReadingRedundant(at: 91), "nothing is read")
  }

  @Test("A program that goes on telling of its focus keeps nobody waiting")
  func chatter() {
    let course = Course.chord()
    course.restoreKeyboard(at: 90)
    for time in stride(from: 90, through: 180, by: 10) { course.settle(at: time) }
    #expect(course.wait(at: 181) == 190)
    #expect(course.wait(at: 190) == nil)
  }

  @Test("A chord that is held down is answered all the same, and again when it is let go")
  func heldChord() {
    let course = Course.chord()
    #expect(course.wait(at: 400) == nil)
    #expect(course.go(at: 400))
    #expect(!course.takeAgain(at: 410))
    course.restoreKeyboard(at: 700)
    course.settle(at: 700)
    #expect(!course.takeAgain(at: 710))
    #expect(course.takeAgain(at: 730))
    #expect(course.go(at: 730), "what was read anew is cut off")
    #expect(!course.takeAgain(at: 740))
  }

  @Test("A key of the walk waits for the loss only, at which the reader falls silent")
  func stroke() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(course.wait(at: 1) == 150)
    course.lose(at: 6)
    #expect(course.wait(at: 6) == nil)
    #expect(course.go(at: 6))
    course.restoreKeyboard(at: 100)
    #expect(course.wait(at: 100) == nil)
    #expect(!course.takeAgain(at: 200))
  }

  @Test("Held down, a key of the walk waits for nothing more")
  func repeated() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    course.lose(at: 6)
    for time in [500, 530, 560, 3000] {
      course.take(isSeen: false, at: time)
      #expect(course.wait(at: time) == nil)
      #expect(course.go(at: time))
    }
  }

  @Test("The loss may be told of before the key is")
  func early() {
    let course = Course()
    course.lose(at: 0)
    course.take(isSeen: false, at: 1)
    #expect(course.wait(at: 1) == nil)
  }

  @Test("Soon after a chord a key of the walk waits for the return too")
  func soonAfter() {
    let course = Course.chord()
    course.restoreKeyboard(at: 90)
    course.take(isSeen: false, at: 1000)
    course.lose(at: 1005)
    #expect(course.wait(at: 1005) == 1400)
    course.restoreKeyboard(at: 1050)
    course.take(isSeen: false, at: 1500)
    course.lose(at: 1505)
    #expect(course.wait(at: 1505) == nil, "the key between was not seen")
  }

  @Test("A program that tells of nothing is waited for twice, until one tells")
  func silent() {
    let course = Course()
    for time in [0, 1000] {
      course.take(isSeen: false, at: time)
      #expect(course.wait(at: time) == time + 150)
      #expect(course.wait(at: time + 150) == nil)
    }
    course.take(isSeen: false, at: 2000)
    #expect(course.wait(at: 2000) == nil)
    course.lose(at: 2005)
    course.restoreKeyboard(at: 2100)
    course.take(isSeen: false, at: 3000)
    #expect(course.wait(at: 3000) == 3150)
  }

  @Test("Words that a late loss has cut off go out again when the focus has come back, once")
  func lateLoss() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(course.go(at: 150))
    course.lose(at: 180)
    #expect(!course.takeAgain(at: 180))
    course.restoreKeyboard(at: 250)
    #expect(course.wait(at: 250) == 350)
    course.settle(at: 255)
    #expect(!course.takeAgain(at: 260))
    #expect(course.takeAgain(at: 285))
    #expect(course.go(at: 285))
    #expect(!course.takeAgain(at: 290))
  }

  @Test("Where windows swap the focus, words wait for the return at every key")
  func swap() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    course.restoreKeyboard(at: 110)
    #expect(course.wait(at: 110) == 150)
    course.lose(at: 110)
    #expect(course.wait(at: 111) == 400)
    course.lose(at: 130)
    course.restoreKeyboard(at: 130)
    course.settle(at: 131)
    #expect(course.wait(at: 131) == 161)
    #expect(course.go(at: 161))
    #expect(!course.takeAgain(at: 200))
  }

  @Test("Where windows swap the focus later than the words, these go out again")
  func lateSwap() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(course.go(at: 150))
    course.restoreKeyboard(at: 180)
    course.lose(at: 180)
    course.lose(at: 200)
    course.restoreKeyboard(at: 200)
    course.settle(at: 201)
    #expect(!course.takeAgain(at: 210))
    #expect(course.takeAgain(at: 231))
  }

  @Test("After a chord they go out again when the focus has come back")
  func lateLossOfChord() {
    let course = Course()
    course.take(isSeen: true, at: 0)
    #expect(course.go(at: 150))
    course.lose(at: 180)
    #expect(!course.takeAgain(at: 180))
    course.restoreKeyboard(at: 250)
    #expect(!course.takeAgain(at: 250))
    #expect(course.takeAgain(at: 350))
    #expect(!course.takeAgain(at: 351))
  }

  @Test("A window that is left later has cut off nothing of the key")
  func anotherWindow() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(course.go(at: 150))
    course.lose(at: 900)
    #expect(!course.takeAgain(at: 900))
  }

  @Test("A window that tells late of its loss cuts off what is being said: it goes out again")
  func veryLateLoss() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(course.go(at: 150, for: 2000))
    course.lose(at: 1100)
    course.restoreKeyboard(at: 2200)
    #expect(!course.takeAgain(at: 2210))
    #expect(course.takeAgain(at: 2301))
    #expect(!course.takeAgain(at: 2302))
  }

  @Test("Of two keys in a row each takes the focus: what either loss cuts off goes out again")
  func twoKeys() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    course.take(isSeen: false, at: 5)
    #expect(course.go(at: 155, for: 2000))
    course.lose(at: 300)
    course.restoreKeyboard(at: 301)
    #expect(course.takeAgain(at: 402))
    #expect(course.go(at: 402, for: 2000))
    course.lose(at: 2100)
    course.restoreKeyboard(at: 2101)
    #expect(course.isUnfinished(at: 2102))
    #expect(course.takeAgain(at: 2202))
    #expect(course.go(at: 2202, for: 2000))
    course.lose(at: 2300)
    course.restoreKeyboard(at: 2301)
    #expect(!course.takeAgain(at: 2500), "a loss of another's")
  }

  @Test("After the return of the first of two keys words wait for the loss of the second")
  func twoReturns() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    course.take(isSeen: false, at: 40)
    course.lose(at: 50)
    course.restoreKeyboard(at: 60)
    #expect(course.wait(at: 60) == 190)
    course.lose(at: 90)
    #expect(course.wait(at: 90) == nil)
    course.restoreKeyboard(at: 100)
    #expect(course.wait(at: 100) == nil)
  }

  @Test("Words that a reader comes to late are being said from then on, and unsaid before")
  func lateReader() {
    for isUnsaid in [true, false] {
      let course = Course()
      course.take(isSeen: false, at: 0)
      #expect(course.go(at: 150, for: 1000))
      if !isUnsaid { course.begin(at: 3000, for: 1000) }
      course.lose(at: 3500, isUnsaid: isUnsaid)
      course.restoreKeyboard(at: 3600)
      #expect(course.takeAgain(at: 3701))
    }
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(course.go(at: 150, for: 1000))
    #expect(course.isUnfinished(at: 1100) && !course.isUnfinished(at: 1200))
    course.lose(at: 3500)
    course.restoreKeyboard(at: 3600)
    #expect(!course.takeAgain(at: 3701))
  }

  @Test("A window that was left long ago is not away because of the key")
  func left() {
    let course = Course()
    course.lose(at: 0)
    course.take(isSeen: true, at: 5000)
    #expect(course.wait(at: 5000) == 5150)
  }

  @Test("A reader that forgets at every loss is waited for at every key")
  func forgetful() {
    let course = Course()
    course.readAlways()
    course.take(isSeen: false, at: 0)
    course.lose(at: 5)
    #expect(course.wait(at: 5) == 400)
    course.restoreKeyboard(at: 100)
    course.settle(at: 102)
    #expect(course.wait(at: 103) == 132)
    #expect(course.go(at: 132))
  }

  @Test("A program that tells of another object at the return is waited for from the next key on")
  func otherObject() {
    let course = Course()
    course.settle(at: -10, on: "row")
    for time in [0, 1000] {
      course.take(isSeen: false, at: time)
      course.lose(at: time + 5)
      #expect(course.wait(at: time + 5) == (time == 0 ? nil : 1400))
      course.restoreKeyboard(at: time + 100)
      course.settle(at: time + 101, on: "view")
      course.settle(at: time + 104, on: "row")
    }
  }

  @Test("At the return of the same object nothing is read, and nothing waits")
  func sameObject() {
    let course = Course()
    course.settle(at: -10, on: "view")
    for time in [0, 1000] {
      course.take(isSeen: false, at: time)
      course.lose(at: time + 5)
      #expect(course.wait(at: time + 5) == nil)
      #expect(course.go(at: time + 5, for: 2000))
      course.restoreKeyboard(at: time + 100)
      course.settle(at: time + 101, on: "view")
      #expect(!course.takeAgain(at: time + 200))
    }
  }

  @Test("GTK 4's return is read at every key, because the reader has seen it")
  func seenReturn() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    course.lose(at: 5)
    #expect(course.go(at: 5))
    course.comeBackSeen(at: 100)
    #expect(course.takeAgain(at: 201))
    course.take(isSeen: false, at: 1000)
    course.lose(at: 1005)
    #expect(course.wait(at: 1005) == 1400)
  }

  @Test("Words that a menu of the program has cut off go out again when it is closed, once")
  func menu() {
    let course = Course.chord()
    course.settle(at: -10, on: "view")
    course.restoreKeyboard(at: 90)
    course.settle(at: 91, on: "view")
    #expect(course.go(at: 130, for: 3000))
    course.settle(at: 150, on: "menu")
    course.settle(at: 170, on: "view")
    #expect(!course.takeAgain(at: 180))
    #expect(course.takeAgain(at: 221))
    #expect(course.go(at: 221, for: 3000))
    #expect(!course.takeAgain(at: 300))
  }

  @Test("Words that are over are not said again because of another focus")
  func over() {
    let course = Course.chord()
    course.settle(at: -10, on: "view")
    course.restoreKeyboard(at: 90)
    course.settle(at: 91, on: "view")
    #expect(course.go(at: 130, for: 300))
    course.settle(at: 500, on: "menu")
    #expect(!course.takeAgain(at: 700))
  }

  @Test("What comes long after the key cuts nothing off")
  func late() {
    let course = Course()
    course.take(isSeen: false, at: 0)
    #expect(!course.go(at: 2500))
  }
}
