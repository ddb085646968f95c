/// Why a store refused. When one of these is thrown, nothing was changed.
public enum StoreError: Error, Equatable, Sendable {
    /// There is no such thing (or it was deleted).
    case notFound
    /// `If-Match` named another version than the current one.
    case versionConflict(current: Revision)
    /// Access or program version moved after the permit was made: make the permit again.
    case moved
    /// The idempotency key was used with another request.
    case idempotencyMismatch
    /// A unique value is taken; `field` says which (`login`, `slug` …).
    case taken(field: String)
    /// No room on the disk; reading goes on.
    case full
    /// Writing has stopped (a failed commit or a closing store); reading goes on.
    case unavailable(String)
    /// The file is damaged, or of a newer schema than this program knows.
    case incompatible(String)
}
