/// An error that stops the tool, in words for who builds.
struct ToolError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
