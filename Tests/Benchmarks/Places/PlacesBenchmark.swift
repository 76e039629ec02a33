import Glibc
import KeyDragCore
import KeyDragFiles
import SystemPackage

/// Figures of listing and watching one large folder; times are medians in seconds.
package struct PlacesFigures: Sendable {
  package var files = 0
  /// `ls -U` of the same folder.
  package var ls = 0.0
  package var counted = 0.0
  package var listed = 0.0
  /// From the creation of one file to the report that it appeared.
  package var appearance = 0.0
  /// Resident bytes before the first listing and with the listing held.
  package var residentBefore = 0
  package var residentAfter = 0
}

/// Measures a folder that somebody has filled already.
package struct PlacesBenchmark {
  let folder: FilePath
  let makeWorld: () -> FilesWorld

  /// `makeWorld` makes a world whose only root is the folder.
  package init(folder: FilePath, makeWorld: @escaping () -> FilesWorld) {
    self.folder = folder
    self.makeWorld = makeWorld
  }

  /// Alternates `ls -U` and a listing by a new world, so that both meet the same machine.
  package func run(rounds: Int) -> PlacesFigures {
    var figures = PlacesFigures()
    figures.residentBefore = Self.residentBytes()
    var (ls, counted, listed): ([Double], [Double], [Double]) = ([], [], [])
    for round in 0..<rounds {
      let start = Self.now()
      Self.listWithoutOrder(folder)
      ls.append(Self.now() - start)
      let world = makeWorld()
      let times = list(world)
      counted.append(times.counted)
      listed.append(times.listed)
      figures.files = times.listing?.sources?.count ?? 0
      if round == 0 { figures.residentAfter = Self.residentBytes() }
      if round == rounds - 1 { figures.appearance = appearance(in: world, times: 200) }
      world.close()
    }
    (figures.ls, figures.counted) = (Self.median(ls), Self.median(counted))
    figures.listed = Self.median(listed)
    return figures
  }

  private struct Times: Sendable {
    var counted = 0.0
    var listed = 0.0
    var listing: Listing?
  }

  private func list(_ world: FilesWorld) -> Times {
    let counted = Arrivals<Double>()
    let listed = Arrivals<(Double, Listing?)>()
    let start = Self.now()
    world.perform(
      .list(.container(world.roots[0].id), includingHidden: false), id: RequestID(1)
    ) { report in
      let passed = Self.now() - start
      switch report {
      case .counted: counted.add(passed)
      case .listed(_, let listing): listed.add((passed, listing))
      default:
        counted.add(passed)
        listed.add((passed, nil))
      }
    }
    let (whole, listing) = listed.next()
    return Times(counted: counted.next(), listed: whole, listing: listing)
  }

  /// The file's name sorts into the middle of the folder.
  private func appearance(in world: FilesWorld, times: Int) -> Double {
    let arrived = Arrivals<Double>()
    world.observe { report in
      if case .changed = report { arrived.add(Self.now()) }
    }
    var waits: [Double] = []
    for number in 0..<times {
      let path = folder.appending("file-050000-\(number)").string
      let start = Self.now()
      let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      waits.append(arrived.next() - start)
      close(descriptor)
      unlink(path)
      _ = arrived.next()
    }
    return Self.median(waits)
  }

  private static func listWithoutOrder(_ folder: FilePath) {
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    let words: [String] = ["ls", "-U", folder.string]
    var arguments = words.map { word in strdup(word) } + [nil]
    defer { for argument in arguments { free(argument) } }
    guard posix_spawnp(&process, "ls", &actions, nil, &arguments, environ) == 0 else { return }
    waitpid(process, nil, 0)
  }

  private static func residentBytes() -> Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = max(0, read(descriptor, &buffer, buffer.count))
    let fields = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}
