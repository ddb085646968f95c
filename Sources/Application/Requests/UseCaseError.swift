public import GradingKit
public import Shared

/// Why a use case was refused or failed: a stable code, all faults at once, and whether a retry may help.
///
/// The type knows no protocol. The API answers with the code's status; an import lists the faults with the row.
public struct UseCaseError: Error, Sendable {
    /// The code. It never changes, so clients may rely on it.
    public var code: FaultCode
    /// More detail than the code's message; in English, for developers.
    public var detail: String?
    /// The faults of the request, sorted by path.
    public var faults: [Fault] = []
    /// The wording of the faults' codes, if a scheme has its own.
    public var catalog: MessageCatalog?
    /// Whether the same request may succeed later.
    public var isRetryable = false
    /// Seconds to wait before trying again.
    public var retryAfter: Int?
    /// Further members of the answer, such as the current version.
    public var members = JSONObject()

    /// Creates an error for which a retry does not help.
    public init(_ code: FaultCode, _ detail: String? = nil) {
        self.code = code
        self.detail = detail
    }
}

extension UseCaseError {
    /// The caller has to sign in first.
    public static let unauthenticated = UseCaseError("unauthenticated")
    /// The caller may not do it.
    public static let forbidden = UseCaseError("forbidden")
    /// The object does not exist, or the caller may not know of it.
    public static let notFound = UseCaseError("not_found")
    /// The result would now differ from the rehearsal.
    static let digestMismatch = UseCaseError("digest_mismatch")
    /// The caller has no change that could be undone.
    static let nothingToUndo = UseCaseError("nothing_to_undo")

    /// Returns the error for a token or service account that lacks the scope.
    public static func insufficientScope(_ scope: Scope) -> UseCaseError {
        var error = UseCaseError("insufficient_scope")
        error.members["scope"] = .string(scope.rawValue)
        return error
    }

    /// Returns the error for a request that cannot be read.
    public static func malformed(_ detail: String) -> UseCaseError { UseCaseError("malformed", detail) }

    /// Returns the error for a scheme that cannot compute the result, so that a retry does not help.
    static func notComputable(_ detail: String) -> UseCaseError { UseCaseError(.notComputable, detail) }

    /// Returns the error for a caller that sent too many requests; `retryAfter` in seconds.
    public static func rateLimited(retryAfter: Int) -> UseCaseError {
        var error = UseCaseError("rate_limited")
        error.isRetryable = true
        error.retryAfter = retryAfter
        return error
    }

    /// Returns the error for a temporary failure; `retryAfter` in seconds.
    public static func unavailable(_ detail: String, retryAfter: Int = 1) -> UseCaseError {
        var error = UseCaseError("unavailable", detail)
        error.isRetryable = true
        error.retryAfter = retryAfter
        return error
    }

    /// The deadline passed while the request waited for its turn. The work was not begun.
    static var deadlinePassed: UseCaseError {
        var error = UseCaseError("deadline_passed")
        error.isRetryable = true
        error.retryAfter = 2
        return error
    }

    /// Returns the error with all faults of a request, in a scheme's words where `catalog` has them.
    public static func invalid(_ faults: FaultList, catalog: MessageCatalog? = nil) -> UseCaseError {
        if let failure = faults.faults.first(where: { $0.code == .notComputable }) {
            var error = UseCaseError.unavailable(
                failure.arguments["detail"]?.string ?? "The scheme does not answer")
            error.code = .notComputable
            return error
        }
        var error = UseCaseError("invalid")
        error.faults = faults.faults
        error.catalog = catalog
        return error
    }

    /// Returns the error for an entry that the record does not have, worded by its scheme.
    static func entryNotFound(_ missing: EntryNotFound, _ catalog: MessageCatalog) -> UseCaseError {
        var error = UseCaseError(.entryNotFound)
        error.faults = [Fault(.entryNotFound, at: "", ["entry": .string(missing.entry)])]
        error.catalog = catalog
        return error
    }
}
