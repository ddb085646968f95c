import Classes
import Gradebook
import GradingKit
import Shared

/// A result of the reader, or the status of the total, that an act of a class entered, changed, corrected or showed.
public struct ChangedResult: Sendable, Equatable {
    /// What stood in a cell.
    struct Side: Sendable, Equatable {
        /// The result; `nil` for none.
        let value: LocalizedText?
        /// The status in a word, as the page knows it; `nil` for an ordinary result.
        let status: String?
        /// What the regulations call the status; `nil` if they have no name of their own for it.
        let statusLabel: LocalizedText?
        /// By how many minutes the work was late; `nil` for work in time.
        let late: Int?

        /// Creates a side; `nil` for an empty cell. Only the result has a status and can be late.
        init?(_ cell: ClassCell, of grade: FieldShape, in column: ClassBook.Column) {
            let isResult = grade.name == column.gradeField
            value = column.named(cell).values[grade.name].flatMap { stored in
                if case .choice(let choices) = grade.content,
                    let choice = choices.first(where: { $0.value == stored })
                {
                    return choice.label
                }
                if case .number(let number) = stored, let decimal = number.decimalText {
                    return LocalizedText(verbatim: decimal)
                }
                return stored.text.map { LocalizedText(verbatim: $0) }
            }
            status = isResult ? cell.statusWord : nil
            statusLabel = isResult && !cell.isMissing ? cell.status.flatMap { column.kind.statusLabels[$0] } : nil
            late = isResult ? cell.late : nil
            if value == nil, status == nil, late == nil { return nil }
        }

        /// Creates a side of a total's status; `nil` for none.
        init?(ofTotal cell: ClassCell, as kind: KindShape) {
            guard let status = cell.status else { return nil }
            (value, late) = (nil, nil)
            self.status = status.rawValue
            statusLabel = kind.statusLabels[status]
        }
    }

    /// The class's title.
    let taught: String
    /// The entry of the record that stands for the row of the class.
    let entry: EntryID
    /// The line of the class.
    let line: LineID
    /// What people call the line.
    let label: LocalizedText
    /// The best result that the line takes, as a decimal number; `nil` if there is none, or where results are letters.
    let best: String?
    /// What stood there before; `nil` for nothing.
    let before: Side?
    /// What stands there after it; `nil` for nothing.
    let after: Side?

    /// Returns what has changed of a cell's grades: the result, and others beside it, such as that of a resit.
    static func all(
        _ cell: ResultChanges.Cell, in column: ClassBook.Column, of taught: ClassHead, as entry: EntryID
    ) -> [ChangedResult] {
        column.kind.fields.filter { $0.isGrade && column.holds($0) }
            .sorted { first, _ in first.name == column.gradeField }
            .compactMap { ChangedResult(cell, of: $0, in: column, of: taught, as: entry) }
    }

    /// What people call a grade beside the result of a line.
    private static func of(_ grade: FieldShape, _ title: LocalizedText) -> LocalizedText {
        let field = grade.label
        return LocalizedText(
            "\(title.english): \(field.english)", fr: "\(title.french)\u{A0}: \(field.french)",
            zh: "\(title.chinese)：\(field.chinese)")
    }

    private init?(
        _ cell: ResultChanges.Cell, of grade: FieldShape, in column: ClassBook.Column, of taught: ClassHead,
        as entry: EntryID
    ) {
        (before, after) = (Side(cell.before, of: grade, in: column), Side(cell.after, of: grade, in: column))
        guard before != after else { return nil }
        self.taught = taught.title
        self.entry = entry
        line = column.line.id
        let (title, isResult) = (column.line.label(as: column.kind), grade.name == column.gradeField)
        label = isResult ? title : Self.of(grade, title)
        best = isResult && column.holdsNumbers ? column.best?.decimalText : nil
    }

    /// Creates the status of the total; `nil` if it has not changed.
    init?(ofTotal cell: ResultChanges.Cell, in book: ClassBook, of taught: ClassHead, as entry: EntryID) {
        let (root, kind) = (book.structure.root, book.rootKind)
        (before, after) = (Side(ofTotal: cell.before, as: kind), Side(ofTotal: cell.after, as: kind))
        guard before != after else { return nil }
        self.taught = taught.title
        self.entry = entry
        line = root.id
        label = root.label(as: kind)
        best = nil
    }

    /// Writes the result as an object.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("class", taught)
            writer.member("entry", entry.text)
            writer.member("line", line.text)
            writer.member("label", label.json)
            writer.member("best", best)
            for (name, side) in [("before", before), ("after", after)] {
                writer.member(name, side?.json ?? .null)
            }
        }
    }
}

extension ChangedResult.Side {
    fileprivate var json: JSON {
        [
            "value": value?.json ?? .null, "status": .text(status), "statusLabel": statusLabel?.json ?? .null,
            "late": late.map { .number(String($0)) } ?? .null,
        ]
    }
}
