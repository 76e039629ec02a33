import KeyDragCore
import Synchronization
import Testing
import ToldDesktop

@testable import KeyDragFiles

@Suite("How far a delivery has come")
struct ProgressMeterTests {
  @Test("It is told at most ten times a second, with the time since it began")
  func seldom() throws {
    let clock = ToldClock()
    let told = Mutex<[DeliveryProgress]>([])
    let meter = ProgressMeter(
      report: { progress in told.withLock { $0.append(progress) } }, clock: clock)
    // What lies before the beginning does not count.
    clock.advance(by: .seconds(5))
    meter.begin(total: 1000)
    for _ in 0..<25 {
      clock.advance(by: .milliseconds(10))
      try meter.add(10)
    }
    #expect(told.withLock { $0.map(\.milliseconds) } == [100, 200])
    #expect(told.withLock { $0.map(\.bytesDone) } == [100, 200])
    #expect(meter.progress.bytesDone == 250 && meter.progress.bytesTotal == 1000)
  }
}
