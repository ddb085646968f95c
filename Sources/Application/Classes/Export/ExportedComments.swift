import Classes
import Gradebook
import GradingKit
import Shared

/// The comments on rows of a class as texts of a table, by the numbers of lines.
struct ExportedComments: Sendable {
    /// The newest comments of a row that a file has.
    private static let mostOfRow = 200
    /// The most UTF-16 units of the comments on one cell. A cell of a workbook has room for 32,767.
    private static let mostOfCell = 32_000
    /// Says that comments are left out.
    private static let more: Character = "…"
    private static let forStaff = LocalizedText(
        "{name} (staff): {text}", fr: "{name} (enseignants)\u{A0}: {text}", zh: "{name}（教学人员）：{text}")
    private static let forStudent = LocalizedText("{name}: {text}", fr: "{name}\u{A0}: {text}", zh: "{name}：{text}")

    private var texts: [EnrolmentID: [Int: String]] = [:]

    /// The comments on the first rows, and the number of these rows: as many as it takes to read some bytes of texts, and
    /// at least one. On the reader's own row they are those that its student may read.
    static func reading(
        _ rows: [GridRow], in structure: ClassStructure, upTo bytes: Int, from classes: ClassService,
        for context: AccountContext
    ) async throws -> (comments: ExportedComments, rows: Int) {
        var (comments, read, done) = (ExportedComments(), 0, 0)
        while done < rows.count, read < bytes {
            let row = rows[done]
            done += 1
            let isOwn = row.enrolled.enrolment.student == context.account
            let lines = structure.lines.filter {
                row.comments[$0.number] != nil && (!isOwn || structure.shows($0, of: row.enrolled.row))
            }.map(\.number)
            if lines.isEmpty { continue }
            let enrolment = row.enrolled.enrolment.id
            let list = CommentList.row(enrolment, lines: lines, isStudent: isOwn)
            let found = try await classes.store.comments(list, before: nil, limit: mostOfRow).map(\.comment)
            let names = try await classes.records.names(of: found.map(\.account))
            let isWhole = found.count < mostOfRow
            for line in lines {
                let onLine = found.filter { $0.line == line }.reversed()
                let isCut = !isWhole && onLine.count < row.comments[line] ?? 0
                let texts =
                    (isCut ? [String(more)] : [])
                    + onLine.map {
                        Self.text($0, by: $0.account.flatMap { names[$0] }, context.language)
                    }
                if texts.isEmpty { continue }
                let text = joined(texts)
                read += text.utf8.count
                comments.texts[enrolment, default: [:]][line] = text
            }
        }
        return (comments, done)
    }

    /// The comments on a cell, oldest first; `nil` for none.
    func text(on enrolment: EnrolmentID, line: Int) -> String? { texts[enrolment]?[line] }

    private static func text(_ comment: CellComment, by name: String?, _ language: Language) -> String {
        let words = comment.audience == .staff ? forStaff : forStudent
        return words.filled(language, ["name": .string(name ?? "–"), "text": .string(comment.text)])
    }

    private static func joined(_ texts: [String]) -> String {
        let all = texts.joined(separator: "\n")
        if all.utf16.count <= mostOfCell { return all }
        var (text, units) = ("", 1)
        for character in all {
            units += character.utf16.count
            if units > mostOfCell { break }
            text.append(character)
        }
        return text + String(more)
    }
}

extension ClassStructure {
    /// Whether a student sees the results of a line in a row.
    fileprivate func shows(_ line: ClassLine, of row: ClassRow) -> Bool {
        line.shows(row[line.number]) && !drafts.contains(line.id)
    }
}
