import Foundation
import PrivateDesktop
import Synchronization

/// Notes when each line of a file that grows was there.
final class LineClock: Sendable {
  private let moments = Mutex<[Double]>([])
  private static let pause = 0.005

  /// Looks as long as it is kept.
  init(_ path: String) {
    let thread = Thread { [weak self] in
      var rest: FileHandle?
      while let clock = self {
        clock.look(&rest, path)
        Thread.sleep(forTimeInterval: Self.pause)
      }
    }
    thread.start()
  }

  private func look(_ file: inout FileHandle?, _ path: String) {
    file = file ?? FileHandle(forReadingAtPath: path)
    guard let new = try? file?.readToEnd() else { return }
    let count = new.count { $0 == UInt8(ascii: "\n") }
    let now = HeardSpeech.now
    moments.withLock { $0 += Array(repeating: now, count: count) }
  }

  /// When the line of this number was there, from 0.
  func moment(ofLine number: Int) -> Double? {
    moments.withLock { $0.indices.contains(number) ? $0[number] : nil }
  }
}
