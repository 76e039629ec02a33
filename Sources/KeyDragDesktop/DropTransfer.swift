import KeyDragCore

/// A drop in progress: when it no longer blocks others, and how it ends.
struct DropTransfer: Sendable {
  /// Called with the bytes that the program has taken, and their total.
  typealias Progress = @Sendable (_ bytes: Int, _ total: Int) -> Void

  private let transfer: Task<DragAnswer, Never>
  /// The outcome, or `nil` first when the program takes long.
  private let news: AsyncStream<DragAnswer?>
  /// Time from the first part until other drags may begin: the program may ask for another form.
  private static let patience = Duration.seconds(1)

  init(
    on clock: any Clock<Duration>,
    _ drop: @escaping @Sendable (@escaping Progress) async -> DragAnswer,
    _ progress: @escaping Progress
  ) {
    let (news, tell) = AsyncStream.makeStream(of: DragAnswer?.self)
    self.news = news
    let firstPart = Once<Void> {
      Task {
        try? await clock.sleep(for: Self.patience)
        tell.yield(nil)
      }
    }
    transfer = Task.immediate {
      let outcome = await drop { bytes, total in
        firstPart.give(())
        progress(bytes, total)
      }
      tell.yield(outcome)
      return outcome
    }
  }

  /// Returns the outcome once it has ended, or `nil` when its program takes long. To be called once.
  func isHandedOver() async -> DragAnswer? { await news.first { _ in true } ?? nil }

  func outcome() async -> DragAnswer { await transfer.value }
}
