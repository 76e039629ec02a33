/// An error that stops the tool, with a message for the builder.
struct ToolError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
