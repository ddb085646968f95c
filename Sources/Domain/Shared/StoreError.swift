/// The reason why a store refused a call. If a call throws one of these, nothing was changed.
public enum StoreError: Error, Equatable, Sendable {
    /// The object does not exist, or was deleted.
    case notFound
    /// The caller expects another version than the current one.
    case versionConflict(current: Revision)
    /// An access version or a program version changed after the permission was checked: check it again.
    case moved
    /// The idempotency key was used with another request.
    case idempotencyMismatch
    /// Another object has the unique value; `field` names it (`login`, `slug` …).
    case taken(field: String)
    /// The disk is full; reading still works.
    case full
    /// Writing has stopped after a failed commit or because the store is closing; reading still works.
    case unavailable(String)
    /// The file is damaged, or its schema is newer than this program.
    case incompatible(String)
}
