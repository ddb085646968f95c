import Classes
import Gradebook
import GradingKit
import Shared

/// The comments on rows of a class as texts of a table, by the numbers of lines.
struct ExportedComments: Sendable {
    /// The newest comments of a row that a file has.
    private static let mostOfRow = 200
    /// The most characters of the comments on one cell. A cell of a workbook has room for 32,767.
    static let mostOfCell = 32_000
    private static let forStaff = LocalizedText(
        "{name} (staff): {text}", fr: "{name} (enseignants)\u{A0}: {text}", zh: "{name}（教学人员）：{text}")
    private static let forStudent = LocalizedText("{name}: {text}", fr: "{name}\u{A0}: {text}", zh: "{name}：{text}")

    private var texts: [EnrolmentID: [Int: String]] = [:]

    /// The comments on the first rows, and the number of these rows: as many as it takes to read some bytes of texts, and
    /// at least one.
    static func reading(
        _ rows: [GridRow], upTo bytes: Int, from classes: ClassService, in language: Language
    ) async throws -> (comments: ExportedComments, rows: Int) {
        var (comments, read, done) = (ExportedComments(), 0, 0)
        while done < rows.count, read < bytes {
            let row = rows[done]
            done += 1
            if row.comments.isEmpty || row.enrolled.enrolment.isWithdrawn { continue }
            let enrolment = row.enrolled.enrolment.id
            let list = CommentList.row(enrolment, lines: row.comments.keys.sorted(), isStudent: false)
            let found = try await classes.store.comments(list, before: nil, limit: mostOfRow).map(\.comment)
            let names = try await classes.records.names(of: found.map(\.account))
            let texts = Dictionary(grouping: found, by: \.line).mapValues { comments in
                joined(comments.reversed().map { Self.text($0, by: $0.account.flatMap { names[$0] }, language) })
            }
            read += texts.values.reduce(0) { $0 + $1.utf8.count }
            comments.texts[enrolment] = texts
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
        return all.count > mostOfCell ? all.prefix(mostOfCell - 1) + "…" : all
    }
}
