/// The session as an assistive technology finds it.
extension Session {
  /// - Parameter phrases: the wording of a voice: nobody sees these names.
  package func scene(_ phrases: Phrasebook) -> DragScene {
    let contents = screen(height: Self.sceneRows, top: 0, phrases: phrases, message: "")
    var scene = DragScene()
    scene.phase = phase.name
    scene.title = contents.title
    scene.carried = contents.carried
    scene.current = contents.current
    scene.operation = state.operation
    scene.delivery = contents.deliveries.first?.text
    scene.percent = deliveries.values.first?.percent
    scene.rows = contents.rows.enumerated().map { index, row in
      DragScene.Row(
        name: row.name, note: row.note, isWelcome: !row.isDimmed,
        operation: operation(ofRow: contents.firstRow + index))
    }
    return scene
  }

  /// More than anyone walks through by a reader's own means, and little enough to be made at each key.
  private static let sceneRows = 200

  private func operation(ofRow index: Int) -> DragOperation? {
    guard case .carrying(let carry) = phase, carry.walk.points.indices.contains(index) else {
      return nil
    }
    return report(at: DropStop(carry.walk.points[index].id, .on), carry)?.operation
  }
}
