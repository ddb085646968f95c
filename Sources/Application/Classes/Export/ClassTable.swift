import Classes
import Gradebook
import GradingKit
import Institutions
import Shared

/// A class as a table: a row for each student, a column for each line that takes results and for each figure.
///
/// Every column has a title for people and a key by which an import recognises it: the identifier of a line, perhaps
/// with `/` and the name of a field; `figure:` and the name of a figure; `comments:` and the identifier of a line; or a
/// word for a property of the student or of the total.
struct ClassTable: Sendable {
    private enum Content: Sendable {
        case studentNumber
        case login
        case name
        case familyName
        case givenName
        case section
        case result(ClassBook.Column)
        case field(ClassBook.Column, String)
        case delay(ClassBook.Column)
        case marks(ClassBook.Column)
        case comments(Int)
        case figure(String)
        case letter(String)
        case status
        case row
    }

    private struct Column: Sendable {
        let key: String
        let title: String
        let content: Content
    }

    private let columns: [Column]
    private let sections: [SectionID: String]
    private let statuses: [Status]

    /// The table of a class, with titles in a language.
    ///
    /// - Parameter hasPersonNames: whether there are columns for last and first names.
    init(
        _ lines: ClassColumns, withPersonNames hasPersonNames: Bool, withComments hasComments: Bool,
        in language: Language
    ) {
        var columns = [
            Column(key: "studentNumber", title: Self.studentNumber(language), content: .studentNumber),
            Column(key: "login", title: Self.login(language), content: .login),
            Column(key: "name", title: Self.name(language), content: .name),
        ]
        if hasPersonNames {
            columns += [
                Column(key: "familyName", title: Self.familyName(language), content: .familyName),
                Column(key: "givenName", title: Self.givenName(language), content: .givenName),
            ]
        }
        statuses = lines.statuses
        sections = Dictionary(
            lines.structure.sections.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        if !sections.isEmpty {
            columns.append(Column(key: "section", title: Self.section(language), content: .section))
        }
        for column in lines.list {
            let (key, title) = (column.line.id.text, column.line.label(as: column.kind)(language))
            if column.gradeField != nil { columns.append(Column(key: key, title: title, content: .result(column))) }
            if column.line.marking.double != nil {
                let words: JSONObject = ["title": .string(title)]
                columns.append(
                    Column(key: "\(key)/marks", title: Self.marks.filled(language, words), content: .marks(column)))
            }
            if lines.structure.policy.lateness != nil, column.line.due != nil, column.takesDelay {
                let words: JSONObject = ["title": .string(title)]
                columns.append(
                    Column(key: "\(key)/late", title: Self.delay.filled(language, words), content: .delay(column)))
            }
            for field in column.kind.fields where field.name != column.gradeField && column.holds(field) {
                let words: JSONObject = ["title": .string(title), "field": .string(field.label(language))]
                columns.append(
                    Column(
                        key: "\(key)/\(field.name)", title: Self.field.filled(language, words),
                        content: .field(column, field.name)))
            }
            if hasComments, column.gradeField != nil {
                let words: JSONObject = ["title": .string(title)]
                columns.append(
                    Column(
                        key: "comments:\(key)", title: Self.comments.filled(language, words),
                        content: .comments(column.line.number)))
            }
        }
        for figure in lines.figures {
            let (key, title) = ("figure:\(figure.name)", figure.presentation.label(language))
            columns.append(Column(key: key, title: title, content: .figure(figure.name)))
            guard figure.presentation.letters != nil else { continue }
            let letter = Self.letter.filled(language, ["title": .string(title)])
            columns.append(Column(key: "\(key)/letter", title: letter, content: .letter(figure.name)))
        }
        if !lines.statuses.isEmpty {
            columns.append(Column(key: "status", title: Self.status(language), content: .status))
        }
        columns.append(Column(key: "row", title: Self.row(language), content: .row))
        self.columns = columns
    }

    /// The titles of the columns for people.
    var titles: [TableCell] { columns.map { .text($0.title) } }

    /// The keys of the columns for imports.
    var keys: [TableCell] { columns.map { .text($0.key) } }

    /// A row of the table.
    ///
    /// - Parameter names: the names of the student; `nil` for a deleted account.
    func cells(
        of enrolled: EnrolledRow, _ names: StudentNames?, _ figures: GridFigures, _ comments: ExportedComments
    ) -> [TableCell] {
        columns.map { column in
            switch column.content {
            case .studentNumber: TableCell(names?.studentNumber)
            case .login: TableCell(names?.login)
            case .name: TableCell(names?.displayName)
            case .familyName: TableCell(names?.personName.family)
            case .givenName: TableCell(names?.personName.given)
            case .section: TableCell(enrolled.enrolment.section.flatMap { sections[$0] })
            case .result(let column): Self.result(column.named(enrolled.row[column.line.number]), in: column)
            case .field(let column, let name):
                TableCell(column.named(enrolled.row[column.line.number]).values[name])
            case .delay(let column):
                enrolled.row[column.line.number].late.map { .number(String($0)) } ?? .empty
            case .marks(let column): Self.marks(of: enrolled.row[column.line.number])
            case .comments(let line): TableCell(comments.text(on: enrolled.enrolment.id, line: line))
            case .figure(let name): TableCell(figures.shown[name].map { .number($0.value) })
            case .letter(let name): TableCell(figures.shown[name]?.letter)
            case .status: TableCell(status(of: enrolled.row))
            case .row: .text(enrolled.enrolment.id.text)
            }
        }
    }

    /// The status of the total as a word. A status that the rules do not accept has no effect.
    private func status(of row: ClassRow) -> String? {
        row.status.flatMap { statuses.contains($0) ? $0.rawValue : nil }
    }

    /// The marks of two people; empty until both exist.
    private static func marks(of cell: ClassCell) -> TableCell {
        guard cell.marks.count == CellMark.most else { return .empty }
        return .text(cell.marks.compactMap(\.value.text).joined(separator: " / "))
    }

    /// A result with its status: `17`, `excused`, or `17 (excused)`.
    private static func result(_ cell: ClassCell, in column: ClassBook.Column) -> TableCell {
        let value = TableCell(column.result(of: cell))
        guard let status = cell.statusWord else { return value }
        return switch value {
        case .empty: .text(status)
        case .text(let text): .text("\(text) (\(status))")
        case .number(let number, _): .number(number, status: status)
        }
    }
}

// MARK: - Words

extension ClassTable {
    private static let studentNumber = LocalizedText("Student number", fr: "Numéro d’étudiant", zh: "学号")
    private static let login = LocalizedText("Login", fr: "Identifiant", zh: "登录名")
    private static let name = LocalizedText("Name", fr: "Nom", zh: "姓名")
    private static let familyName = LocalizedText("Last name", fr: "Nom de famille", zh: "姓")
    private static let givenName = LocalizedText("First name", fr: "Prénom", zh: "名")
    private static let section = LocalizedText("Section", fr: "Section", zh: "教学班")
    private static let status = LocalizedText("Status", fr: "Statut", zh: "状态")
    private static let row = LocalizedText("Row", fr: "Ligne", zh: "行")
    private static let field = LocalizedText(
        "{title}: {field}", fr: "{title}\u{A0}: {field}", zh: "{title}：{field}")
    private static let delay = LocalizedText(
        "{title}: minutes late", fr: "{title}\u{A0}: minutes de retard", zh: "{title}：迟交分钟数")
    private static let marks = LocalizedText("{title}: marks", fr: "{title}\u{A0}: notes", zh: "{title}：评分")
    private static let comments = LocalizedText(
        "{title}: comments", fr: "{title}\u{A0}: commentaires", zh: "{title}：评语")
    private static let letter = LocalizedText("{title} (letter)", fr: "{title} (lettre)", zh: "{title}（等级）")
}

extension TableCell {
    fileprivate init(_ text: String?) { self = text.map { .text($0) } ?? .empty }

    fileprivate init(_ value: FieldValue?) {
        if case .number(let number)? = value, let decimal = number.decimalText {
            self = .number(decimal)
        } else {
            self.init(value?.text)
        }
    }
}
