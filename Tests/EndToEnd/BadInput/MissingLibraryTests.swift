import PrivateDesktop
import RealPrograms
import Testing

/// A system without a library that only a voice of our own needs.
@Suite(
  "A library of the voice that is not there", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs mounts of its own") { MissingLibrary.obstacle == nil })
struct MissingLibraryTests {
  @Test(
    "A session without a voice works all the same",
    arguments: [MissingLibrary.espeak, MissingLibrary.sound])
  func silent(library: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    stage.runner = MissingLibrary.runner(library)
    let run = try stage.files("Inbox", "Docs", keys: "space enter", options: ["--speech", "off"])
    #expect(run.status == 0, "\(run)")
    #expect(stage.list("Docs") == ["a.txt"], "\(run)")
  }

  @Test(
    "Where a voice is asked for, the session says so and goes on, with nothing printed beside it",
    arguments: [MissingLibrary.espeak, MissingLibrary.sound])
  func voice(library: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    stage.runner = MissingLibrary.runner(library)
    let run = try stage.files("Inbox", "Docs", keys: "space enter", options: ["--speech", "on"])
    #expect(run.first("problem") != nil, "\(run)")
    #expect(run.errors == "", "\(run)")
    #expect(stage.list("Docs") == ["a.txt"], "\(run)")
  }

  @Test(
    "The doctor tells what to install",
    arguments: [(MissingLibrary.espeak, "libespeak-ng1"), (MissingLibrary.sound, "libasound2")])
  func doctor(library: String, package: String) throws {
    let stage = try Stage()
    stage.runner = MissingLibrary.runner(library)
    let doctor = try stage.run(["doctor", "--speech", "on"], transcript: false)
    #expect(doctor.output.contains("apt install \(package)"), "\(doctor)")
  }
}

/// An empty file in the place of a library.
enum MissingLibrary {
  static let espeak = "libespeak-ng.so.1"
  static let sound = "libasound.so.2"

  static func runner(_ library: String) -> [String] { OwnMounts.runner(source, library) }

  /// Why it can't be had here; `nil` when it can.
  static let obstacle: String? = {
    do {
      return try OwnMounts.obstacle(to: runner(espeak), on: Stage())
    } catch {
      return "\(error)"
    }
  }()

  private static let source = """
    import glob
    found = glob.glob("/usr/lib/*/" + place) + glob.glob("/usr/lib/" + place)
    if not found:
        sys.exit(place + " is nowhere")
    for path in found:
        check(libc.mount(b"/dev/null", os.path.realpath(path).encode(), None, bind, None), path)
    """
}
