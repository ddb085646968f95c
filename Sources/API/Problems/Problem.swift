import Application
import GradingKit
import HTTP
import Shared

/// An error as the client gets it (RFC 9457), with a stable code, all faults at once, and whether trying again may
/// help.
struct Problem: Error, Sendable {
    /// The HTTP status.
    var status: Status
    /// The code, the faults, and whether trying again may help.
    var error: UseCaseError
    /// Header fields that belong to the status, such as `Allow`.
    var headers = Headers()

    init(_ status: Status, _ code: FaultCode, _ detail: String? = nil) {
        self.init(status, UseCaseError(code, detail))
    }

    private init(_ status: Status, _ error: UseCaseError) {
        self.status = status
        self.error = error
    }

    /// Gives a use-case's error the status of its code.
    init(_ error: UseCaseError) { self.init(Status(of: error.code), error) }

    /// The code, which never changes; clients decide by it.
    var code: FaultCode { error.code }
    /// Seconds to wait before trying again.
    var retryAfter: Int? { error.retryAfter }

    /// Returns the problem document, worded in a language.
    func response(in language: Language) -> Response {
        let words = MessageCatalog.server.adding(error.catalog ?? MessageCatalog())
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", "urn:gradecast:problem:\(code)")
            writer.member("title", words.message(code, in: language))
            writer.member("status", status.code)
            writer.member("code", code.text)
            writer.member("detail", error.detail ?? error.faults.first.map { words.message($0, in: language) })
            writer.member("faults") { writer in
                writer.array { for fault in error.faults { fault.write(to: &$0, words, in: language) } }
            }
            writer.member("retryable", error.isRetryable)
            for member in error.members { writer.member(member.name, member.value) }
        }
        var response = Response(status, type: "application/problem+json", body: writer.bytes)
        for (name, value) in headers.all { response.headers.set(name, value) }
        if let retryAfter { response.headers.set("Retry-After", String(retryAfter)) }
        return response
    }
}

extension Problem {
    static let unauthenticated = Problem(.unauthenticated)
    static let forbidden = Problem(.forbidden)
    static let tokenExpired = Problem(UseCaseError("token_expired"))
    static let sessionRequired = Problem(UseCaseError("session_required"))
    static let notFound = Problem(.notFound)
    static let unsupportedMediaType = Problem(
        .unsupportedMediaType, "unsupported_media_type", "The body must be application/json")

    /// Returns the problem of a token that lacks a scope.
    static func insufficientScope(_ scope: Scope) -> Problem { Problem(.insufficientScope(scope)) }

    /// Sets `WWW-Authenticate` to the fault of the bearer token (RFC 6750, 3), or to the demand that its owner
    /// authenticates again (RFC 9470).
    mutating func challengeBearer() {
        let challenge: String? =
            switch code {
            case "unauthenticated", "token_expired": "error=\"invalid_token\""
            case "step_up_required": "error=\"insufficient_user_authentication\""
            case "insufficient_scope":
                "error=\"insufficient_scope\"" + (error.members["scope"]?.string.map { ", scope=\"\($0)\"" } ?? "")
            default: status == .unauthorized ? "" : nil
            }
        guard let challenge else { return }
        headers.set("WWW-Authenticate", "Bearer realm=\"gradecast\"" + (challenge.isEmpty ? "" : ", " + challenge))
    }

    static func malformed(_ detail: String) -> Problem { Problem(.malformed(detail)) }

    /// The problem of an account, or of a guest's address, that has as many live connections open as it may.
    static var tooManyConnections: Problem {
        var problem = Problem(.tooManyRequests, "too_many_connections")
        problem.error.isRetryable = true
        problem.error.retryAfter = 5
        return problem
    }

    static func rateLimited(retryAfter: Int) -> Problem { Problem(.rateLimited(retryAfter: retryAfter)) }

    static func unavailable(_ detail: String, retryAfter: Int = 1) -> Problem {
        Problem(.unavailable(detail, retryAfter: retryAfter))
    }
}

extension Status {
    /// Maps the code of a use-case's error to a status; 500 for a code that use-cases never use.
    fileprivate init(of code: FaultCode) {
        self =
            switch code {
            case "malformed": .badRequest
            case "unauthenticated", "second_factor_required", "step_up_required", "token_expired": .unauthorized
            case "forbidden", "enrolment_required", "insufficient_scope", "session_required": .forbidden
            case "not_found", "entry_not_found": .notFound
            case "version_conflict", "digest_mismatch", "nothing_to_undo", "cell_conflict", "line_changed",
                "structure_changed", "given_changed", "section_changed":
                .conflict
            case "invalid", "idempotency_mismatch": .unprocessableContent
            case "rate_limited": .tooManyRequests
            case "unavailable", "not_computable", "provider_unavailable", "deadline_passed": .serviceUnavailable
            case "storage_full": .insufficientStorage
            default: .internalServerError
            }
    }
}
