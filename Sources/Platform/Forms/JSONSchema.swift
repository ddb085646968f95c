public import JSON

/// A JSON Schema (draft 2020-12), together with the named schemas that it mentions.
///
/// A named schema appears as a reference and brings its definition along, so a document that collects the
/// ``definitions`` of all its schemas has no reference without a target.
public struct JSONSchema: Sendable, Equatable {
    /// The schema itself; for a named one, the reference to it.
    public let json: JSON
    /// Every named schema below this one, by name.
    public let definitions: [String: JSON]

    /// Creates a schema from JSON, with the definitions that it needs.
    public init(_ json: JSON, definitions: [String: JSON] = [:]) {
        self.json = json
        self.definitions = definitions
    }

    /// Returns the schema under a name of its own, by which others refer to it.
    public func named(_ name: String) -> JSONSchema {
        JSONSchema(JSONSchema.recursive(name).json, definitions: definitions.merging([name: json]) { _, new in new })
    }

    /// The schema that a reference refers to; any other schema is itself.
    public var unnamed: JSONSchema {
        guard let name = json["$ref"]?.string?.split(separator: "/").last, let schema = definitions[String(name)] else {
            return self
        }
        return JSONSchema(schema, definitions: definitions)
    }

    /// Returns a reference to a named schema, for use inside its own definition.
    public static func recursive(_ name: String) -> JSONSchema {
        JSONSchema(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// Returns the schema with further keywords.
    public func with(_ keywords: JSONObject) -> JSONSchema {
        var object = json.object ?? JSONObject()
        for keyword in keywords { object[keyword.name] = keyword.value }
        return JSONSchema(.object(object), definitions: definitions)
    }

    /// Returns the schema with a sentence on what the value means.
    public func described(_ text: String) -> JSONSchema { with(["description": .string(text)]) }

    /// The same schema, which also allows `null`.
    public var nullable: JSONSchema {
        guard var object = json.object else { return self }
        if let type = object["type"] {
            object["type"] = .array((type.array ?? [type]) + ["null"])
            if let values = object["enum"]?.array { object["enum"] = .array(values + [nil]) }
            return JSONSchema(.object(object), definitions: definitions)
        }
        return object.isEmpty ? self : .one(of: [self, JSONSchema(["type": "null"])])
    }

    /// Returns a schema for exactly one of several.
    public static func one(of choices: [JSONSchema]) -> JSONSchema {
        JSONSchema(["oneOf": .array(choices.map(\.json))], definitions: union(choices))
    }

    private static func union(_ parts: [JSONSchema]) -> [String: JSON] {
        parts.reduce(into: [:]) { $0.merge($1.definitions) { _, new in new } }
    }
}

extension JSONSchema {
    /// Any value.
    public static let any = JSONSchema([:])
    /// A string.
    public static let text = JSONSchema(["type": "string"])
    /// A Boolean.
    public static let flag = JSONSchema(["type": "boolean"])
    /// An integer.
    public static let integer = JSONSchema(["type": "integer"])
    /// A number, written out exactly.
    public static let number = JSONSchema(["type": "number"])
    /// A decimal number as requests may write it: as a number or as a string.
    public static let decimal = JSONSchema(["type": ["number", "string"]])
    /// A moment in UTC, with milliseconds.
    public static let moment = JSONSchema(["type": "string", "format": "date-time"])
    /// A calendar day.
    public static let day = JSONSchema(["type": "string", "format": "date"])
    /// An object with any members.
    public static let object = JSONSchema(["type": "object"])

    /// Returns a schema for a string whose number of code points is within a range.
    public static func text(_ length: ClosedRange<Int>) -> JSONSchema {
        text.with(["minLength": .number(String(length.lowerBound)), "maxLength": .number(String(length.upperBound))])
    }

    /// Returns a schema for an integer within a range; an upper bound of `Int.max` sets no maximum.
    public static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
        let low = integer.with(["minimum": .number(String(range.lowerBound))])
        return range.upperBound == .max ? low : low.with(["maximum": .number(String(range.upperBound))])
    }

    /// Returns a schema for one of a few words.
    public static func choice(_ words: [String]) -> JSONSchema {
        text.with(["enum": .array(words.map { .string($0) })])
    }

    /// Returns a schema for one of the cases of an enumeration.
    public static func choice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> JSONSchema {
        choice(type.allCases.map(\.rawValue))
    }

    /// Returns a schema for an array of at most `limit` elements.
    public static func array(of element: JSONSchema, most limit: Int? = nil) -> JSONSchema {
        let array = JSONSchema(["type": "array", "items": element.json], definitions: element.definitions)
        return limit.map { array.with(["maxItems": .number(String($0))]) } ?? array
    }

    /// Returns a schema for an object whose values are of one kind, under any names.
    public static func map(to value: JSONSchema) -> JSONSchema {
        JSONSchema(["type": "object", "additionalProperties": value.json], definitions: value.definitions)
    }

    /// Returns a schema for an object of the given members; one whose name ends in `?` may be absent. Other members are
    /// not allowed unless the object is open.
    public static func object(_ members: KeyValuePairs<String, JSONSchema>, isOpen: Bool = false) -> JSONSchema {
        object(
            members.map { name, schema in
                let isOptional = name.hasSuffix("?")
                return (isOptional ? String(name.dropLast()) : name, schema, !isOptional)
            }, isOpen: isOpen)
    }

    static func object(
        _ members: [(name: String, schema: JSONSchema, isRequired: Bool)], isOpen: Bool
    ) -> JSONSchema {
        var properties = JSONObject()
        for member in members { properties[member.name] = member.schema.json }
        let required = members.filter(\.isRequired).map { JSON.string($0.name) }
        var object: JSONObject = ["type": "object", "properties": .object(properties)]
        if !required.isEmpty { object["required"] = .array(required) }
        object["additionalProperties"] = .bool(isOpen)
        return JSONSchema(.object(object), definitions: union(members.map(\.schema)))
    }

    /// Returns a schema for an object of the given members, under a name of its own.
    public static func object(
        _ name: String, _ members: KeyValuePairs<String, JSONSchema>, isOpen: Bool = false
    ) -> JSONSchema {
        object(members, isOpen: isOpen).named(name)
    }
}
