import GradingKit

/// The texts of entries in a scheme's templates. Rules may look for entries by name, as a table of coefficients does,
/// and chance alone never finds such a name.
struct TemplateWords {
    /// The most templates to read, and the most texts of a field.
    private static let mostTemplates = 4
    private static let mostTexts = 64

    private struct Place: Hashable {
        let kind: String
        let field: String
    }

    private var texts: [Place: [String]] = [:]

    init(of rules: Rulebook) {
        for name in rules.templates.prefix(Self.mostTemplates) {
            var made = 0
            let tree = try? rules.template(name) {
                made += 1
                return EntryID("t\(made)")
            }
            guard let tree else { continue }
            var writer = JSONWriter()
            tree.writeEntries(to: &writer)
            guard let entries = try? JSON.parse(writer.bytes) else { continue }
            for entry in entries.array ?? [] { note(entry) }
        }
    }

    /// The texts of a field, each once, compared like names.
    func texts(of field: String, in kind: Kind) -> [String] { texts[Place(kind: kind.name, field: field)] ?? [] }

    private mutating func note(_ entry: JSON) {
        for member in entry["fields"]?.object ?? [:] {
            guard let text = member.value.string else { continue }
            let place = Place(kind: entry["kind"]?.string ?? "", field: member.name)
            let known = texts[place] ?? []
            if known.count < Self.mostTexts, !known.contains(where: { comparableName($0) == comparableName(text) }) {
                texts[place] = known + [text]
            }
        }
        for child in entry["children"]?.array ?? [] { note(child) }
    }
}
