// swift-tools-version:6.2
import PackageDescription

let package = Package(
  name: "KeyDrag",
  defaultLocalization: "en",
  products: [
    .library(name: "KeyDrag", targets: ["KeyDrag"]),
    // The library with a terminal, a voice and a screen reader behind one call.
    .library(name: "KeyDragApp", targets: ["KeyDragApp"]),
    .executable(name: "keydrag", targets: ["keydrag"]),
  ],
  dependencies: [
    // Subcommands, options, help pages and shell completions of the executable.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Ordered sets and dictionaries (marks, registries) and deques (announcement queue).
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    // File paths that keep their bytes: a file name need not be UTF-8.
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    // The journal: SQLite with migrations, transactions and busy handling.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // The configuration file, with line and column in its errors.
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The engine: values and functions, no outside world.
    .target(
      name: "KeyDragCore",
      dependencies: [.product(name: "OrderedCollections", package: "swift-collections")],
      // Letters that look alike, and the default keys.
      resources: [.embedInCode("Items/LookAlikes.txt"), .embedInCode("Keymap/Keys.txt")]
    ),
    .target(
      name: "KeyDragRuntime",
      dependencies: [
        "KeyDragCore", .product(name: "DequeModule", package: "swift-collections"),
      ]
    ),
    .target(name: "KeyDrag", dependencies: ["KeyDragCore", "KeyDragRuntime", "KeyDragThreads"]),

    // The loop that waits, its threads, and calls that may never come back: all that adapters share beside
    // the core.
    .target(name: "KeyDragThreads"),

    // Adapters: one for each outside system; none knows another.
    .target(
      name: "KeyDragTerminal",
      dependencies: ["KeyDragCore", "KeyDragThreads", "CTermKey", "CTerminalRestore"],
      path: "Sources/Adapters/KeyDragTerminal"
    ),
    .target(
      name: "KeyDragSpeech",
      dependencies: ["KeyDragCore", "KeyDragThreads", "CEspeak", "CALSA", "CPulse"],
      path: "Sources/Adapters/KeyDragSpeech",
      // What the voices read, and words for what they skip.
      resources: [.embedInCode("Tables")]
    ),
    .target(
      name: "KeyDragFiles",
      dependencies: [
        "KeyDragCore", "KeyDragThreads", "CArchive", "CLinux", "CXXHash",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      path: "Sources/Adapters/KeyDragFiles"
    ),
    .target(
      name: "KeyDragTypes",
      dependencies: ["KeyDragCore", "KeyDragThreads", "CGIO"],
      path: "Sources/Adapters/KeyDragTypes"
    ),
    // Pictures that are taken in are decoded, within bounds, to see what they are.
    .target(
      name: "KeyDragPictures", dependencies: ["KeyDragCore", "CPixbuf"],
      path: "Sources/Adapters/KeyDragPictures"),
    // Connections to a D-Bus, or to one program by its protocol.
    .target(name: "KeyDragBus", dependencies: ["KeyDragCore", "KeyDragThreads", "CAtspi"]),
    .target(
      name: "KeyDragAccessibility",
      dependencies: ["KeyDragCore", "KeyDragBus", "KeyDragThreads", "CAtspi"],
      path: "Sources/Adapters/KeyDragAccessibility"
    ),
    .target(
      name: "KeyDragConfiguration",
      dependencies: ["KeyDragCore", "KeyDragThreads", "Yams"],
      path: "Sources/Adapters/KeyDragConfiguration",
      // Profiles of programs: in the code, so that the program is one file.
      resources: [.embedInCode("Profiles")]
    ),
    .target(
      name: "KeyDragX11",
      dependencies: ["KeyDragCore", "KeyDragThreads", "CLinux", "CXCB", "CXKB", "CPango"],
      path: "Sources/Adapters/KeyDragX11"
    ),
    // The compositor of a Wayland session.
    .target(
      name: "KeyDragWayland", dependencies: ["KeyDragCore", "KeyDragThreads"],
      path: "Sources/Adapters/KeyDragWayland"),
    // Other KeyDrag programs of the same user, over sockets.
    .target(
      name: "KeyDragPeer", dependencies: ["KeyDragCore", "KeyDragThreads", "CLinux"],
      path: "Sources/Adapters/KeyDragPeer"),
    // Places in running programs: what the adapters of the desktop tell, as one world.
    .target(name: "KeyDragDesktop", dependencies: ["KeyDragCore"]),
    // The link to the catalogues in it makes the package manager plan anew when a language comes or
    // goes: it watches the folders of targets only, and asks a plugin for its inputs only then.
    .target(
      name: "KeyDragLocale",
      dependencies: ["KeyDragCore", "KeyDragThreads"],
      path: "Sources/Adapters/KeyDragLocale",
      exclude: ["Localization"],
      plugins: ["CatalogueCompiler"]
    ),

    // Messages: compiled with the program, extracted on request.
    .plugin(
      name: "CatalogueCompiler", capability: .buildTool(), dependencies: ["CatalogueTool"],
      path: "Sources/BuildTools/CatalogueCompiler"),
    .plugin(
      name: "Messages",
      capability: .command(
        intent: .custom(
          verb: "messages", description: "Bring the catalogues up to what the code says."),
        permissions: [
          .writeToPackageDirectory(reason: "The template and the catalogues are written anew.")
        ]),
      dependencies: ["CatalogueTool"], path: "Sources/BuildTools/Messages"),
    .executableTarget(name: "CatalogueTool", path: "Sources/BuildTools/CatalogueTool"),

    // The library's documentation, as `swift package generate-documentation`: one catalogue for
    // KeyDrag and for what it re-exports. Swift-DocC's own plugin leaves re-exported names out, and
    // documents every package that this one depends on, with their warnings.
    .plugin(
      name: "Documentation", capability: .command(intent: .documentationGeneration()),
      path: "Sources/BuildTools/Documentation"),

    // What a program is run with: the terminal, the screen reader, other programs.
    .target(
      name: "KeyDragApp",
      dependencies: [
        "KeyDrag", "KeyDragCore", "KeyDragRuntime", "KeyDragTerminal", "KeyDragAccessibility",
        "KeyDragPeer", "KeyDragSpeech", "KeyDragLocale", "KeyDragConfiguration",
      ]),

    // Small programs that adopt drag and drop, written on the library alone.
    .target(
      name: "PlacesSample", dependencies: ["KeyDrag"], path: "Sources/Samples/PlacesSample"),
    .target(
      name: "ContactsSample", dependencies: ["KeyDrag"], path: "Sources/Samples/ContactsSample"),
    .target(name: "ImageSample", dependencies: ["KeyDrag"], path: "Sources/Samples/ImageSample"),
    .target(name: "NotesSample", dependencies: ["KeyDrag"], path: "Sources/Samples/NotesSample"),

    // C libraries of the system: a module map and a shim header each.
    .systemLibrary(
      name: "CTermKey", path: "Sources/System/CTermKey", pkgConfig: "termkey",
      providers: [.apt(["libtermkey-dev"])]),
    .systemLibrary(
      name: "CGIO", path: "Sources/System/CGIO", pkgConfig: "gio-unix-2.0",
      providers: [.apt(["libglib2.0-dev"])]),
    // What assistive technologies use: AT-SPI's numbers and acts, and D-Bus in GLib's main loop.
    .systemLibrary(
      name: "CAtspi", path: "Sources/System/CAtspi", pkgConfig: "atspi-2",
      providers: [.apt(["libatspi2.0-dev"])]),
    // Properties of windows are read with it, in pieces of a known length: xcb-icccm and xcb-ewmh ask for
    // the whole of each, of whatever length.
    .systemLibrary(
      name: "CXCB", path: "Sources/System/CXCB", pkgConfig: "xcb",
      providers: [.apt(["libxcb1-dev", "libxcb-xinput-dev"])]),
    // The layouts of a keyboard.
    .systemLibrary(
      name: "CXKB", path: "Sources/System/CXKB", pkgConfig: "xkbcommon-x11",
      providers: [.apt(["libxkbcommon-x11-dev"])]),
    // Text and lines over other programs' windows.
    .systemLibrary(
      name: "CPango", path: "Sources/System/CPango", pkgConfig: "pangocairo",
      providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
    .systemLibrary(
      name: "CPixbuf", path: "Sources/System/CPixbuf", pkgConfig: "gdk-pixbuf-2.0",
      providers: [.apt(["libgdk-pixbuf-2.0-dev"])]),
    .systemLibrary(
      name: "CXXHash", path: "Sources/System/CXXHash", pkgConfig: "libxxhash",
      providers: [.apt(["libxxhash-dev"])]),
    // Signal handlers that put the terminal back: they may make async-signal-safe calls only.
    .target(name: "CTerminalRestore", path: "Sources/System/CTerminalRestore"),
    // Where a screen reader speaks, a voice and sound of our own are not needed: these two, and the
    // twenty libraries behind them, are loaded with the first call into them.
    .target(name: "CLateLibrary", path: "Sources/System/CLateLibrary"),
    .target(name: "CEspeak", dependencies: ["CLateLibrary"], path: "Sources/System/CEspeak"),
    .target(name: "CALSA", dependencies: ["CLateLibrary"], path: "Sources/System/CALSA"),
    .target(name: "CPulse", dependencies: ["CLateLibrary"], path: "Sources/System/CPulse"),
    // Archives are read where something is picked up from a program for archives.
    .target(name: "CArchive", dependencies: ["CLateLibrary"], path: "Sources/System/CArchive"),
    // System calls that Glibc's module leaves out.
    .target(name: "CLinux", path: "Sources/System/CLinux"),

    .executableTarget(
      name: "keydrag",
      dependencies: [
        "KeyDragCore", "KeyDragRuntime", "KeyDragTerminal", "KeyDragSpeech", "KeyDragFiles",
        "KeyDragTypes", "KeyDragConfiguration", "KeyDragLocale", "KeyDragAccessibility",
        "KeyDragX11", "KeyDragWayland", "KeyDragDesktop", "KeyDragPictures", "KeyDrag",
        "KeyDragApp", "KeyDragThreads", "PlacesSample", "ContactsSample", "ImageSample",
        "NotesSample", "CLinux",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    // Delivers in a process of its own, so that a test can end it in the middle.
    .executableTarget(
      name: "KeyDragCourierProbe",
      dependencies: [
        "KeyDragFiles", "KeyDragCore",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Support/KeyDragCourierProbe"
    ),

    // Another program with places, or with things, in a process of its own.
    .executableTarget(
      name: "KeyDragPeerProbe", dependencies: ["KeyDragPeer", "KeyDragCore", "PeerBasket"],
      path: "Tests/Support/KeyDragPeerProbe"),
    // A small program on the library, with an event to drag.
    .executableTarget(
      name: "KeyDragEventProbe", dependencies: ["KeyDrag", "KeyDragApp"],
      path: "Tests/Support/KeyDragEventProbe"),
    // What windows and programs tell, by a test's own word.
    .target(name: "ToldDesktop", dependencies: ["KeyDragCore"], path: "Tests/Support/ToldDesktop"),
    .target(name: "PeerBasket", dependencies: ["KeyDragCore"], path: "Tests/Support/PeerBasket"),
    .testTarget(name: "KeyDragThreadsTests", dependencies: ["KeyDragThreads"]),
    .testTarget(
      name: "KeyDragPeerTests",
      dependencies: [
        "RealPrograms", "StoppedProgram", "KeyDragPeer", "KeyDragCore", "PeerBasket",
        "KeyDragPeerProbe", "CLinux",
      ]),

    // The program itself, run as a person runs it, and what the README says of it.
    .testTarget(
      name: "KeydragCommandTests",
      dependencies: [
        "RealPrograms", "ToldDesktop", "CLinux",
        "keydrag", "KeyDrag", "KeyDragApp", "KeyDragCore", "KeyDragRuntime",
        "KeyDragConfiguration", "KeyDragAccessibility", "KeyDragFiles", "KeyDragSpeech",
        "KeyDragTerminal", "KeyDragDesktop", "KeyDragWayland",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "SystemPackage", package: "swift-system"),
      ]),

    // Every figure that is promised, measured beside a peer: `Packaging/build --product
    // keydrag-benchmarks`, then `.build/release/keydrag-benchmarks`; where the machine has other work,
    // `chrt -r 1` before it, as root: Dispatch sets back what nice(1) has given its threads.
    .executableTarget(
      name: "keydrag-benchmarks",
      dependencies: [
        "KeyDragCore", "KeyDragRuntime", "KeyDragTerminal", "KeyDragSpeech", "KeyDragFiles",
        "KeyDragTypes", "KeyDragAccessibility", "KeyDragDesktop", "KeyDragX11",
        "KeyDragConfiguration", "CPseudoTerminal", "CHeap", "keydrag",
        "PrivateDesktop", "KeyDrag", "ToldDesktop",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Benchmarks"),
    .target(name: "CHeap", path: "Tests/Support/CHeap"),
    // Has each system call of each command fail in turn, and compares what was told with the disk:
    // `swift run keydrag-faults`.
    .executableTarget(
      name: "keydrag-faults", dependencies: ["CFaults", "keydrag"], path: "Tests/Faults"),
    .target(name: "CFaults", path: "Tests/Support/CFaults"),
    // A slice of that, each time.
    .testTarget(name: "FaultsTests", dependencies: ["Thorough", "keydrag-faults"]),
    // Gives a million changed inputs to each reader of bytes from outside. Its command is in
    // CONTRIBUTING.md: optimised, and with what the modules keep to themselves.
    .executableTarget(
      name: "keydrag-fuzzers",
      dependencies: [
        "KeyDragCore", "KeyDragRuntime", "KeyDrag", "KeyDragTerminal", "KeyDragConfiguration",
        "KeyDragLocale", "KeyDragPeer", "KeyDragX11", "KeyDragAccessibility", "KeyDragBus",
        "KeyDragPictures",
        "KeyDragFiles", "KeyDragThreads", "KeyDragTypes", "PeerBasket", "CAtspi", "CLinux",
        .product(name: "SystemPackage", package: "swift-system"),
      ],
      path: "Tests/Fuzzers", exclude: ["Corpus"]),
    // What was found before, each time.
    .testTarget(name: "FuzzersTests", dependencies: ["keydrag-fuzzers"]),
    // Drops on real programs and compares the words told with the effects. It takes an hour and three
    // dozen programs, so it is no part of `swift test`: `swift build --product keydrag-field`, then
    // `.build/debug/keydrag-field`.
    .executableTarget(
      name: "keydrag-field", dependencies: ["PrivateDesktop", "StoppedProgram", "HostilePrograms"],
      path: "Tests/Field"),
    .testTarget(name: "FieldTests", dependencies: ["keydrag-field"]),

    // Its table of letters that look alike is held to Foundation's ICU.
    .testTarget(
      name: "KeyDragCoreTests", dependencies: ["Thorough", "KeyDragCore"],
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    // Everything that can be said, in every language.
    .testTarget(
      name: "AnnouncementTests",
      dependencies: ["Thorough", "KeyDragCore", "KeyDragLocale", "KeyDragSpeech", "CLinux"],
      exclude: ["plural_referee.py"]),
    .testTarget(name: "KeyDragTests", dependencies: ["KeyDrag", "KeyDragCore", "ToldDesktop"]),
    .testTarget(
      name: "SamplesTests",
      dependencies: [
        "RealPrograms", "KeyDrag", "KeyDragApp", "PlacesSample", "ContactsSample", "ImageSample",
        "NotesSample", "KeyDragPictures", "keydrag",
      ]),
    .testTarget(
      name: "KeyDragRuntimeTests", dependencies: ["KeyDragRuntime", "KeyDragCore", "ToldDesktop"]),
    .testTarget(
      name: "KeyDragTerminalTests",
      dependencies: [
        "KeyDragTerminal", "KeyDragCore", "CPseudoTerminal", "CTerminalRestore",
        "KeyDragTerminalProbe",
      ]),
    // What the terminal's tests run behind a pseudo-terminal, and how they start it.
    .executableTarget(
      name: "KeyDragTerminalProbe", dependencies: ["KeyDragTerminal", "KeyDragCore"],
      path: "Tests/Support/KeyDragTerminalProbe"),
    // How much the ordinary run tries of what has many variations.
    .target(name: "Thorough", path: "Tests/Support/Thorough"),
    // Tests of real programs, a few at a time.
    .target(name: "RealPrograms", path: "Tests/Support/RealPrograms"),
    // Without the testing library, which has no static form: the benchmarks are linked as the program.
    .target(name: "StoppedProgram", path: "Tests/Support/StoppedProgram"),
    .target(name: "CPseudoTerminal", path: "Tests/Support/CPseudoTerminal"),
    .testTarget(
      name: "KeyDragSpeechTests",
      dependencies: [
        "KeyDragSpeech", "KeyDragCore", "CALSA", "CTestHome", "PrivateDesktop", "RealPrograms",
      ]),
    // Keeps the tests out of the home of whoever runs them, in the one process that they share.
    .target(name: "CTestHome", path: "Tests/Support/CTestHome"),
    // Imports follow the arrows, and the tree holds what it should.
    .testTarget(name: "ArchitectureTests", path: "Tests/Architecture"),
    .testTarget(
      name: "KeyDragLocaleTests",
      dependencies: ["KeyDragLocale", "KeyDragCore", "CatalogueTool", "CLibIntl", "CLinux"]),
    // The look-up of the C library, which ours is compared with.
    .systemLibrary(name: "CLibIntl", path: "Tests/Support/CLibIntl"),
    .testTarget(
      name: "KeyDragConfigurationTests", dependencies: ["KeyDragConfiguration", "KeyDragCore"]),
    .testTarget(
      name: "KeyDragX11Tests",
      dependencies: [
        "RealPrograms", "KeyDragX11", "KeyDragCore", "KeyDragThreads", "PrivateDesktop", "CXCB",
        "CXKB", "ToldDesktop",
      ]),
    .testTarget(
      name: "KeyDragDesktopTests",
      dependencies: [
        "Thorough", "RealPrograms", "ToldDesktop",
        "KeyDragDesktop", "KeyDragConfiguration", "KeyDragCore", "KeyDragX11",
        "KeyDragAccessibility", "KeyDragTypes", "KeyDragFiles", "PrivateDesktop",
        .product(name: "SystemPackage", package: "swift-system"),
      ]),
    .testTarget(name: "KeyDragWaylandTests", dependencies: ["KeyDragWayland"]),
    .testTarget(name: "KeyDragTypesTests", dependencies: ["KeyDragTypes", "KeyDragCore"]),
    .testTarget(
      name: "KeyDragFilesTests",
      dependencies: [
        "Thorough", "RealPrograms", "KeyDragFiles", "KeyDragCore", "KeyDragThreads", "CArchive",
        "CLinux",
        "KeyDragCourierProbe", "KeyDrag", "KeyDragTypes", "PrivateDesktop", "ToldDesktop",
        .product(name: "SystemPackage", package: "swift-system"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "KeyDragAccessibilityTests",
      dependencies: [
        "RealPrograms", "KeyDragAccessibility", "KeyDragBus", "KeyDragCore", "KeyDragSpeech",
        "PrivateDesktop", "CAtspi",
      ]),
    // A display, buses and the real screen reader for a test alone, and what ends them with it.
    .target(
      name: "PrivateDesktop", dependencies: ["CLinux", "PrivateDesktopKeeper", "StoppedProgram"],
      path: "Tests/Support/PrivateDesktop"),
    .executableTarget(
      name: "PrivateDesktopKeeper", path: "Tests/Support/PrivateDesktopKeeper"),
    // Windows and programs that keep to no rule, by the words of the protocols alone.
    .target(name: "HostilePrograms", path: "Tests/Support/HostilePrograms"),
    // The whole program from outside: key scripts in, transcripts and files out.
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Thorough", "RealPrograms", "keydrag", "PrivateDesktop", "KeyDragEventProbe",
        "StoppedProgram",
        "HostilePrograms", "CLinux",
      ],
      path: "Tests/EndToEnd",
      exclude: ["Languages/Golden"]),
  ]
)

// A warning fails the build, here and on every machine.
for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
}
