/// The session as exposed to assistive technologies.
extension Session {
  /// - Parameter phrases: the wording for a voice, since nobody sees these names.
  package func scene(_ phrases: Phrasebook) -> DragScene {
    let contents = screen(height: Self.sceneRows, top: 0, phrases: phrases, message: "")
    var scene = DragScene()
    scene.phase = phase.name
    scene.title = contents.title
    scene.carried = contents.carried
    scene.current = contents.current
    scene.operation = state.verdict?.operation
    scene.delivery = contents.deliveries.first?.text
    scene.percent = deliveries.values.first?.percent
    scene.rows = contents.rows.enumerated().map { index, row in
      DragScene.Row(
        name: row.name, note: row.note, isDroppable: !row.isDimmed,
        operation: operation(ofRow: contents.firstRow + index))
    }
    return scene
  }

  /// More than anyone walks by a reader's own means, and few enough to build at each key.
  private static let sceneRows = 200

  private func operation(ofRow index: Int) -> DragOperation? {
    guard case .carrying(let carry) = phase, carry.walk.points.indices.contains(index) else {
      return nil
    }
    return report(at: DropStop(carry.walk.points[index].id, .on), carry)?.verdict.operation
  }
}
