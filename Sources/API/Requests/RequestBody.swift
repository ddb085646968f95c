import Forms
import GradingKit

/// What the body of a request may be.
struct RequestBody: Sendable {
    /// By media type.
    let content: [(type: String, schema: JSONSchema)]
    let isRequired: Bool
    /// A body that is accepted.
    var example: JSON?

    /// JSON that a form reads; an optional one may be left out.
    static func json<Value>(_ form: RequestForm<Value>, isRequired: Bool = true) -> RequestBody {
        RequestBody(content: [("application/json", form.schema)], isRequired: isRequired, example: form.example)
    }

    /// JSON of that schema, whose reader stands elsewhere.
    static func json(_ schema: JSONSchema, example: JSON? = nil) -> RequestBody {
        RequestBody(content: [("application/json", schema)], isRequired: true, example: example)
    }

    var takesJSON: Bool { content.contains { $0.type == "application/json" } }
}
