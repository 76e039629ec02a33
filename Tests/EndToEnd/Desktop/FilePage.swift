import Testing

/// The parts of a page that show a file which they have got, as those of real pages do: a field with a
/// button and a list.
enum FilePage {
  static let parts = """
    <div id="shelf" role="group" aria-label="Shelf" aria-dropeffect="copy" style="min-height: 60px">
    <ul id="files"></ul></div>
    <p><input id="attach" type="file" aria-label="Attach"> <input type="submit"> <input type="file"></p>
    """

  static let script = """
    shelf.ondragover = event => event.preventDefault();
    shelf.ondrop = event => {
      event.preventDefault();
      const item = document.createElement("li");
      const file = event.dataTransfer.files[0];
      item.textContent = `${file.name} (${file.size} bytes)`;
      files.append(item);
    };
    attach.onchange = () => { document.title = "Attached " + attach.files[0].name; };
    """

  /// Drops a file on each of them. The page tells the field's in its title.
  static func drop(_ file: String, in app: String, _ desktop: DesktopStage) throws {
    // With a label and without; a button that sends is none of them.
    #expect(try desktop.listed(app).count { $0.contains(" button") } == 2)
    for place in ["Attach", "Shelf"] {
      let run = try desktop.run("drop", file, "--onto", place, "--app", app)
      #expect(run.status == 0, "\(run)")
      #expect(run.said.last?.hasPrefix("Added \(file) to \(place)") == true, "\(run)")
    }
    try desktop.waitForTitle("Attached " + file)
  }
}
