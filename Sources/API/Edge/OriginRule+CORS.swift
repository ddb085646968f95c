import HTTP

/// The CORS protocol of the Fetch standard, by which browsers let pages of the listed origins read what the server answers.
/// They act by token: without `Access-Control-Allow-Credentials`, they cannot read answers to requests with a cookie.
extension OriginRule {
    /// The header fields with which clients ask.
    private static let asked = [
        "Accept-Language", "Authorization", "Content-Type", "Gradecast-Account", "Idempotency-Key", "If-Match",
        "If-None-Match", "Last-Event-ID", "Prefer", "traceparent",
    ].joined(separator: ", ")

    /// The header fields of answers that say something to clients.
    private static let told = ["Date", "ETag", "Link", "Location", "Retry-After", "X-Request-Id"].joined(
        separator: ", ")

    /// How long browsers may remember the answer to a preflight request, in seconds: as long as Chromium does at most.
    private static let remembered = "7200"

    /// Adds to a response what lets the page that asked for it read it, if its origin is listed.
    func admit(_ request: Request, to response: inout Response) {
        if others.isEmpty { return }
        // What is the same for all origins but for these fields must not be taken from a cache for another one.
        response.headers.append("Vary", "Origin")
        guard let origin = listed(request) else { return }
        response.headers.append("Access-Control-Allow-Origin", origin)
        response.headers.append("Access-Control-Expose-Headers", Self.told)
    }

    /// Adds to the answer to `OPTIONS` what a page may send, if a browser asks for a page of a listed origin.
    func answerPreflight(_ request: Request, allowing methods: String, in response: inout Response) {
        guard request.headers.contains("Access-Control-Request-Method"), listed(request) != nil else { return }
        response.headers.append("Access-Control-Allow-Methods", methods)
        response.headers.append("Access-Control-Allow-Headers", Self.asked)
        response.headers.append("Access-Control-Max-Age", Self.remembered)
    }

    private func listed(_ request: Request) -> String? {
        let origins = request.headers.values("Origin")
        guard origins.count == 1, others.contains(origins[0]) else { return nil }
        return origins[0]
    }
}
