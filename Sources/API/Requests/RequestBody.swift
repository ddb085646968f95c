import Forms
import GradingKit

/// What the body of a request may be.
struct RequestBody: Sendable {
    /// By media type.
    let content: [(type: String, schema: JSONSchema)]
    let isRequired: Bool
    /// Bodies that are accepted, by media type; a text for what is not JSON.
    var examples: [String: JSON] = [:]

    /// JSON that a form reads; an optional one may be left out.
    static func json<Value>(_ form: RequestForm<Value>, isRequired: Bool = true) -> RequestBody {
        RequestBody(content: [("application/json", form.schema)], isRequired: isRequired, examples: json(form.example))
    }

    /// JSON of that schema, whose reader stands elsewhere.
    static func json(_ schema: JSONSchema, example: JSON) -> RequestBody {
        RequestBody(content: [("application/json", schema)], isRequired: true, examples: json(example))
    }

    /// A form as browsers send it, of that schema.
    static func form(_ schema: JSONSchema, example: JSON) -> RequestBody {
        RequestBody(content: [(formType, schema)], isRequired: true, examples: [formType: example])
    }

    /// The media type of a form.
    static let formType = "application/x-www-form-urlencoded"

    private static func json(_ example: JSON?) -> [String: JSON] { example.map { ["application/json": $0] } ?? [:] }

    var takesJSON: Bool { content.contains { $0.type == "application/json" } }
}
