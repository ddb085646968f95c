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

    /// Bytes of one of these types.
    static func bytes(_ types: String...) -> RequestBody {
        RequestBody(content: types.map { ($0, .any) }, isRequired: true)
    }

    var takesJSON: Bool { content.contains { $0.type == "application/json" } }
}

extension RequestBody {
    /// JSON of an object whose reader stands elsewhere.
    static func schema(_ name: String, _ members: KeyValuePairs<String, JSONSchema>) -> RequestBody {
        .json(.object(name, members))
    }
}
