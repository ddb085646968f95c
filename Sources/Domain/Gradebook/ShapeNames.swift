import Classes
import GradingKit

/// One version's names for the kinds and fields that a class's structure and cells may call by the names of another
/// version.
struct ShapeNames: Sendable {
    /// The shape with the wanted names.
    let shape: RecordShape
    /// The newest shape, which has the former names of its kinds and fields.
    let newest: RecordShape

    /// Returns the kind with a name in any version; `nil` if the shape has none.
    func kind(_ name: String) -> KindShape? {
        if let kind = shape.kind(stored: name) { return kind }
        return newest.kind(stored: name).flatMap { renamed in
            shape.kinds.first { renamed.formerNames.contains($0.kind.name) }
        }
    }

    /// Returns the names in all versions for the fields of a kind, each with the kind's own name for it.
    func aliases(in kind: KindShape) -> [String: String] {
        let later = newest.kind(stored: kind.kind.name)?.fields ?? []
        let own = Set(kind.fields.map(\.name))
        var aliases: [String: String] = [:]
        for field in kind.fields {
            let renamed = later.filter { $0.formerNames.contains(field.name) }
            for name in field.formerNames + renamed.flatMap({ [$0.name] + $0.formerNames }) where !own.contains(name) {
                aliases[name] = field.name
            }
        }
        return aliases
    }

    /// Returns the structure with the shape's names; lines of kinds that the shape lacks stay unchanged.
    func named(_ structure: ClassStructure) -> ClassStructure {
        var renamed = structure.mapLines { line in
            guard let kind = kind(line.kind) else { return line }
            let aliases = aliases(in: kind)
            if kind.kind.name == line.kind, aliases.isEmpty { return line }
            return line.renamed(
                kind: kind.kind.name, fields: Self.named(line.fields, by: aliases),
                gradeField: line.gradeField.map { aliases[$0] ?? $0 })
        }
        if let kind = kind(structure.root.kind) {
            let names = aliases(in: kind)
            renamed.renameSections { Self.named($0, by: names) }
        }
        return renamed
    }

    private static func named(_ fields: JSONObject, by aliases: [String: String]) -> JSONObject {
        var named = JSONObject()
        for member in fields {
            let name = aliases[member.name] ?? member.name
            // The value under the shape's own name is the newer one.
            if name == member.name || fields[name] == nil { named[name] = member.value }
        }
        return named
    }
}
