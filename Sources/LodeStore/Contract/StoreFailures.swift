internal import LodeModel

// The one place where errors of records become errors of stores.

extension StoreError {
  init(_ error: RecordError, path: String? = nil, objectIDs: [ManagedObjectID] = []) {
    var objectIDs = objectIDs
    if case .damaged(let objectID, _) = error { objectIDs = [objectID] }
    let (code, message) =
      switch error {
      case .malformed(let reason):
        (Code.corrupt, "a record can't be read: \(reason); restore the store from a copy")
      case .damaged(let objectID, let reason):
        (
          Code.corrupt,
          "the record of \(objectID) is damaged: \(reason); others can be read, “lode check” lists "
            + "all that is wrong"
        )
      case .missingDictionary(let number):
        (Code.corrupt, "a record needs compression dictionary \(number), which the store lacks")
      case .unfit(let property, let kind):
        (Code.invalidValue, "“\(property)” can't hold a value of kind \(kind)")
      case .tooLong(let property, let byteCountMax):
        (Code.invalidValue, "“\(property)” makes its row longer than \(byteCountMax) bytes")
      case .foreignReference(let property):
        (Code.invalidValue, "“\(property)” leads to an object that isn't of this store")
      case .compression(let reason): (Code.file, "compression failed: \(reason)")
      }
    self.init(code, message, path: path, objectIDs: objectIDs)
  }
}
