import Testing

/// Declarations that `@Model` and the other macros can't stand before.
struct ClassDiagnosticTests {
  @Test(arguments: ["struct", "enum", "actor", "extension"])
  func `only a class can be a model`(keyword: String) {
    let expansion = Expansion("@Model \(keyword) Note {}")
    #expect(
      expansion.diagnostics == [
        "1:8 @Model stands before a class that inherits from ManagedObject, never before "
          + "“\(keyword)”: objects have an identity and are shared"
      ])
  }

  @Test(arguments: [
    ("@Model class Note {}", "@Model class Note: ManagedObject {}"),
    ("@Model class Note: Sendable, P {}", "@Model class Note: ManagedObject, Sendable, P {}"),
  ])
  func `a class without a superclass is refused`(source: String, mended: String) {
    let expansion = Expansion(source)
    #expect(
      expansion.diagnostics == [
        "1:14 a model class inherits from ManagedObject or from another model class"
      ])
    #expect(expansion.mended == mended)
  }

  @Test func `a generic class is refused`() {
    let expansion = Expansion("@Model class Note<T>: ManagedObject {}")
    #expect(
      expansion.diagnostics == [
        "1:18 a model class can't be generic: it stands for one entity"
      ])
  }

  @Test(arguments: ["Attribute", "Relationship", "Unmodeled"])
  func `outside a model the other macros mean nothing`(name: String) {
    let expected = "@\(name) has a meaning in a class that @Model stands before, only"
    let inClass = Expansion("class Note { @\(name) var n: Int? }")
    #expect(inClass.diagnostics == ["1:14 " + expected])
    #expect(inClass.mended == "class Note { var n: Int? }")
    #expect(Expansion("@\(name) var n: Int?").diagnostics == ["1:1 " + expected])
  }
}
