import KeyDragCore
import Testing

/// How fast a delivery is, for the eye.
struct PaceTests {
  @Test(
    "H19: the pace is known after a second, and the time left with the size",
    arguments: [
      (DeliveryProgress(bytesDone: 9, bytesTotal: 90), nil, nil),
      (DeliveryProgress(bytesDone: 9, bytesTotal: 90, milliseconds: 999), nil, nil),
      (DeliveryProgress(bytesDone: 20, bytesTotal: 90, milliseconds: 2000), 10, 7),
      (DeliveryProgress(bytesDone: 20, milliseconds: 2000), 10, nil),
      (DeliveryProgress(bytesDone: 0, bytesTotal: 90, milliseconds: 2000), nil, nil),
      (DeliveryProgress(bytesDone: 1, bytesTotal: .max, milliseconds: 9000), 0, nil),
      (DeliveryProgress(bytesDone: .max, bytesTotal: .max, milliseconds: 1000), nil, nil),
      (DeliveryProgress(bytesDone: 90, bytesTotal: 20, milliseconds: 1000), 90, nil),
    ] as [(DeliveryProgress, Int64?, Int64?)])
  func pace(progress: DeliveryProgress, rate: Int64?, left: Int64?) {
    #expect(progress.bytesPerSecond == rate)
    #expect(progress.secondsLeft == left)
  }
}
