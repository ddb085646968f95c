import GradingKit

/// The name of a declaration, unique in the document.
struct DeclaredName: Hashable, Sendable {
    enum Sort: Hashable, Sendable {
        case setting, entry, rounding, bands, table, status
        /// A field, figure, `let` or outcome of a kind.
        case member(of: String)
    }

    let sort: Sort
    let text: String
}

/// A name in a formula that refers to a declaration.
struct Mention: Sendable {
    /// The most mentions noted in a document.
    static let most = 20_000

    let range: Range<Int>
    let name: DeclaredName
}

extension RegulationDocument {
    /// Where each name is declared.
    var declared: [DeclaredName: Range<Int>] {
        var names: [DeclaredName: Range<Int>] = [:]
        func add(_ sort: DeclaredName.Sort, _ word: Formula.Word) {
            names[DeclaredName(sort: sort, text: word.text)] = word.range
        }
        for item in settings { add(.setting, item.heading.name) }
        for item in roundings { add(.rounding, item.heading.name) }
        for item in bands { add(.bands, item.heading.name) }
        for item in curves { add(.bands, item.heading.name) }
        for item in tables { add(.table, item.heading.name) }
        for item in statuses { add(.status, item.heading.name) }
        for item in entries {
            add(.entry, item.heading.name)
            for field in item.fields { add(.member(of: item.heading.name.text), field.name) }
        }
        for item in taken { add(.member(of: item.kind.text), item.heading.name) }
        for item in groups { add(.entry, item.heading.name) }
        for item in abbreviations { add(.member(of: item.kind?.text ?? "record"), item.heading.name) }
        for item in figures { add(.member(of: item.kind?.text ?? "record"), item.heading.name) }
        for item in outcomes { add(.member(of: item.kind?.text ?? "record"), item.heading.name) }
        return names
    }

    /// Every name that the document introduces: declarations, choices, codes and units.
    var names: Set<String> {
        var names: Set<String> = []
        func add(_ unit: Unit?) {
            names.formUnion([unit?.over.text, unit?.per?.text].compactMap(\.self))
        }
        let headings =
            scales.map(\.heading) + roundings.map(\.heading) + bands.map(\.heading) + tables.map(\.heading)
            + settings.map(\.heading) + statuses.map(\.heading) + entries.map(\.heading) + abbreviations.map(\.heading)
            + figures.map(\.heading) + groups.map(\.heading)
            + outcomes.map(\.heading) + templates.map(\.heading) + presets.map(\.heading) + examples.map(\.heading)
        names.formUnion((headings + [regulation].compactMap(\.self)).map(\.name.text))
        for table in bands {
            add(table.unit)
            if let worth = table.worth { names.insert(worth.text) }
            names.formUnion(table.bands.map(\.band.label))
        }
        for curve in curves {
            add(curve.from)
            add(curve.to)
            names.insert(curve.heading.name.text)
        }
        for table in tables {
            add(table.unit)
            // A label such as R1.01 consists of several words.
            for text in (table.rows + table.columns).map(\.text) + table.cells.compactMap({ $0?.text }) {
                names.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
            }
        }
        for setting in settings {
            add(setting.unit)
            if case .choice(_, let choices) = setting.content { names.formUnion(choices.map(\.text)) }
        }
        for entry in entries {
            names.formUnion(entry.statuses.map(\.text))
            for field in entry.fields {
                names.insert(field.name.text)
                add(field.unit)
                if case .grade(let unit) = field.content { add(unit) }
                if case .choice(let choices) = field.content { names.formUnion(choices.map(\.name.text)) }
            }
        }
        for figure in figures { add(figure.unit) }
        for parameter in abbreviations.flatMap(\.parameters) {
            names.insert(parameter.name.text)
            add(parameter.unit)
        }
        names.formUnion(taken.map(\.heading.name.text) + entries.compactMap(\.copies))
        for case .outcome(let values) in taken.map(\.content) { names.formUnion(values.map(\.name)) }
        names.formUnion((checks + warnings).map(\.code.text))
        for outcome in outcomes {
            names.formUnion(outcome.clauses.compactMap(\.code?.text))
            names.formUnion(outcome.clauses.compactMap(\.verdict?.value?.text))
        }
        names.formUnion(texts.map(\.code.text))
        for example in examples { names.formUnion(example.expectations.map(\.name.text)) }
        return names.union(["percent", "points"]).subtracting(Grammar.reserved)
    }
}
