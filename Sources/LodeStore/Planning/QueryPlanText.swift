internal import LodeModel

// The text form of plans, for people and for tests: the source, then what is left to do.

extension QueryPlan: CustomStringConvertible {
  var description: String {
    var parts = [source.description(entity)]
    if residual != nil { parts.append("filter") }
    if !sort.isEmpty { parts.append("sort \(sort.map(\.planText).joined(separator: ", "))") }
    return parts.joined(separator: "; ")
  }
}

extension QueryPlan.Source {
  fileprivate func description(_ entity: StoredEntity) -> String {
    switch self {
    case .nothing: "nothing"
    case .scan: "scan \(entity.entity.root.name)"
    }
  }
}

extension BoundSortTerm {
  fileprivate var planText: String { path.string + (isAscending ? "" : " descending") }
}
