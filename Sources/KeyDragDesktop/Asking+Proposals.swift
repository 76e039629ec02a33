import KeyDragCore

extension Asking {
  /// The verdict as an answer.
  ///
  /// - Parameters:
  ///   - anything: whether the program accepts everything.
  ///   - isShown: whether the window is on the screen; a hidden one can't say why.
  static func proposal(
    _ verdict: DragAnswer, _ operation: DragOperation, anything: Bool, isShown: Bool
  ) -> DropProposal {
    switch verdict {
    case .accepts: DropProposal(anything ? .maybe : .all, offers: DragOperations(operation))
    case _ where verdict.isRefusal: .refused(isShown ? .notTaken : .notShown)
    case .refuses(let reason), .failed(let reason), .doubtful(let reason): .refused(reason)
    case .silent: .refused(.notResponding)
    }
  }

  /// Whether each item has a wanted type.
  ///
  /// - Parameter wanted: content types, or "image/*" for all of a kind.
  static func fits(
    _ items: [DragItem], _ wanted: [String], _ types: any ContentTypes
  ) -> Bool {
    items.allSatisfy { fits($0.types, wanted, types) }
  }

  /// Whether one of these types is wanted; "image/*" stands for every image.
  static func fits(
    _ offered: [String], _ wanted: [String], _ types: any ContentTypes
  ) -> Bool {
    offered.contains { name in
      // A parameter after the type names the encoding.
      let type = String(name.prefix { $0 != ";" && $0 != " " })
      return wanted.contains {
        $0 == type || $0.hasSuffix("/*") && type.hasPrefix($0.dropLast())
          || types.conforms(type, to: $0)
      }
    }
  }
}

extension DragAnswer {
  /// Whether the place itself takes nothing.
  var isRefusal: Bool { [.refuses(.notTaken), .refuses(.notShown)].contains(self) }
}
