// An application that imports Lode sees what objects are made of (LodeModel) and what stores answer
// (LodeStore) without importing them.

@_exported public import LodeModel
@_exported public import LodeStore
