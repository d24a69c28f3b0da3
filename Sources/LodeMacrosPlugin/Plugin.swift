// The program that the compiler runs to expand macros. It speaks the compiler's message protocol over its
// standard streams; how swift-syntax is found is in docs/decisions.

import SwiftSyntaxMacros

/// The macros' types, by the names that `#externalMacro` gives them in `LodeMacros`.
var macroTypes: [String: any Macro.Type] {
  [
    "ModelMacro": ModelMacro.self,
    "PropertyMacro": PropertyMacro.self,
    "AttributeMacro": AttributeMacro.self,
    "RelationshipMacro": RelationshipMacro.self,
    "UnmodeledMacro": UnmodeledMacro.self,
  ]
}

#if canImport(SwiftCompilerPlugin)
  import SwiftCompilerPlugin

  @main struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = Array(macroTypes.values)
  }
#else
  // The toolchain has the message loop but not the small module that wraps it.
  @_spi(PluginMessage) import SwiftCompilerPluginMessageHandling

  @main struct Plugin: PluginProvider {
    static func main() throws {
      let connection = try StandardIOMessageConnection()
      try CompilerPluginMessageListener(connection: connection, provider: Plugin()).main()
    }

    func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
      guard let type = macroTypes[typeName] else { throw UnknownMacro(name: typeName) }
      return type
    }
  }

  private struct UnknownMacro: Error, CustomStringConvertible {
    let name: String
    var description: String { "the plugin has no macro \(name); build LodeMacros and it together" }
  }
#endif
