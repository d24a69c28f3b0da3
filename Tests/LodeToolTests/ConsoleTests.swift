import Testing

@testable import LodeTool

struct ConsoleTests {
  @Test func `paint is invisible where there are no colours`() {
    #expect(Paint.plain(.red, "gone") == "gone")
    #expect(Paint(isColored: true)(.red, "gone") == "\u{1B}[31mgone\u{1B}[0m")
  }

  @Test(arguments: [["NO_COLOR": "1", "TERM": "xterm"], ["TERM": "dumb"], [:]])
  func `nobody who declines colours gets them`(environment: [String: String]) {
    #expect(!Paint.forStandardOutput(environment: environment).isColored)
  }

  @Test func `items are wrapped whole`() {
    #expect(wrappedLines([], width: 10, indentation: 2) == [])
    #expect(
      wrappedLines(["one", "two", "three"], width: 11, indentation: 2) == [
        "  one, two,", "  three",
      ])
    #expect(wrappedLines(["overlong word"], width: 5, indentation: 1) == [" overlong word"])
  }
}
