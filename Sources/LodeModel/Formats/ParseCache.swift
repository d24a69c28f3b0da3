import Synchronization

/// What formats without arguments were read as, so that the same text is read once.
///
/// Keeps at most `countMax` formats of at most `byteCountMax` bytes each; when it is full it starts anew,
/// which costs a program that has more formats than that one reading of each in turn.
enum ParseCache {
  static let countMax = 256
  static let byteCountMax = 1_024

  private static let predicates = Mutex<[String: ObjectPredicate]>([:])

  /// Returns the predicate of a format, reading it when it isn't kept.
  static func predicate(
    _ format: String, _ read: () throws(ObjectPredicateError) -> ObjectPredicate
  ) throws(ObjectPredicateError) -> ObjectPredicate {
    guard format.utf8.count <= byteCountMax else { return try read() }
    if let predicate = predicates.withLock({ $0[format] }) { return predicate }
    let predicate = try read()
    predicates.withLock { predicates in
      if predicates.count >= countMax { predicates.removeAll() }
      predicates[format] = predicate
    }
    return predicate
  }
}
