import Classes
import Gradebook
import GradingKit
import Records
import Shared

/// The columns of a class in the order of its lines, and the figures of its rows: what a page needs to show the grid
/// and to enter results.
struct ClassColumns: Sendable {
    let structure: ClassStructure
    let list: [ClassBook.Column]
    let figures: [(name: String, presentation: Presentation)]
    private let aliases: NameAliases
    private let kinds: [KindShape]
    /// The possible statuses of a row's total.
    let statuses: [Status]
    private let rootKind: KindShape
    private let table: StatusTable

    /// The columns of a structure under its rules.
    init(_ book: ClassBook) {
        structure = book.structure
        kinds = book.rules.rules.shape.kinds
        list = structure.lines.compactMap { book.columns[$0.number] }
        aliases = book.rules.rules.figureAliases(of: Kind(structure.root.kind))
        figures = book.rules.rules.shownFigures(of: Kind(structure.root.kind))
        (rootKind, statuses) = (book.rootKind, book.statuses)
        table = book.rules.rules.statuses
    }

    /// Writes `columns`, `headers` (the other lines), `figures`, and the possible statuses of a `total`. Labels are in
    /// every language.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("headers") { writer in
            writer.array { writer in
                let columns = Set(list.map(\.line.number))
                for line in structure.lines where !columns.contains(line.number) {
                    guard let kind = kinds.first(where: { $0.kind.name == line.kind }) else { continue }
                    writer.object {
                        $0.member("line", line.id.text)
                        $0.member("kind", line.kind)
                        $0.member("kindLabel", kind.label.json)
                        $0.member("label", line.label(as: kind).json)
                    }
                }
            }
        }
        writer.member("columns") { writer in
            writer.array { for column in list { column.write(to: &$0, table) } }
        }
        writer.member("figures") { writer in
            writer.array { writer in
                for figure in figures {
                    writer.object {
                        $0.member("name", figure.name)
                        let names = aliases.names(of: figure.name)
                        if !names.isEmpty { $0.member("was", .array(names.map { .string($0) })) }
                        $0.member("label", figure.presentation.label.json)
                        if let letters = figure.presentation.letters {
                            $0.member("letters", .array(letters.list.map { .string($0.label) }))
                        }
                    }
                }
            }
        }
        writer.member("total") { writer in
            writer.object { rootKind.write(statuses: statuses.map(\.rawValue), to: &$0) }
        }
    }
}

extension ClassBook.Column {
    /// Writes the column, and what its cells accept.
    fileprivate func write(to writer: inout JSONWriter, _ table: StatusTable) {
        writer.object { writer in
            writer.member("line", line.id.text)
            writer.member("number", line.number)
            writer.member("kind", kind.kind.name)
            writer.member("kindLabel", kind.label.json)
            writer.member("label", line.label(as: kind).json)
            writer.member("grade", gradeField)
            if let grade { writer.member("takes") { grade.write(to: &$0) } }
            writer.member("least", grade?.lowest?.value.decimalText)
            writer.member("most", greatest?.decimalText)
            writer.member("best", best?.decimalText)
            kind.write(statuses: statuses, to: &writer)
            let aside = settingAside(under: table)
            if !aside.isEmpty { writer.member("setsAside", .array(aside.map { .string($0) })) }
            writer.member("late", takesDelay)
            writer.member("fields") { writer in
                writer.array { writer in
                    for field in kind.fields where field.name != gradeField && holds(field) { field.write(to: &writer) }
                }
            }
        }
    }

    /// The greatest value of a cell, which another field of the line may contain.
    private var greatest: Exact? {
        if let field = grade?.highestField, let said = number(field), said > .zero { return said }
        return grade?.highest?.value
    }
}

extension ClassLine {
    /// The label of the line for people: its first text or choice, otherwise its kind.
    func label(as kind: KindShape) -> LocalizedText {
        for field in kind.fields {
            guard let json = fields[field.name], case .success(let value)? = kind.value(json, of: field.name) else {
                continue
            }
            switch (field.content, value) {
            case (.text, .text(let text)) where !text.isEmpty: return LocalizedText(verbatim: text)
            case (.choice(let choices), let value):
                if let choice = choices.first(where: { $0.value == value }) { return choice.label }
            default: continue
            }
        }
        return kind.label
    }
}
