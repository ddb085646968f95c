import GradingKit
import HTTP

/// An error as it is answered: RFC 9457, with a stable code, all faults at once, and whether trying again may help.
struct Problem: Error, Sendable {
    /// The HTTP status.
    var status: Status
    /// The code, which never changes; clients decide by it.
    var code: FaultCode
    /// What to say beyond the code's own words; English, for developers.
    var detail: String?
    /// What is wrong with the request, sorted by path.
    var faults: [Fault] = []
    /// The wording of the faults' codes, where a scheme has its own.
    var catalog: MessageCatalog?
    /// Whether the same request may succeed later.
    var isRetryable = false
    /// Seconds to wait before trying again.
    var retryAfter: Int?
    /// Further members, such as the current version.
    var members = JSONObject()
    /// Header fields that belong to the status, such as `Allow`.
    var headers = Headers()

    init(_ status: Status, _ code: FaultCode, _ detail: String? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    /// The answer, worded in a language.
    func response(in language: Language) -> Response {
        let words = MessageCatalog.server.adding(catalog ?? MessageCatalog())
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("type", "urn:gradecast:problem:\(code)")
            writer.member("title", words.message(code, in: language))
            writer.member("status", status.code)
            writer.member("code", code.text)
            writer.member("detail", detail ?? faults.first.map { words.message($0, in: language) })
            writer.member("faults") { writer in
                writer.array { for fault in faults { Self.write(fault, words, in: language, to: &$0) } }
            }
            writer.member("retryable", isRetryable)
            for member in members { writer.member(member.name, member.value) }
        }
        var response = Response(status, type: "application/problem+json", body: writer.bytes)
        for (name, value) in headers.all { response.headers.set(name, value) }
        if let retryAfter { response.headers.set("Retry-After", String(retryAfter)) }
        return response
    }

    private static func write(
        _ fault: Fault, _ words: MessageCatalog, in language: Language, to writer: inout JSONWriter
    ) {
        writer.object {
            $0.member("code", fault.code.text)
            $0.member("path", fault.path)
            $0.member("message", words.message(fault, in: language))
            $0.member("args", .object(fault.arguments))
        }
    }
}

extension Problem {
    static let unauthenticated = Problem(.unauthorized, "unauthenticated")
    static let forbidden = Problem(.forbidden, "forbidden")
    static let notFound = Problem(.notFound, "not_found")
    static let unsupportedMediaType = Problem(
        .unsupportedMediaType, "unsupported_media_type", "The body must be application/json")

    static func malformed(_ detail: String) -> Problem { Problem(.badRequest, "malformed", detail) }

    /// As many live connections are open as the account, or the address of a guest, may have.
    static var tooManyConnections: Problem {
        var problem = Problem(.tooManyRequests, "too_many_connections")
        problem.isRetryable = true
        problem.retryAfter = 5
        return problem
    }

    static func rateLimited(retryAfter: Int) -> Problem {
        var problem = Problem(.tooManyRequests, "rate_limited")
        problem.isRetryable = true
        problem.retryAfter = retryAfter
        return problem
    }

    static func unavailable(_ detail: String, retryAfter: Int = 1) -> Problem {
        var problem = Problem(.serviceUnavailable, "unavailable", detail)
        problem.isRetryable = true
        problem.retryAfter = retryAfter
        return problem
    }

    static func invalid(_ faults: FaultList, catalog: MessageCatalog? = nil) -> Problem {
        if let failure = faults.faults.first(where: { $0.code == .notComputable }) {
            var problem = Problem.unavailable(failure.arguments["detail"]?.string ?? "The scheme does not answer")
            problem.code = .notComputable
            return problem
        }
        var problem = Problem(.unprocessableContent, "invalid")
        problem.faults = faults.faults
        problem.catalog = catalog
        return problem
    }
}
