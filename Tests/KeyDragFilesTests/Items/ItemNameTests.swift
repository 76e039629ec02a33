import Testing

@testable import KeyDragFiles

@Suite("Names of files made of items")
struct ItemNameTests {
  @Test(
    "H24: a name is sensible, safe, and ends as its type does",
    arguments: [
      ("Ada Lovelace", ".vcf", "Ada Lovelace.vcf"), ("Ada.vcf", ".vcf", "Ada.vcf"),
      ("Ada.VCF", ".vcf", "Ada.VCF"), ("Mr. Smith", ".vcf", "Mr. Smith.vcf"),
      ("photo.pdf", ".png", "photo.png"), ("a/b/../c", ".txt", "a-b-..-c.txt"),
      ("../../etc/passwd", ".txt", "etc-passwd.txt"), (".hidden", ".txt", "hidden.txt"),
      ("-rf", ".txt", "rf.txt"), ("..", ".txt", "thing.txt"), ("", ".txt", "thing.txt"),
      (" \n ", "", "thing"), ("two\nlines\tof", ".txt", "two lines of.txt"),
      ("evil\u{202E}fdp.exe", ".txt", "evilfdp.exe.txt"), ("bell\u{07}\u{1B}[2J", "", "bell[2J"),
      ("broken\u{FFFD}name", "", "brokenname"), ("end. . ", "", "end"), (".vcf", ".vcf", "vcf.vcf"),
      ("日本語", ".txt", "日本語.txt"), ("Größe", ".txt", "Größe.txt"),
    ])
  func names(suggested: String, ending: String, name: String) {
    let made = ItemName.file(
      for: suggested, ending: ending, others: [".pdf"], fallback: "thing")
    #expect(made == name)
  }

  @Test("A name that is too long is cut before its ending, and not inside a character")
  func long() {
    let long = String(repeating: "ö", count: 300)
    let name = ItemName.file(for: long, ending: ".txt", fallback: "x")
    #expect(name == String(repeating: "ö", count: 125) + ".txt")
    #expect(name.utf8.count <= 255)
  }
}
