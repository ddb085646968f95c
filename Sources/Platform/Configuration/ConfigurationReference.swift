import Forms
public import JSON

/// What a configuration file may hold, for people and for tools. Keys and their values come from the code that reads a
/// file, meanings and defaults from ``Setting``.
public struct ConfigurationReference {
    private let root: JSONObject

    /// Describes the files that are read with this vocabulary.
    public init(knowing vocabulary: ServerConfiguration.Vocabulary) {
        root = ServerConfiguration.plainSchema(knowing: vocabulary).json.object ?? JSONObject()
    }

    /// The JSON Schema (draft 2020-12) of a file.
    public var schema: JSON {
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Configuration of Gradecast",
        ]
        for member in described(root, at: "").object ?? JSONObject() { schema[member.name] = member.value }
        return .object(schema)
    }

    /// The reference as a page in Markdown.
    public var page: String {
        var lines = [Self.head]
        var section = ""
        let keys = keys
        for setting in Setting.all {
            guard let key = keys.first(where: { $0.path == setting.key }) else { continue }
            let name = String(setting.key.prefix { $0 != "." && $0 != "[" })
            if name != section {
                section = name
                lines += ["", "## \(name)", "", "| Key | Values | Default | Meaning |", "|---|---|---|---|"]
            }
            lines.append("| `\(key.path)` | \(key.values) | \(setting.told(key.isRequired)) | \(setting.text) |")
        }
        return lines.joined(separator: "\n")
    }

    /// Every key that the reading code asks for, in order: those with values, and the arrays of objects.
    var keys: [Key] { keys(root, at: "") }

    /// A key, and the values that it takes.
    struct Key {
        let path: String
        let schema: JSONObject
        let isRequired: Bool
        /// Whether its values are objects with keys of their own.
        var isArray: Bool { schema["items"]?.object?["properties"] != nil }
    }

    private func keys(_ object: JSONObject, at place: String) -> [Key] {
        let required = Set((object["required"]?.array ?? []).compactMap(\.string))
        var found: [Key] = []
        for member in object["properties"]?.object ?? JSONObject() {
            let path = place.isEmpty ? member.name : "\(place).\(member.name)"
            let schema = member.value.object ?? JSONObject()
            if schema["properties"] != nil {
                found += keys(schema, at: path)
                continue
            }
            let key = Key(path: path, schema: schema, isRequired: required.contains(member.name))
            found.append(key)
            if key.isArray, let items = schema["items"]?.object { found += keys(items, at: path + "[]") }
        }
        return found
    }

    private func described(_ schema: JSONObject, at path: String) -> JSON {
        var schema = schema
        if let setting = Setting.all.first(where: { $0.key == path }) {
            schema["description"] = .string(setting.text)
            if let fallback = setting.fallback { schema["default"] = fallback }
        }
        if let properties = schema["properties"]?.object {
            var told = JSONObject()
            for member in properties {
                let inner = path.isEmpty ? member.name : "\(path).\(member.name)"
                told[member.name] = described(member.value.object ?? JSONObject(), at: inner)
            }
            schema["properties"] = .object(told)
        }
        if let items = schema["items"]?.object { schema["items"] = described(items, at: path + "[]") }
        return .object(schema)
    }

    private static let head = """
        # Configuration

        `gradecast check --reference` prints this page, `gradecast check --schema` the same as a JSON Schema (2020-12) with
        which editors complete and check `config.json`.

        Every key is optional unless it says *required*, which holds within an object that is there; `null` is like a key
        that is not there. The environment overrides the file, the command line the environment. `[]` stands for each element
        of a list. Keys that are not known are refused, with the one that was probably meant. What depends on other keys,
        or on the machine, is told by `gradecast check`; [operations](operations.md) tells what the keys are for.
        """
}

extension ConfigurationReference.Key {
    /// The values in words.
    fileprivate var values: String {
        if let words = schema["enum"]?.array?.compactMap(\.string) {
            return words.map { "`\($0)`" }.joined(separator: ", ")
        }
        switch type(of: schema) {
        case "boolean": return "`true`, `false`"
        case "integer":
            guard let low = schema["minimum"]?.integer, let high = schema["maximum"]?.integer else { return "number" }
            return "\(grouped(low)) to \(grouped(high))"
        case "array": return isArray ? "list of objects" : "list of texts"
        case "object": return "object"
        default: return "text"
        }
    }

    private func type(of schema: JSONObject) -> String? {
        schema["type"]?.string ?? schema["type"]?.array?.first?.string
    }

    private func grouped(_ number: Int) -> String {
        let digits = String(number)
        return String(
            digits.enumerated().flatMap { index, digit in
                index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
            })
    }
}

extension Setting {
    /// The meaning, and the variable that overrides the file.
    fileprivate var text: String { variable.map { "\(meaning) `\($0)` overrides it." } ?? meaning }

    /// The default in words.
    fileprivate func told(_ isRequired: Bool) -> String {
        isRequired ? "*required*" : fallback.map { "`\($0.text)`" } ?? "none"
    }
}
