import Testing

/// A count of blemishes that may fall and never rise: a limit above zero is a debt taken knowingly, to be
/// lowered in the change that pays some of it back.
func expectAtMost(
  _ limit: Int, _ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation
) {
  guard findings.count > limit else { return }
  Issue.record(
    "\(findings.count) found, \(limit) allowed:\n\(findings.report)",
    sourceLocation: sourceLocation)
}
