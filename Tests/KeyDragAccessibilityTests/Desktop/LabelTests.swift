import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragAccessibility

@Suite(
  "What programs say of labels and of what an element can be asked", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(3)))
struct LabelTests {
  @Test(
    "A field has the name of the label that is for it, not of the one before it",
    arguments: [LabelledWindow.gtk3, LabelledWindow.qt5])
  func fields(source: String) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(source)
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(
      of: program, roles: ["text", "entry", "label", "list", "list box", "table", "tree table"])
    let fields = elements.filter { ["text", "entry"].contains($0.role) }
    let upper = fields.min { ($0.rectangle?.y ?? 0) < ($1.rectangle?.y ?? 0) }
    let lower = fields.max { ($0.rectangle?.y ?? 0) < ($1.rectangle?.y ?? 0) }
    #expect(fields.count == 2 && upper?.name.hasPrefix("First name") == true, "\(fields)")
    #expect(lower?.name.hasPrefix("Street") == true, "\(fields)")
    if source == LabelledWindow.gtk3 {
      let labels = elements.filter { $0.role == "label" && $0.isLabelOfAnother }.map(\.name)
      #expect(Set(labels) == ["First name:", "Street", "Towns"], "\(elements)")
      #expect(elements.contains { $0.role == "table" && $0.name == "Towns" }, "\(elements)")
    }
  }

  @Test("A program that would end at a question that it can't answer is not asked it")
  func fragile() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(LabelledWindow.gtk3, "fragile")
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(of: program, roles: ["text", "panel"])
    let panel = try #require(elements.first { $0.role == "panel" }, "\(elements)")
    let field = try #require(elements.first { $0.name == "First name:" }, "\(elements)")
    let all = elements.map(\.id)
    let actions = try await stage.reader.actions(of: all)
    #expect(actions.count == all.count && actions.contains { !$0.isEmpty }, "\(actions)")
    #expect(try await stage.reader.text(of: panel.id, most: 10) == nil)
    #expect(try await stage.reader.selectedText(of: panel.id, most: 10) == nil)
    #expect(try await stage.reader.text(of: field.id, most: 100) == "Ada")
  }
}

private enum LabelledWindow {
  /// Argument: "fragile" for a program that ends when it finds something wrong.
  static let gtk3 = """
    import os, sys
    if "fragile" in sys.argv:
        os.environ["G_DEBUG"] = "fatal-criticals"
    import gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib

    window = Gtk.Window(title="Form")
    window.set_default_size(400, 300)
    grid = Gtk.Grid()
    # A grid tells what is in it from the last to the first.
    for row, (name, text) in enumerate([("First name:", "Ada"), ("Street", "Long Road")]):
        label, field = Gtk.Label(label=name), Gtk.Entry(text=text)
        label.set_mnemonic_widget(field)
        grid.attach(label, 0, row, 1, 1)
        grid.attach(field, 1, row, 1, 1)
    towns = Gtk.ListStore(str)
    towns.append(["Bath"])
    rows = Gtk.TreeView(model=towns)
    rows.append_column(Gtk.TreeViewColumn("Name", Gtk.CellRendererText(), text=0))
    label = Gtk.Label(label="Towns")
    label.set_mnemonic_widget(rows)
    grid.attach(label, 0, 2, 1, 1)
    grid.attach(rows, 1, 2, 1, 1)
    area = Gtk.EventBox()
    area.get_accessible().set_name("Basket")
    area.add(Gtk.Label(label="Put it here"))
    grid.attach(area, 0, 3, 2, 1)
    window.add(grid)
    window.connect("map-event", lambda *_: GLib.timeout_add(
        300, lambda: print("end", flush=True)) and False)
    window.show_all()
    Gtk.main()
    """

  static let qt5 = """
    import sys
    from PyQt5.QtCore import QTimer
    from PyQt5.QtWidgets import *

    app = QApplication(sys.argv)
    window = QWidget()
    window.setWindowTitle("Form")
    layout = QGridLayout(window)
    for row, (name, text) in reversed(list(enumerate(
            [("First name", "Ada"), ("Street", "Long Road")]))):
        label, field = QLabel("&" + name), QLineEdit(text)
        label.setBuddy(field)
        layout.addWidget(field, row, 1)
        layout.addWidget(label, row, 0)
    window.show()
    QTimer.singleShot(300, lambda: print("end", flush=True))
    app.exec()
    """
}
