import Testing

@testable import KeyDragAccessibility

@Suite("Addresses are completed by that of their page")
struct PageAddressTests {
  @Test(
    "as a browser would",
    arguments: [
      ("https://b.org/x", "https://a.org/p/q.html", "https://b.org/x"),
      ("pic.png", "https://a.org/p/q.html", "https://a.org/p/pic.png"),
      ("./pic.png", "https://a.org/p/q.html?x=/1/2", "https://a.org/p/pic.png"),
      ("../pic.png", "https://a.org/p/r/q.html", "https://a.org/p/pic.png"),
      ("../../../pic.png", "https://a.org/p/q.html", "https://a.org/pic.png"),
      ("/pic.png", "https://a.org/p/q.html", "https://a.org/pic.png"),
      ("//b.org/pic.png", "https://a.org/p/q.html", "https://b.org/pic.png"),
      ("pic.png", "https://a.org", "https://a.org/pic.png"),
      ("pic.png", "file:///home/ada/q.html", "file:///home/ada/pic.png"),
      ("pic.png", "about:blank", nil), ("pic.png", "", nil),
    ] as [(String, String, String?)])
  func resolved(address: String, page: String, result: String?) {
    #expect(PageAddress.resolved(address, on: page) == result)
  }
}
