import Foundation

/// The results for a person: a row an operation, a column a peer, ratios of the first peer to the others.
struct Table {
  let results: Results
  let peers: [PeerKind]

  var text: String {
    ([heading] + results.operations.map(row)).joined(separator: "\n")
  }

  private var heading: String {
    let names = peers.map { column($0.rawValue, peerWidth) }
    let ratios = others.map { column("÷ \($0.rawValue)", ratioWidth) }
    return label("operation") + (names + ratios).joined()
  }

  private func row(_ operation: Operation) -> String {
    let figures = peers.map { peer in
      column(results.spread(operation, peer).map(figure) ?? "–", peerWidth)
    }
    let ratios = others.map { peer in column(ratio(operation, to: peer), ratioWidth) }
    let name = "\(operation.rawValue)  \(operation.title), \(operation.unit)"
    return label(name) + (figures + ratios).joined()
  }

  /// The peers that the first is compared with.
  private var others: ArraySlice<PeerKind> { peers.dropFirst() }

  private func ratio(_ operation: Operation, to peer: PeerKind) -> String {
    guard let first = peers.first, let own = results.spread(operation, first)?.median,
      let other = results.spread(operation, peer)?.median, other > 0
    else { return "–" }
    return String(format: "%.2f", own / other)
  }

  private func figure(_ spread: Spread) -> String {
    "\(short(spread.median)) (\(short(spread.minimum))…\(short(spread.maximum)))"
  }

  private func short(_ value: Double) -> String {
    switch value {
    case ..<10: String(format: "%.2f", value)
    case ..<100: String(format: "%.1f", value)
    default: String(format: "%.0f", value)
    }
  }

  private func label(_ text: String) -> String {
    text.padding(toLength: max(text.count, 58), withPad: " ", startingAt: 0)
  }

  private func column(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}

private let peerWidth = 25
private let ratioWidth = 10
