import Classes
import GradingKit

/// One version's names for the kinds, fields and figures that a class's structure, cells and rows may call by the names
/// of another version.
struct ShapeNames: Sendable {
    /// The rules with the wanted names.
    private let rules: Rulebook
    /// The newest rules, which have the former names of their kinds, fields and figures.
    private let latest: Rulebook

    private var shape: RecordShape { rules.shape }
    private var newest: RecordShape { latest.shape }

    init(_ rules: Rulebook, newest: Rulebook) { (self.rules, latest) = (rules, newest) }

    /// Returns the kind with a name in any version; `nil` if the shape has none.
    func kind(_ name: String) -> KindShape? {
        if let kind = shape.kind(stored: name) { return kind }
        return newest.kind(stored: name).flatMap { renamed in
            shape.kinds.first { renamed.formerNames.contains($0.kind.name) }
        }
    }

    /// Returns the names in other versions for the fields of a kind.
    func aliases(in kind: KindShape) -> NameAliases {
        let later = newest.kind(stored: kind.kind.name)?.fields ?? []
        let own = Set(kind.fields.map(\.name))
        var aliases = NameAliases()
        for field in kind.fields {
            let renamed = later.filter { $0.formerNames.contains(field.name) }
            for name in field.formerNames + renamed.flatMap({ [$0.name] + $0.formerNames }) where !own.contains(name) {
                aliases.add(name, of: field.name)
            }
        }
        return aliases
    }

    /// Returns the names in other versions for the figures of a kind's entries.
    func figureAliases(of kind: KindShape) -> NameAliases {
        var aliases = rules.figureAliases(of: kind.kind)
        let later = newest.kind(stored: kind.kind.name).map { latest.figureAliases(of: $0.kind) } ?? NameAliases()
        let own = rules.figureNames(of: kind.kind)
        for name in own where later.own(of: name).map({ !own.contains($0) }) ?? false {
            guard let renamed = later.own(of: name) else { continue }
            for other in [renamed] + later.names(of: renamed) where !own.contains(other) {
                aliases.add(other, of: name)
            }
        }
        return aliases
    }

    /// Returns the name of a figure of a kind's entries in the newest rules; its own if it was not renamed since.
    func newestName(of figure: String, of kind: KindShape) -> String {
        newest.kind(stored: kind.kind.name).flatMap { latest.figureAliases(of: $0.kind).own(of: figure) } ?? figure
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
            let (names, figures) = (aliases(in: kind), figureAliases(of: kind))
            renamed.renameSections { Self.named($0, by: names) }
            renamed.renameTarget { figures.own(of: $0) ?? $0 }
        }
        return renamed
    }

    private static func named(_ fields: JSONObject, by aliases: NameAliases) -> JSONObject {
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
