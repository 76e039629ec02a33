import KeyDrag

/// The example of the README, run as it stands there; what it prints goes to `print`.
func libraryExample(print: @escaping @Sendable (String) -> Void) async throws {
  // The example begins here.
  let host = DragHost()
  let words = host.addContainer("Words")
  let table = host.addContainer("Table")
  let item = try ItemProvider(
    suggestedName: "alpha", representations: [Representation("text/plain", bytes: [97])])
  host.register(DragHost.Source("alpha") { item }, in: words)
  let taker = DragHost.DropPoint("Basket") { _ in
    DropProposal(.all, offers: [.copy])
  } performDrop: { drop in
    for (item, _) in drop.items { print("took \(item.name)") }
  }
  host.register(taker, in: table)

  let (messages, speaker) = AsyncStream.makeStream(of: SpokenAnnouncement.self)
  let session = host.begin { speaker.yield($0) }
  for await message in messages {
    print(message.text)
    switch message.id {
    case "ready": session.perform(.pickUp)
    case "drop-point": session.perform(.drop)
    case "delivered":
      await session.end()
      speaker.finish()
    default: break
    }
  }
  // The example ends here.
}
