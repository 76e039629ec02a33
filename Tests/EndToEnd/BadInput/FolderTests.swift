import Glibc
import RealPrograms
import Testing

@Suite("Folders and files that can't be used", .realPrograms(by: .test))
struct FolderTests {
  private func expectSentence(_ run: KeydragRun, status: Int, _ sentence: String) {
    #expect(run.status == status, "\(run)")
    #expect(run.errors == "keydrag: \(sentence)\n")
  }

  @Test("A folder that is missing is named, with the nearest one")
  func missing() throws {
    let stage = try Stage("Inbox/a.txt")
    expectSentence(
      try stage.files("Inbix", keys: ""), status: 66,
      "There is no folder Inbix. The nearest is Inbox.")
    expectSentence(
      try stage.run("copy", "Inbox/b.txt", "--to", "Inbox"), status: 66,
      "There is no file Inbox/b.txt. The nearest is a.txt.")
  }

  @Test("The root of the file system is not picked up, which is said", arguments: ["copy", "move"])
  func fileRoot(command: String) throws {
    let stage = try Stage("Inbox/a.txt")
    for root in ["/", "/proc/..", "//"] {
      let run = try stage.run(command, "Inbox/a.txt", root, "--to", "Inbox")
      #expect(run.status == 66, "\(run)")
      #expect(
        run.errors
          == "keydrag: The folder \(root) can't be used. It is the root of the file system.\n")
    }
  }

  @Test("A file given for a folder is named, with what to give instead")
  func isAFile() throws {
    let stage = try Stage("Inbox/a.txt")
    expectSentence(
      try stage.files("Inbox/a.txt", keys: ""), status: 66,
      "Inbox/a.txt is not a folder. Give the folder that it is in.")
  }

  @Test(
    "A folder that may not be read is named, with the reason",
    .enabled(if: OrdinaryUser.isPossible, "root is bound by no permissions"))
  func unreadable() throws {
    let stage = try Stage("Inbox/a.txt", "Locked/b.txt", isOrdinary: true)
    stage.permit(0o000, "Locked")
    expectSentence(
      try stage.files("Locked", keys: ""), status: 77,
      "The folder Locked can't be used. Not permitted. Its owner can change that.")
    let inside = try stage.files("Inbox", ".", keys: #"tab "locked" right f2"#)
    #expect(inside.first("cannot-open")?.argument("reason") == "not-permitted", "\(inside)")
  }

  @Test("A loop of links is named as one")
  func linkLoop() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    stage.link("loop", to: "loop")
    stage.link("Inbox/round", to: "round")
    expectSentence(
      try stage.files("loop", keys: ""), status: 66,
      "The folder loop can't be used. Its links lead in a circle.")
    // As an item it is a link like any other.
    let run = try stage.files("Inbox", "Docs", keys: #""round" space enter"#)
    #expect(run.status == 0, "\(run)")
    #expect(stage.tree["Docs/round"] == "-> round")
  }

  @Test("A link to the folder around it can be entered again and again, and left again")
  func linkToItself() throws {
    let stage = try Stage("Inbox/a.txt")
    stage.link("Inbox/self", to: ".")
    let run = try stage.files("Inbox", keys: #""self" right "self" right left left left"#)
    #expect(run.records.every("left").count == 2, "\(run)")
    #expect(run.ids.suffix(2) == ["opened", "item"], "the folder around it")
  }

  @Test("A FIFO and a socket are named, and can't be picked up", arguments: ["fifo", "socket"])
  func special(kind: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    if kind == "fifo" {
      mkfifo(stage.path("Inbox/thing"), 0o600)
    } else {
      try stage.socket("Inbox/thing")
    }
    let run = try stage.files("Inbox", "Docs", keys: #""thing" space ctrl+a space "docs" enter"#)
    #expect(run.first("nothing-to-pick-up")?.argument("reason") == "special-file", "\(run)")
    #expect(run.records.every("item").first?.text.contains("device or pipe") == true)
    #expect(stage.list("Docs") == ["a.txt"])
    let direct = try stage.run("copy", "Inbox/thing", "--to", "Docs")
    #expect(direct.status == 1, "\(direct)")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test("A drop into its own descendant is refused from the command line too")
  func ownDescendant() throws {
    let stage = try Stage("Inbox/Sorted/Deep/x.txt")
    let run = try stage.run("move", "Inbox", "--to", "Inbox/Sorted/Deep")
    #expect(run.status == 1, "\(run)")
    #expect(run.first("refused")?.argument("reason") == "own-descendant")
    #expect(stage.tree == ["Inbox/Sorted/Deep/x.txt": "Inbox/Sorted/Deep/x.txt"])
  }
}
