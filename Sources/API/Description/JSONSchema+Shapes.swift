import Forms
import GradingKit

extension JSONSchema {
    /// A list of things of a kind, under their name.
    static func list(of item: JSONSchema) -> JSONSchema {
        JSONSchema.object(["items": .array(of: item)]).named(item.name + "List")
    }

    /// A thing under its own name.
    static func wrapped(_ member: String, _ schema: JSONSchema) -> JSONSchema {
        JSONSchema.object(schema.name + "Answer", [member: schema])
    }

    /// What a reference refers to; empty for a schema without a name.
    private var name: String {
        json["$ref"]?.string.map { String($0.split(separator: "/").last ?? "") } ?? ""
    }
}
