import GradingKit

/// A named shape of JSON in the OpenAPI document.
struct Schema: Sendable {
    let name: String
    let json: JSON

    private init(_ name: String, _ json: JSON) {
        self.name = name
        self.json = json
    }

    /// An object of the given members; a name that ends in `?` is optional.
    static func object(_ name: String, _ members: KeyValuePairs<String, JSON>, isOpen: Bool = false) -> Schema {
        var properties = JSONObject()
        var required: [JSON] = []
        for (member, schema) in members {
            let isOptional = member.hasSuffix("?")
            let member = isOptional ? String(member.dropLast()) : member
            properties[member] = schema
            if !isOptional { required.append(.string(member)) }
        }
        var object: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object["required"] = .array(required) }
        if !isOpen { object["additionalProperties"] = false }
        return Schema(name, .object(object))
    }

    /// A list of things of a kind.
    static func list(of item: Schema) -> Schema {
        .object(item.name + "List", ["items": ["type": "array", "items": item.reference]])
    }

    /// A thing under its own name.
    static func wrapped(_ member: String, _ schema: Schema) -> Schema {
        .object(schema.name + "Answer", [member: schema.reference], isOpen: true)
    }

    /// How other parts of the document mention it.
    var reference: JSON { ["$ref": .string("#/components/schemas/\(name)")] }
}

/// Leaf types of schemas.
enum SchemaType {
    static let text: JSON = ["type": "string"]
    static let flag: JSON = ["type": "boolean"]
    static let integer: JSON = ["type": "integer"]
    static let number: JSON = ["type": ["number", "string"]]
    static let moment: JSON = ["type": "string", "format": "date-time"]
    static let day: JSON = ["type": "string", "format": "date"]
    static let object: JSON = ["type": "object"]
    static let objects: JSON = ["type": "array", "items": ["type": "object"]]
    static let texts: JSON = ["type": "array", "items": ["type": "string"]]
    static let optionalText: JSON = ["type": ["string", "null"]]

    static func choice(_ values: String...) -> JSON { ["enum": .array(values.map { .string($0) })] }
}
