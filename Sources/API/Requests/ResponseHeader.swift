import Forms
import GradingKit

/// A header of a response, as the API's description lists it.
struct ResponseHeader: Sendable {
    let name: String
    let summary: String
    var schema = JSONSchema.text

    static let eTag = ResponseHeader(
        name: "ETag", summary: "The version of the answered document, for `If-Match` and `If-None-Match`.",
        schema: JSONSchema.text.with(["examples": ["\"k3.44\""]]))
    static let location = ResponseHeader(name: "Location", summary: "The path of what was made.")
    static let link = ResponseHeader(
        name: "Link", summary: "`<path>; rel=\"next\"`: the next page; absent on the last.")
    static let retryAfter = ResponseHeader(
        name: "Retry-After", summary: "Seconds to wait before the same request may succeed.",
        schema: .integer(0...Int.max))
    static let setCookie = ResponseHeader(
        name: "Set-Cookie", summary: "The session as a cookie, where one was asked for.")
}
