import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("Fields bear the label that is seen beside them, and places stand as one reads")
struct FieldLabelTests {
  private static func names(_ tree: String) -> [String] {
    let stage = Stage(
      tree, title: "Form", window: ScreenRectangle(x: 0, y: 0, width: 400, height: 300))
    return stage.places.filter { $0.traits.isDropPoint && $0.role != .window }.map(\.name)
  }

  /// Windows in which some fields have no name of their own, and how those are called that they have.
  private static let windows: [(String, [String])] = [
    // A grid of GTK 3 tells its children from the last to the first.
    (
      """
      panel '' 0,0,400,100 showing
        text '' 100,60,200,24 showing editable
        label 'Album:' 10,60,80,24 showing
        text '' 100,30,200,24 showing editable
        label 'Artist:' 10,30,80,24 showing
        text '' 100,0,200,24 showing editable
        label 'Title:' 10,0,80,24 showing
      """, ["Title", "Artist", "Album"]
    ),
    // Labels above their fields, told after them.
    (
      """
      panel '' 0,0,400,100 showing
        text '' 10,20,200,24 showing editable
        label 'Street' 10,0,40,18 showing
        text '' 10,70,200,24 showing editable
        label 'Town' 10,50,200,18 showing
      """, ["Street", "Town"]
    ),
    // Two columns, each a part of its own, beside each other.
    (
      """
      panel '' 0,0,400,100 showing
        label 'From:' 10,0,40,24 showing
        label 'To:' 10,30,40,24 showing
        label 'Day:' 210,0,40,24 showing
        label 'Hour:' 210,30,40,24 showing
        text '' 260,30,100,24 showing editable
        text '' 60,30,100,24 showing editable
        text '' 260,0,100,24 showing editable
        text '' 60,0,100,24 showing editable
      """, ["From", "Day", "To", "Hour"]
    ),
    // Read from right to left, by where the labels are and by their letters.
    (
      """
      panel '' 0,0,400,100 showing
        text '' 10,0,280,24 showing editable
        label 'Name' 300,0,90,24 showing
        text '' 150,30,140,24 showing editable
        text '' 10,30,60,24 showing editable
        label 'Day' 80,30,60,24 showing
        label 'Town' 300,30,90,24 showing
      """, ["Name", "Town", "Day"]
    ),
    (
      """
      panel '' 0,0,400,100 showing
        label 'שם' 300,0,90,24 showing
        text '' 10,0,280,24 showing editable
      """, ["שם"]
    ),
    // What stands beside a list and behind one field makes no window one from right to left.
    (
      """
      panel '' 0,0,400,300 showing
        list '' 0,20,250,200 showing
        label 'Filter' 280,20,60,18 showing
        text '' 280,60,40,20 showing editable
        label 'days' 330,60,40,20 showing
      """, ["Form", ""]
    ),
    // A unit behind a field is not its label.
    (
      """
      panel '' 0,0,400,100 showing
        label 'Width' 10,0,80,24 showing
        text '' 100,0,50,24 showing editable
        label 'pixels' 154,0,90,24 showing
      """, ["Width"]
    ),
    // As near to one field as to the other, above, beside and between.
    (
      """
      panel '' 0,0,400,100 showing
        label 'Range' 10,0,320,18 showing
        text '' 10,20,150,24 showing editable
        text '' 180,20,150,24 showing editable
      """, ["", ""]
    ),
    (
      """
      panel '' 0,0,400,100 showing
        label 'Lines' 10,0,80,54 showing
        text '' 100,0,150,24 showing editable
        text '' 100,30,150,24 showing editable
      """, ["", ""]
    ),
    (
      """
      panel '' 0,0,400,100 showing
        text '' 0,0,150,24 showing editable
        label 'until' 156,0,50,24 showing
        text '' 212,0,150,24 showing editable
      """, ["", ""]
    ),
    // The label of what stands between.
    (
      """
      panel '' 0,0,400,100 showing
        label 'Track:' 10,0,60,24 showing
        combo box '3' 80,0,60,24 showing
          text '' 80,0,40,24 showing editable
        label '/' 144,0,8,24 showing
        text '' 156,0,60,24 showing editable
      """, ["Track", ""]
    ),
    (
      """
      panel '' 0,0,400,100 showing
        push button '' 10,0,80,24 showing
          label 'Import' 30,0,60,24 showing
        text '' 100,0,200,24 showing editable
          icon 'edit-find-symbolic' 280,4,16,16 showing
      """, [""]
    ),
    (
      """
      panel '' 0,0,400,100 showing
        label 'Size' 10,0,60,24 showing
        spin button '' 80,0,60,24 showing editable
        text '' 150,0,200,24 showing editable
      """, [""]
    ),
    // Where a label is for a list below it, and one at its other end is not.
    (
      """
      panel '' 0,0,400,200 showing
        label 'Log' 10,0,40,18 showing
        label '2 lines' 340,0,60,18 showing
        list '' 10,20,390,60 showing
      """, ["Log"]
    ),
    (
      """
      panel '' 0,0,400,200 showing
        label '2 lines' 340,0,60,18 showing
        list '' 10,20,390,60 showing
      """, [""]
    ),
    // A tool bar with a button before the first label.
    (
      """
      tool bar '' 0,0,400,42 showing
        push button 'Run' 0,4,10,35 showing
        panel '' 18,4,50,35 showing
          label 'Search ' 18,12,50,18 showing
        panel '' 68,4,80,35 showing
          text '' 68,4,80,35 showing editable
        panel '' 162,4,58,35 showing
          label 'Replace ' 162,12,58,18 showing
        panel '' 220,4,60,35 showing
          text '' 220,4,60,35 showing editable
        panel '' 294,4,31,35 showing
          label 'Cell ' 294,12,31,18 showing
        panel '' 325,4,44,35 showing
          panel '' 325,10,44,22 showing
        panel '' 374,4,33,35 showing
          label 'Text ' 374,12,33,18 showing
      """, ["Search", "Replace"]
    ),
    // Parts that may leave their window name the one list in them.
    (
      """
      frame 'Context' 0,0,200,100 showing
        tree '' 0,20,200,80 showing
      frame 'Warnings' 0,100,200,100 showing
        text '' 0,120,200,20 showing editable
        list '' 0,140,200,60 showing
      frame 'Strings' 200,100,200,100 showing
        text '' 200,120,200,20 showing editable
      """, ["Context", "", "Warnings", "Strings"]
    ),
    // What a page is called is not what one of its fields is called.
    (
      """
      panel 'Common' 0,0,400,100 showing
        label 'Title:' 10,0,80,24 showing
        text '' 100,0,100,24 showing editable
        text '' 210,0,100,24 showing editable
      """, ["Title", ""]
    ),
  ]

  @Test(
    "T09 A label names the field that it stands beside or above, and none where it may be any",
    arguments: windows)
  func labels(_ tree: String, _ names: [String]) {
    #expect(Self.names(tree) == names)
  }

  @Test("T09 What stands in columns is read column by column where their lines do not meet")
  func columns() {
    #expect(
      Self.names(
        """
        panel '' 0,0,400,300 showing
          text 'd' 200,90,150,24 showing editable
          text 'c' 200,10,150,70 showing editable
          text 'b' 10,50,150,60 showing editable
          text 'a' 10,0,150,44 showing editable
        """) == ["a", "b", "c", "d"])
  }
}
