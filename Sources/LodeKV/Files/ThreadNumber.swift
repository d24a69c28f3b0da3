// A number that every thread has for itself.

internal import Glibc

/// A number of each thread's own, from 0; about 5 ns to read or change.
struct ThreadNumber: Sendable {
  private let key: pthread_key_t

  /// Takes one of the process's thread-specific keys, for good: only for numbers that live as long
  /// as the process.
  init() {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "the process has used up its thread-specific keys")
    self.key = key
  }

  var current: Int {
    get { Int(bitPattern: pthread_getspecific(key)) }
    nonmutating set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
}
