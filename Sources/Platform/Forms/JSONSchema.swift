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

    /// A schema as it stands, with the definitions that it needs.
    public init(_ json: JSON, definitions: [String: JSON] = [:]) {
        self.json = json
        self.definitions = definitions
    }

    /// The schema under a name of its own, by which others refer to it.
    public func named(_ name: String) -> JSONSchema {
        JSONSchema(JSONSchema.recursive(name).json, definitions: definitions.merging([name: json]) { _, new in new })
    }

    /// A reference from inside the definition of that name.
    public static func recursive(_ name: String) -> JSONSchema {
        JSONSchema(["$ref": .string("#/components/schemas/\(name)")])
    }

    /// The schema with further keywords.
    public func with(_ keywords: JSONObject) -> JSONSchema {
        var object = json.object ?? JSONObject()
        for keyword in keywords { object[keyword.name] = keyword.value }
        return JSONSchema(.object(object), definitions: definitions)
    }

    /// The schema with a sentence on what the value means.
    public func described(_ text: String) -> JSONSchema { with(["description": .string(text)]) }

    /// This or `null`.
    public var nullable: JSONSchema {
        guard var object = json.object else { return self }
        if let type = object["type"] {
            object["type"] = .array((type.array ?? [type]) + ["null"])
            if let values = object["enum"]?.array { object["enum"] = .array(values + [nil]) }
            return JSONSchema(.object(object), definitions: definitions)
        }
        return object.isEmpty ? self : .one(of: [self, JSONSchema(["type": "null"])])
    }

    /// Exactly one of several.
    public static func one(of choices: [JSONSchema]) -> JSONSchema {
        JSONSchema(["oneOf": .array(choices.map(\.json))], definitions: union(choices))
    }

    private static func union(_ parts: [JSONSchema]) -> [String: JSON] {
        parts.reduce(into: [:]) { $0.merge($1.definitions) { _, new in new } }
    }
}

extension JSONSchema {
    /// Anything.
    public static let any = JSONSchema([:])
    /// A string.
    public static let text = JSONSchema(["type": "string"])
    /// A truth value.
    public static let flag = JSONSchema(["type": "boolean"])
    /// An integer.
    public static let integer = JSONSchema(["type": "integer"])
    /// A number, written out exactly.
    public static let number = JSONSchema(["type": "number"])
    /// A decimal number as requests may write it: as a number or as a string.
    public static let decimal = JSONSchema(["type": ["number", "string"]])
    /// A moment in UTC, with milliseconds.
    public static let moment = JSONSchema(["type": "string", "format": "date-time"])
    /// A day.
    public static let day = JSONSchema(["type": "string", "format": "date"])
    /// An object of any members.
    public static let object = JSONSchema(["type": "object"])

    /// A string of so many code points.
    public static func text(_ length: ClosedRange<Int>) -> JSONSchema {
        text.with(["minLength": .number(String(length.lowerBound)), "maxLength": .number(String(length.upperBound))])
    }

    /// An integer within a range; `Int.max` is no bound.
    public static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
        let low = integer.with(["minimum": .number(String(range.lowerBound))])
        return range.upperBound == .max ? low : low.with(["maximum": .number(String(range.upperBound))])
    }

    /// One of a few words.
    public static func choice(_ words: [String]) -> JSONSchema {
        text.with(["enum": .array(words.map { .string($0) })])
    }

    /// One of the cases of an enumeration.
    public static func choice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> JSONSchema {
        choice(type.allCases.map(\.rawValue))
    }

    /// An array, of at most so many elements.
    public static func array(of element: JSONSchema, most limit: Int? = nil) -> JSONSchema {
        let array = JSONSchema(["type": "array", "items": element.json], definitions: element.definitions)
        return limit.map { array.with(["maxItems": .number(String($0))]) } ?? array
    }

    /// An object with values of one kind under any names.
    public static func map(to value: JSONSchema) -> JSONSchema {
        JSONSchema(["type": "object", "additionalProperties": value.json], definitions: value.definitions)
    }

    /// An object of the given members; a name that ends in `?` may be absent. Others are not allowed unless it is open.
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

    /// An object of the given members under a name of its own.
    public static func object(
        _ name: String, _ members: KeyValuePairs<String, JSONSchema>, isOpen: Bool = false
    ) -> JSONSchema {
        object(members, isOpen: isOpen).named(name)
    }
}
