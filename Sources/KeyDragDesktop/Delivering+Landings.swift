import KeyDragCore

/// Ends of drops by what lies in a folder on the disk, or stands in a text.
extension Delivering {
  /// See ``landed(_:_:_:_:)``.
  func result(
    of outcome: DragOutcome, _ order: DeliveryOrder, _ expected: any ExpectedLanding
  ) async -> End {
    await landed(outcome, order, expected).end
  }

  /// Waits until the folder is quiet, see ``ExpectedLanding``. A disk that hangs makes it
  /// unconfirmed.
  func landed(
    _ outcome: DragOutcome, _ order: DeliveryOrder, _ expected: any ExpectedLanding,
    _ after: Aftermath? = nil
  ) async -> Seen {
    // The files in the folder count, whatever the program says.
    guard
      let report = await expected.check(
        on: desktop.clock, isAsking: { after?.isAsking == true })
    else {
      return Seen(end: (Self.failure(order, .unconfirmed, .notResponding), nil))
    }
    let end = Self.result(of: report, order, wasAsked: after?.wasAsked == true)
    return Seen(end: end, isNothing: report.isCertainlyNothing)
  }

  /// The folder decides: all landed, some, or none. None is unconfirmed, because the program may be
  /// at it still.
  ///
  /// - Parameter wasAsked: whether the program has asked the person about the drop.
  static func result(of report: LandingReport, _ order: DeliveryOrder, wasAsked: Bool) -> End {
    // A program that ended with its question open was answered by nobody: nothing comes any more.
    // One that has not asked may have passed the drop on to another program.
    if wasAsked, report.isCertainlyNothing, report.hasProgramEnded {
      return (failure(order, .failed, .programEnded), nil)
    }
    if report.landed == order.items.count {
      var result = success(order, report.landed, isVerified: report.isVerified)
      result.bytes = report.bytes
      result.totalBytes = report.bytes
      result.renamed = report.renamed
      result.effect = effect(of: report, order)
      result.elsewhere = report.elsewhere
      return (result, report.entry)
    }
    if report.landed == 0 { return (failure(order, .unconfirmed, .unknown), nil) }
    var result = DeliveryResult(
      outcome: .partly, route: .xdnd, delivered: report.landed, failures: report.missing,
      bytes: report.bytes, verified: report.isVerified)
    result.effect = effect(of: report, order)
    result.elsewhere = report.elsewhere
    return (result, report.entry)
  }

  /// The operation that the person chose in the program's own question.
  ///
  /// As ordered, where it is what was ordered.
  private static func effect(of report: LandingReport, _ order: DeliveryOrder) -> DeliveryEffect {
    guard let operation = report.operation, operation != order.operation else { return .ordered }
    return .performed(operation)
  }

  /// Of all that was counted.
  static func success(
    _ order: DeliveryOrder, _ count: Int, isVerified: Bool
  ) -> DeliveryResult {
    DeliveryResult(outcome: .delivered, route: .xdnd, delivered: count, verified: isVerified)
  }

  /// The same reason for every item.
  static func failure(
    _ order: DeliveryOrder, _ outcome: DeliveryOutcome, _ reason: Reason
  ) -> DeliveryResult {
    DeliveryResult(
      outcome: outcome, route: .xdnd, delivered: 0,
      failures: order.items.map { DeliveryFailure(name: $0.name, reason: reason) })
  }

  /// A result with the line of a text in which all of it has come to stand, where that can be seen:
  /// programs do not always write where they have shown that they would.
  func located(
    _ result: DeliveryResult, at spot: Desktop.Spot, since before: Before
  ) async -> DeliveryResult {
    guard result.outcome == .delivered, result.verified, spot.place.role == .textField,
      let old = before.view.sight.text, let new = await desktop.sight(of: spot).text,
      max(old.count, new.count) < DropEffect.mostText,
      let position = TextPosition(insertedInto: old, giving: new), old.contains(where: \.isNewline)
    else { return result }
    var result = result
    result.textPosition = position
    return result
  }
}
