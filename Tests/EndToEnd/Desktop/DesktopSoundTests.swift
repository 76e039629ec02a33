import Foundation
import PrivateDesktop
import RealPrograms
import Testing

/// What is heard at places of a desktop beside the words.
@Suite(
  "keydrag desktop, its sounds", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct DesktopSoundTests: AgentSteps {
  @Test(
    "H28 Copy, move, link, remove and not-allowed differ by word, and by sound where that is on",
    arguments: [true, false])
  func earcons(isOn: Bool) throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt")
    try desktop.stage.configure("earcons: \(isOn)\n")
    let thunar = try desktop.thunar(("Inbox", "b.txt"))
    let file = desktop.stage.base + "/out.wav"
    let agent = LiveRun(
      try desktop.stage.start(["desktop", "--transcript", "-", "--speech", file]))
    try agent.wait(for: "agent-ready")
    try desktop.activate("Inbox")
    try desktop.press("Home", "End")
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    try pickUp("b.txt", desktop, agent)
    var words = [try agent.wait(at: "Inbox folder view", "refuse").text]
    try desktop.press("Tab")
    words.append(try agent.wait(at: "Sorted").text)
    for wish in ["F5", "F7"] {
      try desktop.press(wish)
      try agent.wait(for: "operation")
      try desktop.press("F4", "Return")
      words.append(try agent.wait(at: "Sorted").text)
    }
    try desktop.press("F7", "shift+Tab")
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.press("shift+Tab")
    try agent.wait(for: "back-at-source")
    try desktop.press("shift+Tab")
    words.append(try agent.wait(at: "Trash").text)
    // How many places there are is another matter, and so is whether their program is news.
    #expect(
      words.map { $0.replacing(#/ \d of \d+$/#, with: "").replacing(", Thunar:", with: ":") } == [
        "Inbox folder view: refuses, it is there already.",
        "Sorted: move.", "Sorted: copy.",
        "Sorted: link.", "Trash: move to the trash.",
      ])
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
    agent.signal(SIGTERM)
    _ = try agent.ended()
    let sound = try Sound(file)
    for (name, tones) in Self.tones {
      #expect(sound.holds(tones) == isOn, "\(name)")
    }
    _ = thunar
  }

  /// A pair of equal tones is a copy, two rising a move, an octave a link; one that falls a long way
  /// takes away, and a buzz refuses.
  private static let tones: [(name: String, tones: [Tone])] = [
    ("pick up", [Tone(440, to: 700, 0.08)]),
    ("copy", [Tone(660, 0.04), Tone(0, 0.02), Tone(660, 0.04)]),
    ("move", [Tone(392, 0.05), Tone(523, 0.05)]),
    ("link", [Tone(523, 0.04), Tone(0, 0.03), Tone(1047, 0.05)]),
    ("remove", [Tone(900, to: 250, 0.14)]),
    ("not allowed", [Tone(130, 0.13, overtones: [0.4, 0.3, 0.3])]),
    ("cancelled", [Tone(600, 0.03), Tone(0, 0.03), Tone(400, 0.04)]),
  ]
}

/// A tone as it sounds in a file, with soft ends.
private struct Tone {
  var from: Double
  var to: Double
  var seconds: Double
  var overtones: [Double]

  init(_ from: Double, to: Double? = nil, _ seconds: Double, overtones: [Double] = [1]) {
    (self.from, self.to, self.seconds) = (from, to ?? from, seconds)
    self.overtones = overtones
  }

  func samples(rate: Double) -> [Int] {
    let count = Int(seconds * rate)
    var phase = 0.0
    return (0..<count).map { index in
      guard from > 0 else { return 0 }
      phase += 2 * .pi * (from + (to - from) * Double(index) / Double(count)) / rate
      let wave = overtones.enumerated().reduce(0) { sum, part in
        sum + part.element * sin(Double(part.offset + 1) * phase)
      }
      let rise = min(1, Double(index) / (0.005 * rate))
      let fall = min(1, Double(count - 1 - index) / (0.015 * rate))
      return Int(wave * (0.5 - 0.5 * cos(.pi * min(rise, fall))) * 8230)
    }
  }
}

extension Sound {
  /// Whether these tones are in it one after the other, as loud as they are meant to be.
  fileprivate func holds(_ tones: [Tone]) -> Bool {
    let wanted = tones.flatMap { $0.samples(rate: Double(rate)) }
    guard let loudest = wanted.indices.max(by: { abs(wanted[$0]) < abs(wanted[$1]) }),
      wanted.count <= samples.count
    else { return false }
    return (0...(samples.count - wanted.count)).contains { start in
      abs(Int(samples[start + loudest]) - wanted[loudest]) <= 2
        && wanted.indices.allSatisfy { abs(Int(samples[start + $0]) - wanted[$0]) <= 2 }
    }
  }
}
