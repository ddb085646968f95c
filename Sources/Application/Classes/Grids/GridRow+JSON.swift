import Accounts
import Classes
import Gradebook
import GradingKit
import Records
import Shared

extension GridRow {
    /// Writes a row for staff, its cells in the order of the columns.
    ///
    /// - Parameters:
    ///   - version: the class's version at which the row last changed, also by a change of the structure.
    ///   - names: the names of the student; `nil` for a deleted account.
    ///   - groups: the student's groups in the class.
    ///   - figures: the value of the member `figures`, and whether the row is incomplete under the rules.
    func write(
        to writer: inout JSONWriter, in columns: ClassColumns, version: Version, names: AccountNames?,
        groups: [GroupID], _ figures: GridFigures
    ) {
        let enrolment = enrolled.enrolment
        writer.object { writer in
            writer.member("id", enrolment.id.text)
            writer.member("v", version)
            writer.member("s", columns.structure.number)
            writer.member("name", names?.displayName)
            if let given = names?.personName.given { writer.member("givenName", given) }
            if let family = names?.personName.family { writer.member("familyName", family) }
            writer.member("student", enrolment.student?.text)
            writer.member("record", enrolment.record.text)
            writer.member("entry", enrolment.entry.text)
            if let section = enrolment.section { writer.member("section", section.text) }
            if !groups.isEmpty { writer.member("groups", JSON.array(groups.map { .string($0.text) })) }
            writer.member("cells") { writer in
                writer.array { writer in
                    for column in columns.list {
                        let number = column.line.number
                        column.named(enrolled.row[number]).write(to: &writer, in: column, notes: comments[number] ?? 0)
                    }
                }
            }
            writer.name("figures")
            writer.raw(figures.text)
            if let given = figures.given {
                writer.name("given")
                writer.raw(given)
            }
            if let status = enrolled.row.status { writer.member("status", status.rawValue) }
            if !figures.risks.isEmpty, !enrolment.isWithdrawn {
                writer.member("risk", JSON.array(figures.risks.map { .string($0.text) }))
            }
            if figures.isIncomplete { writer.member("incomplete", true) }
            if enrolment.isWithdrawn { writer.member("withdrawn", true) }
        }
    }

    /// Writes that the reader does not follow a row any more.
    func writeGone(to writer: inout JSONWriter, in columns: ClassColumns, version: Version) {
        writer.object {
            $0.member("id", enrolled.enrolment.id.text)
            $0.member("v", version)
            $0.member("s", columns.structure.number)
            $0.member("gone", true)
        }
    }
}

extension ClassCell {
    /// Writes `null` for an empty cell, the text of a cell with only a value, and an object for everything else.
    ///
    /// - Parameter notes: the number of comments.
    fileprivate func write(to writer: inout JSONWriter, in column: ClassBook.Column, notes: Int) {
        guard !isEmpty || notes > 0 else { return writer.null() }
        let text = column.gradeField.flatMap { values[$0]?.text }
        let others = values.filter { $0.key != column.gradeField }.sorted { $0.key < $1.key }
        if let text, status == nil, late == nil, !isHeldBack, others.isEmpty, marks.isEmpty, notes == 0 {
            return writer.string(text)
        }
        writer.object { writer in
            writer.member("value", text)
            if notes > 0 { writer.member("notes", notes) }
            if let statusWord { writer.member("status", statusWord) }
            if let late { writer.member("late", late) }
            writer.member("posted", column.line.shows(self))
            if isHeldBack { writer.member("held", true) }
            if !marks.isEmpty { writeMarks(to: &writer, in: column) }
            guard !others.isEmpty else { return }
            writer.member("fields") { writer in
                writer.object { for (name, value) in others { $0.member(name, value.text) } }
            }
        }
    }
}

extension ClassCell {
    /// Writes who has marked, and the marks that all staff may see.
    private func writeMarks(to writer: inout JSONWriter, in column: ClassBook.Column) {
        writer.member("marks") { writer in
            writer.array { writer in
                for mark in marks {
                    writer.object {
                        $0.member("by", mark.account.text)
                        guard shows(mark, to: nil, in: column.line.marking) else { return }
                        $0.member("value", mark.value.text)
                    }
                }
            }
        }
    }
}

extension FieldValue {
    /// The text of the value in a cell; `nil` for none.
    var text: String? {
        switch self {
        case .none, .unreadable: nil
        case .number(let value): value.decimalText ?? value.description
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}

/// The computed figures of a row, in the form of its document.
struct GridFigures: Sendable {
    /// A displayed figure.
    struct Shown: Sendable {
        /// The rounded value.
        let value: Exact
        /// Its letter; `nil` for a figure without letters.
        let letter: String?
    }

    /// An object with `[display]` or `[display, letter]` by figure name.
    let text: [UInt8]
    /// The figures that have a value, by name.
    let shown: [String: Shown]
    /// Whether the row is incomplete under the rules and so has no figures.
    let isIncomplete: Bool
    /// The values that people gave beside computed figures: an object with `{by, at, reason, computed}` by figure name,
    /// where `computed` has the form of `text`; `nil` if they gave none.
    var given: [UInt8]?
    /// Why the student is at risk.
    var risks: [Risk] = []

    /// The figures of a row that cannot be judged.
    static let none = GridFigures(text: Array("{}".utf8), shown: [:], isIncomplete: false)

    /// The approximate memory, in bytes.
    var bytes: Int { text.count + shown.count * 96 + (given?.count ?? 0) }

    private init(text: [UInt8], shown: [String: Shown], isIncomplete: Bool) {
        self.text = text
        self.shown = shown
        self.isIncomplete = isIncomplete
    }

    /// The figures of a row, with the computed ones beside those that people gave.
    init(of enrolled: EnrolledRow, under book: ClassBook) throws(FaultList) {
        let judged = try book.judged(enrolled)
        self.init(judged, under: book)
        risks = try book.risks(of: enrolled, judged: judged)
        let people = book.named(enrolled.row.given)
        guard !people.isEmpty else { return }
        let bare = EnrolledRow(
            enrolled.enrolment, ClassRow(enrolled.row.cells, status: enrolled.row.status), version: enrolled.version)
        let text = GridFigures(try book.judged(bare), under: book).text
        let computed = (try? JSON.parse(text))?.object ?? JSONObject()
        var writer = JSONWriter(capacity: 128)
        writer.object { writer in
            for (name, value) in people.figures.sorted(by: { $0.key < $1.key }) {
                let name = book.newestName(of: name)
                writer.member(name) { writer in
                    writer.object { writer in
                        writer.member("value", value.value.decimalText ?? value.value.description)
                        writer.member("by", value.note.author)
                        writer.member("at", value.note.time)
                        writer.member("reason", value.note.reason)
                        writer.member("computed", computed[name] ?? .null)
                    }
                }
            }
        }
        given = writer.bytes
    }

    /// The given figures of the entry that stands for a row, displayed by its rules.
    private init(_ judged: JudgedRow, under book: ClassBook) {
        let given = judged.given.full.figures
        var writer = JSONWriter(capacity: 64)
        var shown: [String: Shown] = [:]
        writer.object { writer in
            for figure in book.rules.rules.shownFigures(of: Kind(book.structure.root.kind)) {
                guard case .value(let value)? = given[figure.name]?.current else { continue }
                let letters = figure.presentation.letters
                let letter = letters?.band(for: value)?.label
                let name = book.newestName(of: figure.name)
                shown[name] = Shown(value: figure.presentation.rule.shown(value), letter: letter)
                writer.member(name) { writer in
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
