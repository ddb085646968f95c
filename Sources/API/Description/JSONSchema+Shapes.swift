import Forms
import GradingKit

extension JSONSchema {
    /// Returns the schema of a list, `{"items":[…]}`, named after its items.
    static func list(of item: JSONSchema) -> JSONSchema {
        JSONSchema.object(["items": .array(of: item)]).named(item.name + "List")
    }

    /// Returns the schema of an object with one member, named after the member's schema.
    static func wrapped(_ member: String, _ schema: JSONSchema) -> JSONSchema {
        JSONSchema.object(schema.name + "Answer", [member: schema])
    }

    /// The name that a reference points to; empty for a schema without a name.
    private var name: String {
        json["$ref"]?.string.map { String($0.split(separator: "/").last ?? "") } ?? ""
    }
}
