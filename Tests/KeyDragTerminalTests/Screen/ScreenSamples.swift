import KeyDragCore

@testable import KeyDragTerminal

/// Contents with everything a screen can show.
func fullContents(current: Int? = 1, message: String = "report.pdf, 2 of 4") -> ScreenContents {
  ScreenContents(
    title: "Inbox, 4 items",
    rows: [
      ScreenRow(name: "Sorted", note: "move"),
      ScreenRow(name: "a very long report about everything 2026.pdf", note: "refuses: read-only"),
      ScreenRow(name: "notes.txt", note: "text document", isMarked: true, depth: 1),
      ScreenRow(name: "held.png", note: "held", isDimmed: true),
    ],
    firstRow: 0, current: current, carried: "2 items: notes.txt, held.png, move",
    deliveries: [
      ScreenDelivery("Copying disk.iso to Docs, 43 %", percent: 43, pace: "12 MB/s  0:42")
    ], message: message)
}

func frame(_ contents: ScreenContents, _ columns: Int, _ rows: Int) -> ScreenFrame {
  ScreenLayout(size: ScreenSize(columns: columns, rows: rows)).frame(for: contents)
}

/// Names that are hard to show.
let hardNames = [
  "plain.txt", "e\u{301}te\u{301}.txt", "名前とても長い名前.txt", "👩‍👩‍👧.png", "שלום עולם.txt", "مرحبا",
  "a\u{1B}[2Jb",
  "new\nline", "", "\u{9B}31m", String(repeating: "x", count: 300) + ".tar.gz", ".hidden",
  "\u{202E}txt.exe",
]
