import Testing

@testable import keydrag

@Suite("Names and streams that are given on the command line")
struct GivenNamesTests {
  @Test(
    "Every byte of an argument comes back from its text",
    arguments: [
      [0x61], [0xFF], [0x62, 0xFF, 0xFE, 0x6E], [0xC3, 0xA4], [0xC3], [0xED, 0xA0, 0x80],
      [0xF4, 0x8F, 0xBB, 0xBF], [0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F], [0xEF, 0xBF, 0xBD], [],
    ] as [[UInt8]])
  func bytes(given: [UInt8]) {
    #expect(ArgumentText.bytes(ArgumentText.text(given)) == given)
    #expect(ArgumentText.shown(ArgumentText.text(given)) == String(decoding: given, as: UTF8.self))
  }

  @Test("A file whose name is no text is taken, and not one that looks like it")
  func file() throws {
    let program = try Program()
    let result = try program.run(
      program: "/bin/sh",
      [
        "-c",
        #"""
        mkdir b; bad=$(printf 'bad\377\376name'); like=$(printf 'bad\357\277\275\357\277\275name')
        echo right > "$bad"; echo wrong > "$like"
        "$0" move "$bad" --to b --speech off && cat "b/$bad" "$like" && ls b | wc -l
        """#, Program.path,
      ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.lines.suffix(3).map { $0.trimmingPrefix { $0 == " " } } == ["right", "wrong", "1"])
  }

  @Test("What is left out of a copy is counted, told and in the status")
  func leftOut() throws {
    let program = try Program()
    for name in ["1", "2"] { try program.write(name, to: name) }
    try program.write("", to: "b/here")
    let result = try program.run(
      program: "/bin/sh",
      ["-c", #"mkfifo p; exec "$0" copy 1 p 2 --to b --speech off"#, Program.path])
    #expect(result.status == 1)
    #expect(
      result.lines == ["Copied 2 of 3 to b. p: devices and pipes can't be copied."])
  }

  @Test(
    "Standard output that takes nothing is status 74",
    arguments: [
      "history", "undo", "redo", "copy 1 --to b", "move 1 --to b", "link 1 --to b", "say hello",
      "files . --keys q", "sample places --keys q", "keys", "doctor", "--help", "copy --help",
      "--version", "--generate-completion-script bash",
    ])
  func full(words: String) throws {
    let program = try Program()
    try program.write("1", to: "1")
    try program.write("", to: "b/here")
    let result = try program.run(
      program: "/bin/sh", ["-c", #"exec "$0" \#(words) --speech off > /dev/full"#, Program.path])
    #expect(result.status == 74, "\(result.errors)")
  }

  @Test("A transcript is kept for its owner, and never put in the place of anything else")
  func transcript() throws {
    let program = try Program()
    try program.write("precious\n", to: "doc")
    let result = try program.run(
      program: "/bin/sh",
      [
        "-c",
        #"""
        ln -s doc link
        for name in doc link; do "$0" history --speech off --transcript $name; echo $?; done
        cat doc
        for again in 1 2; do "$0" history --speech off --transcript t > /dev/null; echo $?; done
        chmod 644 t; "$0" history --speech off --transcript t > /dev/null; stat -c %a t; wc -l < t
        """#, Program.path,
      ])
    #expect(result.lines == ["64", "64", "precious", "0", "0", "600", "2"])
  }

  @Test("A script that waits for what can't come any more says so, and ends with 66")
  func vain() throws {
    let program = try Program()
    let result = try program.run("files", ".", "--speech", "off", "--keys", "@delivered")
    #expect(result.status == 66)
    #expect(
      result.errors.contains("The key script waits for delivered, which can't come any more."))
  }
}
