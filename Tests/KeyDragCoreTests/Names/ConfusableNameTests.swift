import Testing

@testable import KeyDragCore

/// Names in one folder that nobody can tell apart by their look or their sound.
struct ConfusableNameTests {
  @Test(
    "H14: of two names that look and sound the same, the one that is written unusually is found",
    arguments: [
      ("\u{441}\u{43E}\u{440}.txt", "cop.txt"), ("\u{39F}\u{39A}", "OK"),
      ("\u{41E}\u{41A}", "\u{39F}\u{39A}"), ("e\u{301}t\u{E9}", "\u{E9}t\u{E9}"),
      ("notes.txt ", "notes.txt"), ("two  words", "two words"), ("two\u{A0}words", "two words"),
      ("a\u{FFFD}b", "a\u{FFFD}b"), ("\u{FF41}b", "ab"), ("\u{2764}\u{FE0F}", "\u{2764}"),
      ("\u{43C}\u{438}\u{440}\u{2764}\u{FE0F}", "\u{43C}\u{438}\u{440}\u{2764}"),
      ("\u{845B}\u{E0100}", "\u{845B}"), ("\u{1820}\u{180B}", "\u{1820}"),
      ("\u{645}\u{6CC}\u{200C}\u{62E}", "\u{645}\u{6CC}\u{62E}"),
      ("\u{1F469}\u{200D}\u{1F467}", "\u{1F469}\u{1F467}"),
      ("\u{845B}\u{FE00}", "\u{845B}\u{FE01}"),
      // Cherokee, Coptic, Lisu, Armenian, and letters of mathematics.
      ("\u{13E2}\u{13A0}\u{13D9}", "PDV"), ("\u{2CA3}ay.pdf", "pay.pdf"),
      ("\u{A4D4}AY", "TAY"), ("n\u{585}tes", "notes"), ("\u{1D5C9}\u{1D5BA}\u{1D5D2}", "pay"),
      ("no\u{442}es", "noTes"), ("c\u{251}t", "cat"), ("two\u{2010}words", "two-words"),
    ])
  func alike(name: String, other: String) {
    #expect(ConfusableName(name)?.isLike(other) == true)
  }

  @Test(
    "A name that looks like no other one is none of these",
    arguments: [
      ("notes.txt", "notes.txt"), ("\u{441}\u{43E}\u{440}.txt", "cap.txt"),
      ("\u{43C}\u{438}\u{440}", "mup"), ("e\u{301}", "e"), ("\u{E9}", "e\u{301}"),
      ("a\u{FFFD}b", "a\u{FFFD}c"), ("two  words", "twowords"),
    ])
  func different(name: String, other: String) {
    #expect(ConfusableName(name)?.isLike(other) != true)
  }
}
