public import GradingKit
public import Shared

/// Why a use-case did not do what it was asked: a stable code, all faults at once, and whether asking again may help.
///
/// It knows no protocol. The API answers with the status that belongs to the code; an import writes the faults beside
/// the row.
public struct UseCaseError: Error, Sendable {
    /// The code, which never changes; clients decide by it.
    public var code: FaultCode
    /// What to say beyond the code's own words; English, for developers.
    public var detail: String?
    /// What is wrong with the request, sorted by path.
    public var faults: [Fault] = []
    /// The wording of the faults' codes, where a scheme has its own.
    public var catalog: MessageCatalog?
    /// Whether the same request may succeed later.
    public var isRetryable = false
    /// Seconds to wait before trying again.
    public var retryAfter: Int?
    /// Further members, such as the current version.
    public var members = JSONObject()

    /// An error that repeating does not help.
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
    /// There is no such thing, or the caller may not know of it.
    public static let notFound = UseCaseError("not_found")
    /// What was rehearsed is not what would be done now.
    static let digestMismatch = UseCaseError("digest_mismatch")
    /// The caller has changed nothing that could be taken back.
    static let nothingToUndo = UseCaseError("nothing_to_undo")

    /// The token, or the service account, may not be used for it.
    public static func insufficientScope(_ scope: Scope) -> UseCaseError {
        var error = UseCaseError("insufficient_scope")
        error.members["scope"] = .string(scope.rawValue)
        return error
    }

    /// The request cannot be read.
    public static func malformed(_ detail: String) -> UseCaseError { UseCaseError("malformed", detail) }

    /// The scheme cannot compute, and repeating the request does not help.
    static func notComputable(_ detail: String) -> UseCaseError { UseCaseError(.notComputable, detail) }

    /// The caller asked too often; `retryAfter` in seconds.
    public static func rateLimited(retryAfter: Int) -> UseCaseError {
        var error = UseCaseError("rate_limited")
        error.isRetryable = true
        error.retryAfter = retryAfter
        return error
    }

    /// It cannot be done just now; `retryAfter` in seconds.
    public static func unavailable(_ detail: String, retryAfter: Int = 1) -> UseCaseError {
        var error = UseCaseError("unavailable", detail)
        error.isRetryable = true
        error.retryAfter = retryAfter
        return error
    }

    /// The request waited for its turn until its caller had stopped waiting. It was not begun.
    static var deadlinePassed: UseCaseError {
        var error = UseCaseError("deadline_passed")
        error.isRetryable = true
        error.retryAfter = 2
        return error
    }

    /// Everything that is wrong with a request, in the words of a scheme where `catalog` has them.
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

    /// An entry that a record does not have, in the words of its scheme.
    static func entryNotFound(_ missing: EntryNotFound, _ catalog: MessageCatalog) -> UseCaseError {
        var error = UseCaseError(.entryNotFound)
        error.faults = [Fault(.entryNotFound, at: "", ["entry": .string(missing.entry)])]
        error.catalog = catalog
        return error
    }
}
