import HostilePrograms

extension RawPeer {
  static func connect(in stage: Stage) throws -> RawPeer { try connect(in: stage.peers) }

  static func visit(
    _ stage: Stage, as name: String, at socket: String? = nil
  ) throws -> RawPeer {
    try visit(in: stage.peers, as: name, at: socket)
  }

  static func listen(in stage: Stage) throws -> Int32 { try listen(in: stage.peers) }
}

extension Stage {
  /// The folder in which programs meet.
  fileprivate var peers: String { base + "/run/keydrag" }
}
