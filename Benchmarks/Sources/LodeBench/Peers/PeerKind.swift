extension PeerKind {
  /// Opens the store in a folder, making it if it is not there.
  ///
  /// - Parameter isFast: whether a commit may answer before it is on the disk, where a peer offers that.
  func open(folder: String, isFast: Bool) throws -> any Peer {
    switch self {
    case .lode: try LodePeer(folder: folder)
    case .lmdb, .sqlite: try RawPeer(kind: self, folder: folder, isFast: isFast)
    }
  }
}
