import KeyDragCore

/// Items in focus that are neither a selected text nor a file in a list: links, pictures, elements
/// that a program drags itself, and whatever its own Copy command yields.
extension Picking {
  /// In bytes; more is not copied out of a program.
  private static let mostCopied = 64 << 20
  private static let fileLists = [
    "x-special/gnome-copied-files", "x-special/mate-copied-files", "text/uri-list",
  ]
  private static let texts = ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"]
  private static let anyPicture = "image/png"
  private static let linkSchemes: Set<Substring> = [
    "http", "https", "ftp", "ftps", "mailto", "magnet", "sftp", "smb", "file",
  ]

  /// Roles whose selection is read without copying; without a selection there is nothing to copy.
  private static let read: Set<String> = AccessibleRoles.texts.union(AccessibleRoles.web)
    .union(AccessibleRoles.terminals)

  /// - Parameter mayCopy: whether the Copy command has not been tried yet.
  func fromProgram(
    _ focus: FocusFacts, in window: ContainerID, mayCopy: Bool
  ) async throws(Reason) -> [DragSourceDescriptor] {
    _ = await desktop.list(window)
    let spot = await desktop.spot(at: focus.element, in: window)
    let name = spot.map(\.place.name).flatMap { $0.isEmpty ? nil : $0 } ?? focus.element.name
    if spot?.place.traits.route == .pointer, !name.isEmpty {
      return [thing(name, window)]
    }
    if let link = await link(focus, name, window) { return [link] }
    if mayCopy {
      let showsFiles = await desktop.showsFiles(around: focus.element, in: window)
      let isNamed = await desktop.isObject(focus.element, in: window)
      let isUntold = AccessibleRoles.untelling.contains(focus.element.role)
      let copied = try await copied(
        name, window, from: focus.element, mayOpen: showsFiles || isNamed || isUntold)
      if !copied.isEmpty { return copied }
    }
    // A row of a list may be dragged within it.
    guard spot?.list != nil, spot?.isInFolder == false, !name.isEmpty,
      (try? await desktop.display(of: window).pointer) != nil
    else { return [] }
    return [thing(name, window)]
  }

  /// An element that its program may move itself; other programs get its name.
  private func thing(_ name: String, _ window: ContainerID) -> DragSourceDescriptor {
    clippings.add(
      text: name, typeName: parts.phrases.word(for: .row), from: window, allowed: [.copy, .move])
  }

  // MARK: Links and pictures

  /// A link or picture by its address; `nil` where its program exposes none that others could open.
  private func link(
    _ focus: FocusFacts, _ name: String, _ window: ContainerID
  ) async -> DragSourceDescriptor? {
    guard let commands = parts.commands, AccessibleRoles.leading.contains(focus.element.role) else {
      return nil
    }
    let element = focus.element.id
    if AccessibleRoles.images.contains(focus.element.role),
      let address = try? await commands.pictureAddress(of: element), Self.isLink(address)
    {
      return clippings.add(
        link: address, name: name, typeName: parts.phrases.word(for: .image), from: window)
    }
    guard let address = try? await commands.address(of: element), Self.isLink(address) else {
      return nil
    }
    return clippings.add(
      link: address, name: name, typeName: parts.phrases.word(for: .link), from: window)
  }

  /// Whether its scheme is one that other programs can open.
  static func isLink(_ address: String) -> Bool {
    guard let colon = address.firstIndex(of: ":") else { return false }
    return linkSchemes.contains(Substring(address[..<colon].lowercased()))
  }

  // MARK: Copy

  /// Whether the focus is in a file view that exposes no contents.
  func isInSilentView(_ focus: FocusFacts, _ window: ContainerID) async -> Bool {
    guard !Self.read.union(AccessibleRoles.rowsAndLists).contains(focus.element.role) else {
      return false
    }
    return await desktop.silentView(of: window)?.contains(focus.element) == true
  }

  /// The clippings that the program's own Copy command yields; the clipboard is saved and restored.
  ///
  /// - Parameters:
  ///   - element: the focused element; `nil` if unknown.
  ///   - mayOpen: whether menus may be opened, since a result can be expected.
  func copied(
    _ name: String, _ window: ContainerID, from element: ElementFacts? = nil, mayOpen: Bool
  ) async throws(Reason) -> [DragSourceDescriptor] {
    guard let clipboard = try? await desktop.display(of: window).clipboard,
      element.map({ Self.read.contains($0.role) }) != true
    else { return [] }
    if !mayOpen, await !desktop.offers(.copy, in: window) { return [] }
    let forms = try? await clipboard.borrow(forms: [], most: Self.mostCopied) {
      Task { await copy(in: window, from: element?.id, mayOpen: mayOpen) }
    }
    guard let forms, !Self.isSecret(forms) else { return [] }
    let addresses = Self.addresses(in: forms)
    if !addresses.isEmpty {
      guard addresses.allSatisfy(Self.isFile) else {
        return try elsewhere(addresses, name, window)
      }
      if let finder = parts.finder {
        return try await desktop.clock.wait(Desktop.dropPatience) {
          await finder.files(at: addresses, shownIn: window)
        }
      }
    }
    // Copied cells come with a picture of them.
    if let text = Self.text(in: forms) { return [clipping(text, window)] }
    let isPicture = forms.filter { $0.contentType.hasPrefix("image/") }
    // The program's own formats come after the one that any program opens.
    let pictures =
      isPicture.filter { $0.contentType == Self.anyPicture }
      + isPicture.filter { $0.contentType != Self.anyPicture }
    if !pictures.isEmpty {
      let kind = parts.phrases.word(for: .image)
      return [
        clippings.add(
          forms: pictures, name: name.isEmpty ? kind : name, typeName: kind, from: window)
      ]
    }
    // It has copied something of a kind of its own.
    let isText = forms.contains { Self.texts.contains($0.contentType) }
    guard forms.isEmpty || isText || element.map({ AccessibleRoles.rows.contains($0.role) }) == true
    else { throw .selectionUntold }
    return []
  }

  /// Has a program copy its selection: by its menu, else by an action of the focused element, else
  /// by the key that its menu names.
  private func copy(in window: ContainerID, from element: ElementID?, mayOpen: Bool) async {
    do throws(Reason) {
      try await desktop.carryOut(.copy, in: window, mayOpen: mayOpen)
    } catch {
      guard error != .notResponding else { return }
      if let element, let programs = parts.programs,
        let action = try? await programs.actions(of: [element]).first?.first(where: {
          $0.lowercased().hasSuffix("copy")
        })
      {
        if (try? await programs.perform(action, on: element)) == true { return }
      }
      guard let id = await desktop.window(window)?.facts.id,
        let key = try? parts.displays[of: id].copyKey, await desktop.offers(.copy, in: window)
      else { return }
      _ = await key.pressCopy(in: id)
    }
  }

  /// The text among the forms, unless it is blank.
  static func text(in forms: [SelectedForm]) -> String? {
    for type in texts {
      guard let form = forms.first(where: { $0.contentType == type }) else { continue }
      let text = String(decoding: form.bytes, as: UTF8.self)
      if text.contains(where: { !$0.isWhitespace }) { return text }
    }
    return nil
  }

  /// Whether a password manager has marked it as secret: it must not be spoken, shown or kept.
  static func isSecret(_ forms: [SelectedForm]) -> Bool {
    forms.contains { form in
      form.contentType == "x-kde-passwordManagerHint"
        && String(decoding: form.bytes.prefix(16), as: UTF8.self).hasPrefix("secret")
    }
  }

  /// The addresses in a list of files; empty if it has none, or more than are picked up.
  ///
  /// Only file managers write the first two types, and their items need not be on local disks. The
  /// last one may hold a browser's links.
  static func addresses(in forms: [SelectedForm]) -> [String] {
    for type in fileLists {
      guard let form = forms.first(where: { $0.contentType == type }) else { continue }
      var lines = String(decoding: form.bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map(String.init)
      let isManagers = type.hasPrefix("x-special/")
      // The first line says whether they are copied or moved.
      if isManagers, !lines.isEmpty { lines.removeFirst() }
      // Some end with a NUL.
      lines = lines.map { $0.filter { $0 != "\0" } }
      lines.removeAll { $0.hasPrefix("#") || $0.isEmpty }
      guard lines.count <= mostRows else { return [] }
      if !lines.isEmpty, lines.allSatisfy(isFile) || isManagers && lines.allSatisfy(isAddress) {
        return lines
      }
    }
    return []
  }

  /// By its scheme alone.
  static func isFile(_ address: String) -> Bool { address.lowercased().hasPrefix("file://") }

  /// In bytes; a longer line is no address.
  private static let longestAddress = 4_096

  /// Whether a line is an address (RFC 3986 section 3) in visible ASCII.
  private static func isAddress(_ line: String) -> Bool {
    guard line.utf8.count <= longestAddress, line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      let colon = line.firstIndex(of: ":"), line[colon...].hasPrefix("://"),
      line.first?.isLetter == true
    else { return false }
    return line[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
  }

  /// The selected files of the active window, if it shows files but exposes none: by the Copy key,
  /// which all such programs have.
  func copiedByKey(_ windows: [ContainerDescriptor]) async throws(Reason) -> FocusReport? {
    guard let finder = parts.finder, let (window, id) = await desktop.filesInFront,
      let display = try? parts.displays[of: id], let key = try? display.copyKey,
      let clipboard = try? display.clipboard
    else { return nil }
    let forms = try? await clipboard.borrow(forms: [], most: Self.mostCopied) {
      Task.immediate { _ = await key.pressCopy(in: id) }
    }
    guard let forms, !Self.isSecret(forms) else { return nil }
    let addresses = Self.addresses(in: forms)
    // The root of the file system is never carried.
    guard !addresses.isEmpty, addresses.allSatisfy({ Self.isFile($0) && $0 != "file:///" }) else {
      return nil
    }
    let sources = try await desktop.clock.wait(Desktop.dropPatience) {
      await finder.files(at: addresses, shownIn: window)
    }
    return sources.isEmpty ? nil : report(sources, in: window, windows)
  }

  // MARK: Items outside the file system

  /// The clippings of items in the trash, among the disks or on a network: a program that receives
  /// such an address fetches the item itself.
  ///
  /// - Parameter name: the name of the focused item; each of several is named by the last part of
  ///   its address.
  private func elsewhere(
    _ addresses: [String], _ name: String, _ window: ContainerID
  ) throws(Reason) -> [DragSourceDescriptor] {
    // Fewer items must not stand in for the selection.
    guard addresses.count <= TextPayloads.most else { throw .tooMany }
    return addresses.map { address in
      let own = addresses.count == 1 && !name.isEmpty ? name : Self.lastPart(of: address)
      return clippings.add(
        forms: [(TextPayloads.list, Array((address + "\r\n").utf8))],
        name: TextPayloads.name(of: own),
        typeName: parts.phrases.word(for: .row), from: window, allowed: [.copy, .move, .link])
    }
  }

  /// The decoded last part of an address; left encoded where that is no text. Of a host only its
  /// name, without user and password.
  static func lastPart(of address: String) -> String {
    let parts = address.split(separator: "/", omittingEmptySubsequences: false)
    guard let place = parts.lastIndex(where: { !$0.isEmpty }) else { return address }
    // "sftp:", nothing, and then the host (RFC 3986 section 3.2).
    let part = place == 2 ? parts[place].split(separator: "@").last ?? "" : parts[place]
    let name =
      PercentEncoding.decoded(part.utf8).flatMap { String(validating: $0, as: UTF8.self) } ?? ""
    return name.allSatisfy(\.isWhitespace) ? String(part) : name
  }
}

extension Desktop {
  /// The place of an element, or the row that it is a part of.
  func spot(at element: ElementFacts, in container: ContainerID) -> PlaceRecord? {
    let here = spots.values.filter { $0.window == container }
    if let own = here.first(where: { $0.place.element == element.id }) { return own }
    let named = here.filter { $0.isRow && !element.name.isEmpty && $0.place.name == element.name }
    return named.count == 1 ? named[0] : nil
  }

  /// Whether an element is a picture or another object of a document that its program's profile
  /// declares draggable, and that the program alone can supply.
  func isObject(_ element: ElementFacts, in container: ContainerID) -> Bool {
    window(container)?.objects.contains(element.id) == true
  }

  /// Whether an element is in the file view of a window, by its program's profile.
  func showsFiles(around element: ElementFacts, in container: ContainerID) -> Bool {
    spots.values.contains { spot in
      guard spot.window == container, spot.place.traits.isView, spot.place.traits.source == .files,
        let view = spot.place.rectangle
      else { return false }
      return element.rectangle.map { view.contains($0.center) } ?? false
    }
  }
}

extension TextPayloads {
  /// Adds a link with its address and title.
  func add(
    link address: String, name: String, typeName: String, from container: ContainerID
  ) -> DragSourceDescriptor {
    let title = name.isEmpty ? address : name
    let both = address + "\n" + title
    let wide = both.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    return add(
      forms: [
        ("text/x-moz-url", wide), ("text/uri-list", Array((address + "\r\n").utf8)),
        ("_NETSCAPE_URL", Array(both.utf8)),
        ("text/plain;charset=utf-8", Array(address.utf8)), ("UTF8_STRING", Array(address.utf8)),
        ("text/plain", Array(address.utf8)),
      ], name: Self.name(of: title), typeName: typeName, from: container,
      types: ["text/x-moz-url", "text/uri-list", "text/plain"])
  }
}
