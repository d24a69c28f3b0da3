internal import LodeModel

// The text form of plans, for people and for tests: the source, then what is done with its rows. Values
// are never shown.

extension QueryPlan: CustomStringConvertible {
  var description: String {
    if case .nothing = source { return "nothing" }
    var parts = [sourceText]
    if let residual { parts.append("filter \(residual.root.planText(isInside: false))") }
    if let orderText { parts.append(orderText) }
    return parts.joined(separator: "; ")
  }

  private var sourceText: String {
    switch source {
    case .nothing: return "nothing"
    case .scan: return "scan \(entity.entity.root.name)"
    case .numbers(let numbers): return "\(numbers.count) by number"
    case .index(let index, _):
      let kind = index.isUnique ? "constraint" : "index"
      return "\(kind) \(index.entity.name).\(index.name): "
        + uses.map(text).joined(separator: ", ")
    case .links(let links, _):
      return "links \(links.entity.name).\(links.relationship.name): "
        + uses.map(text).joined(separator: ", ")
    }
  }

  private func text(_ use: (slot: Int, use: IndexMatch.Use)) -> String {
    let name = entity.layout.properties[use.slot].name
    return switch use.use {
    case .points(1): "\(name) =="
    case .points(let count): "\(name) IN \(count)"
    case .range(let isBounded): "\(name) \(isBounded ? "between" : "from or to")"
    case .prefix: "\(name) begins"
    case .order: "\(name) in order"
    }
  }

  private var orderText: String? {
    switch order {
    case .source: nil
    case .index(_, let isReversed, _): isReversed ? "backwards" : "ties by number"
    case .number: "sort by number"
    case .terms(let terms): "sort by \(terms.map(\.planText).joined(separator: ", "))"
    }
  }
}

extension BoundSortTerm {
  fileprivate var planText: String { path.string + (isAscending ? "" : " descending") }
}

extension BoundPredicate.Node {
  /// The condition with `?` in place of every constant.
  fileprivate func planText(isInside: Bool) -> String {
    switch self {
    case .constant(let constant): return constant ? "TRUE" : "FALSE"
    case .and(let parts), .or(let parts):
      let isOr = if case .or = self { true } else { false }
      let text = parts.map { $0.planText(isInside: true) }
        .joined(separator: isOr ? " OR " : " AND ")
      return isInside ? "(\(text))" : text
    case .not(let part): return "NOT \(part.planText(isInside: true))"
    case .comparison(let comparison): return comparison.planText
    }
  }
}

extension BoundComparison {
  fileprivate var planText: String {
    let quantifierText = quantifier == .direct ? "" : quantifier.rawValue.uppercased() + " "
    return "\(quantifierText)\(left.planText) \(`operator`.rawValue) \(right.planText)"
  }
}

extension BoundExpression {
  fileprivate var planText: String {
    switch self {
    case .constant: "?"
    case .selfObject: "SELF"
    case .path(let path): path.string
    case .count(let path): path.string + ".@count"
    case .list: "{?}"
    case .member: "$"
    case .behind(let base, let path): "\(base.planText).\(path.string)"
    case .function(let function, let arguments):
      "\(function.rawValue)(\(arguments.map(\.planText).joined(separator: ", ")))"
    case .cast(let operand, let type): "CAST(\(operand.planText), \(type.rawValue))"
    case .conditional(let test, let first, let second):
      "TERNARY(\(test.planText(isInside: false)), \(first.planText), \(second.planText))"
    case .subquery(let collection, let condition):
      "SUBQUERY(\(collection.planText), $, \(condition.planText(isInside: false)))"
    case .entityName(let object): "\(object.planText).entity"
    case .narrowed(let object, let entity): "\(object.planText) as \(entity.name)"
    }
  }
}
