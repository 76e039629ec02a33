/// The edit mode of a list: while it is off, its rows stay in their order.
extension Session {
  /// Turns the mode of the list shown on or off.
  mutating func toggleEdit() {
    guard let id = browse.container, let isEditing = registry[id]?.container.isEditing else {
      notHere(.toggleEdit)
      return
    }
    request(.list(.edited(id, isOn: !isEditing), includingHidden: false), for: .edit(id))
  }

  /// Takes the new mode; the answers of places may depend on it, so each is asked again.
  mutating func edited(_ listing: Listing, _ id: ContainerID) {
    guard listing.container.id == id, let isEditing = listing.container.isEditing else {
      say(.operationUnavailable(.move, .unknown))
      return
    }
    registry.insert(listing)
    keepFocus(in: id)
    say(.mode(.edit, isOn: isEditing))
    askAgain()
  }
}
