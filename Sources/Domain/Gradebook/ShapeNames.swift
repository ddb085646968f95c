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

    /// Returns the names in other versions for the fields of a kind.
    func aliases(in kind: KindShape) -> FieldAliases {
        let later = newest.kind(stored: kind.kind.name)?.fields ?? []
        let own = Set(kind.fields.map(\.name))
        var aliases = FieldAliases()
        for field in kind.fields {
            let renamed = later.filter { $0.formerNames.contains(field.name) }
            for name in field.formerNames + renamed.flatMap({ [$0.name] + $0.formerNames }) where !own.contains(name) {
                aliases.add(name, of: field.name)
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
                gradeField: line.gradeField.map { aliases.own(of: $0) ?? $0 })
        }
        if let kind = kind(structure.root.kind) {
            let names = aliases(in: kind)
            renamed.renameSections { Self.named($0, by: names) }
        }
        return renamed
    }

    private static func named(_ fields: JSONObject, by aliases: FieldAliases) -> JSONObject {
        var named = JSONObject()
        for member in fields {
            guard let own = aliases.own(of: member.name) else {
                named[member.name] = member.value
                continue
            }
            // The value under the shape's own name is the newer one; of others the first name counts.
            if fields[own] == nil, aliases.names(of: own).first(where: { fields[$0] != nil }) == member.name {
                named[own] = member.value
            }
        }
        return named
    }
}

/// The names of a kind's fields in other versions of a program.
struct FieldAliases: Sendable {
    private var owns: [String: String] = [:]
    private var names: [String: [String]] = [:]

    var isEmpty: Bool { owns.isEmpty }

    /// The field's name here; `nil` for a name of no other version.
    func own(of name: String) -> String? { owns[name] }

    /// The names of a field in other versions, in the order in which they count where several are stored.
    func names(of field: String) -> [String] { names[field] ?? [] }

    mutating func add(_ name: String, of field: String) {
        guard owns[name] == nil else { return }
        owns[name] = field
        names[field, default: []].append(name)
    }
}
