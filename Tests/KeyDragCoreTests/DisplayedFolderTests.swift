import Testing

@testable import KeyDragCore

struct DisplayedFolderTests {
  @Test(
    "K19: a folder is told by its name, also where its window's title holds the path",
    arguments: [
      ("Docs", nil, "Docs"), ("/home/ann/Docs", nil, "Docs"), ("~/Docs", nil, "Docs"),
      ("Docs - /home/ann/Docs", nil, "Docs"), ("/", nil, "/"), ("", nil, ""),
      ("/home/ann/Docs", "Letters", "Letters"),
    ] as [(String, String?, String)])
  func name(title: String, row: String?, spoken: String) {
    #expect(DisplayedFolder(title: title, row: row).spokenName == spoken)
  }
}
