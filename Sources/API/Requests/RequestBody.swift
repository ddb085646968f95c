import Forms
import GradingKit

/// The bodies that a request may have.
struct RequestBody: Sendable {
    /// The schemas, by media type.
    let content: [(type: String, schema: JSONSchema)]
    let isRequired: Bool
    /// Examples of valid bodies, by media type; a string if the body is not JSON.
    var examples: [String: JSON] = [:]

    /// Returns a JSON body that a form reads; an optional one may be left out.
    static func json<Value>(_ form: RequestForm<Value>, isRequired: Bool = true) -> RequestBody {
        RequestBody(content: [("application/json", form.schema)], isRequired: isRequired, examples: json(form.example))
    }

    /// Returns a JSON body of a schema, for a reader that is defined elsewhere.
    static func json(_ schema: JSONSchema, example: JSON) -> RequestBody {
        RequestBody(content: [("application/json", schema)], isRequired: true, examples: json(example))
    }

    /// Returns a form of a schema, as browsers send it.
    static func form(_ schema: JSONSchema, example: JSON) -> RequestBody {
        RequestBody(content: [(formType, schema)], isRequired: true, examples: [formType: example])
    }

    /// The media type of a form.
    static let formType = "application/x-www-form-urlencoded"

    private static func json(_ example: JSON?) -> [String: JSON] { example.map { ["application/json": $0] } ?? [:] }

    var takesJSON: Bool { content.contains { $0.type == "application/json" } }
}
