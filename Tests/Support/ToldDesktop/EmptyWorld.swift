import KeyDragCore

/// A desktop's sources, where there is nothing but what programs show.
package final class EmptyWorld: World {
  package init() {}

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) { throw ListingError(.nothingThere) }

  package func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
    []
  }

  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {}

  package func cancel(_ delivery: DeliveryID) {}

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {}

  package func close() {}
}
