/// Items laid side by side, in lines of a limited width.
///
/// - Parameters:
///   - items: texts that are kept whole; one wider than the limit has a line to itself.
///   - width: the longest line in characters, indentation included.
///   - indentation: spaces before each line.
func wrappedLines(_ items: [String], width: Int, indentation: Int) -> [String] {
  let margin = String(repeating: " ", count: indentation)
  var lines: [String] = []
  var line = margin
  for (index, item) in items.enumerated() {
    let piece = index + 1 < items.count ? item + "," : item
    let isFirst = line.count == indentation
    if !isFirst, line.count + 1 + piece.count > width {
      lines.append(line)
      line = margin + piece
    } else {
      line += (isFirst ? "" : " ") + piece
    }
  }
  if line.count > indentation { lines.append(line) }
  return lines
}
