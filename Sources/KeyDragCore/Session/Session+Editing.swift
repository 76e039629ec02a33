/// The edit mode of a list, without which its rows keep their order.
extension Session {
  mutating func toggleEdit() {
    guard let id = browse.container, let isEditing = registry[id]?.container.isEditing else {
      rejectCommand(.toggleEdit)
      return
    }
    request(.list(.edited(id, isOn: !isEditing), includingHidden: false), for: .edit(id))
  }

  /// The edit mode has changed; answers may depend on it, so all places are asked again.
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
