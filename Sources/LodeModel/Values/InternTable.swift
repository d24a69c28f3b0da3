import Synchronization

/// A process-wide table that gives each distinct value a small number, so that object IDs stay plain
/// bits: comparing, hashing and copying one touches no reference count.
///
/// Entries are never removed. What enters is bounded: one entry per store opened and per entity name.
final class InternTable<Element: Hashable & Sendable>: Sendable {
  private struct Entries {
    var elements: [Element] = []
    var numbers: [Element: UInt32] = [:]
  }

  private let entries = Mutex(Entries())

  func number(for element: Element) -> UInt32 {
    entries.withLock { entries in
      if let number = entries.numbers[element] { return number }
      let number = UInt32(entries.elements.count)
      entries.elements.append(element)
      entries.numbers[element] = number
      return number
    }
  }

  /// Returns the number of an element that has one already.
  func existingNumber(for element: Element) -> UInt32? {
    entries.withLock { $0.numbers[element] }
  }

  subscript(number: UInt32) -> Element {
    entries.withLock { $0.elements[Int(number)] }
  }
}
