extension ItemProvider.Mistake: CustomStringConvertible {
  /// A sentence for the programmer.
  public var description: String {
    switch self {
    case .noRepresentation: "An item has neither a form nor an object."
    case .repeated(let contentType): "An item has two forms of the type \(contentType)."
    case .notAType(let text): "\(text) is no content type, such as text/plain."
    case .tooEarly: "The data of an item was asked for before it was dropped."
    case .tooLate: "The data of an item was asked for after its drop was taken."
    }
  }
}
