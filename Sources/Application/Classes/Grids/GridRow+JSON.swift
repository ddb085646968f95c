import Classes
import Gradebook
import GradingKit
import Records
import Shared

extension GridRow {
    /// Writes a row as staff see it, its cells in the order of the columns.
    ///
    /// - Parameters:
    ///   - version: the class's version at which the row last changed, its structure's change included.
    ///   - figures: the value of the member `figures`, and whether the rules do not take the row yet.
    func write(
        to writer: inout JSONWriter, in columns: ClassColumns, version: Version, name: String?, _ figures: GridFigures
    ) {
        let enrolment = enrolled.enrolment
        writer.object { writer in
            writer.member("id", enrolment.id.text)
            writer.member("v", version)
            writer.member("s", columns.structure.number)
            writer.member("name", name)
            writer.member("student", enrolment.student?.text)
            writer.member("record", enrolment.record.text)
            writer.member("entry", enrolment.entry.text)
            writer.member("cells") { writer in
                writer.array { writer in
                    for column in columns.list { enrolled.row[column.line.number].write(to: &writer, in: column) }
                }
            }
            writer.name("figures")
            writer.raw(figures.text)
            if figures.isIncomplete { writer.member("incomplete", true) }
            if enrolment.isWithdrawn { writer.member("withdrawn", true) }
        }
    }
}

extension ClassCell {
    /// Writes `null` for an empty cell, the text of a value that stands alone, and an object for everything else.
    fileprivate func write(to writer: inout JSONWriter, in column: ClassBook.Column) {
        guard !isEmpty else { return writer.null() }
        let text = values[column.gradeField]?.text
        let others = values.filter { $0.key != column.gradeField }.sorted { $0.key < $1.key }
        if let text, status == nil, late == nil, !isHeldBack, others.isEmpty { return writer.string(text) }
        writer.object { writer in
            writer.member("value", text)
            if let statusWord { writer.member("status", statusWord) }
            if let late { writer.member("late", late) }
            writer.member("posted", column.line.showsResults && !isHeldBack)
            if isHeldBack { writer.member("held", true) }
            guard !others.isEmpty else { return }
            writer.member("fields") { writer in
                writer.object { for (name, value) in others { $0.member(name, value.text) } }
            }
        }
    }
}

extension FieldValue {
    /// The value as a cell shows it; `nil` for none.
    var text: String? {
        switch self {
        case .none, .unreadable: nil
        case .number(let value): value.decimalText ?? value.description
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}

/// What is computed of a row, as its document has it.
struct GridFigures: Sendable {
    /// A figure as it is shown.
    struct Shown: Sendable {
        /// The rounded value.
        let value: Exact
        /// Its letter; `nil` for a figure without letters.
        let letter: String?
    }

    /// An object of `[display]` or `[display, letter]` by the names of figures.
    let text: [UInt8]
    /// The figures that have a value, by their names.
    let shown: [String: Shown]
    /// Whether the rules do not take the row yet, so that it has no figures.
    let isIncomplete: Bool

    /// Of a row that nothing is known of.
    static let none = GridFigures(text: Array("{}".utf8), shown: [:], isIncomplete: false)

    /// The memory it takes, about.
    var bytes: Int { text.count + shown.count * 96 }

    private init(text: [UInt8], shown: [String: Shown], isIncomplete: Bool) {
        self.text = text
        self.shown = shown
        self.isIncomplete = isIncomplete
    }

    /// What the entry that stands for a row is given, shown as its rules say.
    init(_ judged: JudgedRow, under book: ClassBook) {
        let given = judged.given.full.figures
        var writer = JSONWriter(capacity: 64)
        var shown: [String: Shown] = [:]
        writer.object { writer in
            for figure in book.rules.rules.shownFigures(of: Kind(book.structure.root.kind)) {
                guard case .value(let value)? = given[figure.name]?.current else { continue }
                let letters = figure.presentation.letters
                let letter = letters?.band(for: value)?.label
                shown[figure.name] = Shown(value: figure.presentation.rule.shown(value), letter: letter)
                writer.member(figure.name) { writer in
                    writer.array { writer in
                        writer.string(figure.presentation.display(value))
                        if letters != nil { writer.value(.text(letter)) }
                    }
                }
            }
        }
        self.init(
            text: writer.bytes, shown: shown, isIncomplete: !judged.faults.isEmpty || !judged.wanting.isEmpty)
    }
}
