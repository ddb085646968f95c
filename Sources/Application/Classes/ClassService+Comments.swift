import Accounts
public import Classes
import Cryptography
public import Gradebook
public import GradingKit
import Records
public import Shared

/// A comment for readers.
public struct CommentView: Sendable {
    /// Its number among all comments.
    public let number: Int
    /// The comment.
    let comment: CellComment
    /// The line of its cell; `nil` if it is deleted.
    let line: LineID?
    /// The name of its author.
    let name: String?

    /// Writes the comment.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", comment.id.text)
            writer.member("line", line?.text)
            writer.member("for", comment.audience.rawValue)
            writer.member("account", comment.account?.text)
            if let name { writer.member("name", name) }
            writer.member("at", comment.at.description)
            writer.member("text", comment.text)
        }
    }
}

/// A comment that its student may read.
struct ShownComment: Sendable {
    let comment: CellComment
    let enrolment: Classes.Enrolment
    /// The title of the class.
    let title: String
}

extension ClassService {
    /// Writes a comment on a cell.
    public func comment(
        on enrolment: EnrolmentID, _ line: LineID, of id: ClassID, for audience: CellComment.Audience, _ text: String,
        by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellComment>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellComment> {
        let number = try await permit(.grade, id, for: context).snapshot.structure.line(line)?.number
        guard try await store.row(enrolment, of: id) != nil else { throw UseCaseError.notFound }
        let request = CommentRequest(
            id: CommentID(identifiers.next()), on: enrolment, line, by: context.account, at: context.now,
            for: audience, text)
        let account = context.account
        // The act refuses a line that the class does not have.
        let reach = ActReach.cell(enrolment, line: number ?? -1)
        return try await act(.grade, in: id, reach, by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.comment(request, within: ground.snapshot.scope(of: account), in: ground)
        }
    }

    /// Deletes one's own comment or, for a teacher, another person's.
    public func deleteComment(
        _ comment: CommentID, on enrolment: EnrolmentID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellComment>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellComment> {
        _ = try await permit(.grade, id, for: context)
        guard let found = try await store.comment(comment)?.comment, found.classID == id, found.enrolment == enrolment
        else { throw UseCaseError.notFound }
        let account = context.account
        let reach = ActReach.cell(enrolment, line: found.line)
        return try await act(.grade, in: id, reach, by: context, keeping: keep) { permit, gradebook, ground in
            guard found.account == account || permit.isRegistrar || permit.role?.mayTeach == true else {
                throw UseCaseError.forbidden
            }
            return try gradebook.deleteComment(comment, in: ground)
        }
    }

    /// The comments on a row below a number, newest first. Staff get all of them; the student gets those to the student
    /// on results that are shown.
    ///
    /// - Parameter line: the line of their cell; `nil` for all lines.
    public func comments(
        on enrolment: EnrolmentID, _ line: LineID?, of id: ClassID, before number: Int?, limit: Int,
        for context: AccountContext
    ) async throws -> [CommentView] {
        let (snapshot, row, isOwn) = try await readable(enrolment, of: id, for: context)
        if !isOwn {
            try await records.readings.note(
                context.principal, reads: id, in: snapshot.head.institution, from: context.client.source)
        }
        let drafts = snapshot.structure.drafts
        let lines = snapshot.structure.lines.filter {
            (line == nil || $0.id == line) && (!isOwn || $0.shows(row.row[$0.number]) && !drafts.contains($0.id))
        }
        let found = try await store.comments(
            .row(enrolment, lines: lines.map(\.number), isStudent: isOwn), before: number, limit: limit)
        let names = try await records.names(of: found.map(\.comment.account))
        return found.map { found in
            CommentView(
                number: found.number, comment: found.comment,
                line: lines.first { $0.number == found.comment.line }?.id,
                name: found.comment.account.flatMap { names[$0] })
        }
    }
}

extension ClassService {
    /// The newest comments of the caller from which ``ownComments(for:)`` takes texts.
    private static let recentOwn = 300
    /// The most texts of ``ownComments(for:)``, and the most characters of one.
    private static let mostOwn = (texts: 50, characters: 500)

    /// The texts that the caller has written on results, in any class: those written most often first, then the newest.
    /// Long ones are left out.
    public func ownComments(for context: AccountContext) async throws -> [OwnComment] {
        let list = CommentList.written(by: context.account)
        let found = try await store.comments(list, before: nil, limit: Self.recentOwn).map(\.comment)
        var (comments, places) = ([OwnComment](), [String: Int]())
        for comment in found where comment.text.count <= Self.mostOwn.characters {
            if let place = places[comment.text] {
                comments[place].count += 1
            } else {
                places[comment.text] = comments.count
                comments.append(OwnComment(text: comment.text, audience: comment.audience, count: 1))
            }
        }
        // The sort is stable, so that of equal counts the newest stays first.
        return Array(comments.sorted { $0.count > $1.count }.prefix(Self.mostOwn.texts))
    }
}

/// A text that its author has written as a comment on results, offered for use again.
public struct OwnComment: Sendable {
    /// The text.
    public let text: String
    /// For whom it was written last.
    let audience: CellComment.Audience
    /// How often it was written.
    var count: Int

    /// Writes the text.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("text", text)
            writer.member("for", audience.rawValue)
            writer.member("count", count)
        }
    }
}

extension GradebookStore {
    /// A comment to a student on a result that is shown; `nil` for any other one. Does not check whether the student
    /// may read the record.
    func shownComment(_ id: CommentID, to student: AccountID) async throws -> ShownComment? {
        guard let comment = try await comment(id)?.comment, comment.audience == .student,
            let found = try await markedRow(comment.enrolment), found.snapshot.head.state != .draft,
            found.enrolled.enrolment.student == student,
            let line = found.snapshot.structure.line(numbered: comment.line),
            line.shows(found.enrolled.row[line.number]), !found.snapshot.structure.drafts.contains(line.id)
        else { return nil }
        return ShownComment(
            comment: comment, enrolment: found.enrolled.enrolment, title: found.snapshot.head.title)
    }
}
