public import Classes
import GradingKit
public import Shared

/// A comment that a person wants to write on the content of a cell.
public struct CommentRequest: Sendable {
    let id: CommentID
    let enrolment: EnrolmentID
    let line: LineID
    let account: AccountID
    let at: Timestamp
    let audience: CellComment.Audience
    let text: String

    /// A request by an account at a moment.
    public init(
        id: CommentID, on enrolment: EnrolmentID, _ line: LineID, by account: AccountID, at: Timestamp,
        for audience: CellComment.Audience, _ text: String
    ) {
        self.id = id
        self.enrolment = enrolment
        self.line = line
        self.account = account
        self.at = at
        self.audience = audience
        self.text = text
    }
}

extension Gradebook {
    /// Writes a comment on a cell. The row changes with it, so that followers of the row get the new number of
    /// comments.
    ///
    /// - Parameter scope: the cells in which the author may enter results.
    /// - Throws: `FaultList`: `class_closed`, `enrolment_unknown`, `enrolment_ended`, `line_unknown`, `not_a_cell`,
    ///   `line_not_assigned`, `row_not_assigned`, `missing_field` without a text, `comment_limit`.
    public func comment(
        _ request: CommentRequest, within scope: GraderScope = .everything, in ground: ActGround
    ) throws -> ActDecision<CellComment> {
        let (head, structure) = (ground.snapshot.head, ground.snapshot.structure)
        guard head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard let row = ground.rows.first(where: { $0.enrolment.id == request.enrolment }) else {
            throw FaultList([Fault(.enrolmentUnknown, at: "/row")])
        }
        guard !row.enrolment.isWithdrawn else { throw FaultList([Fault(.enrolmentEnded, at: "/row")]) }
        guard let line = structure.line(request.line) else { throw FaultList([Fault(.lineUnknown, at: "/line")]) }
        guard try ClassBook(structure, under: try newestRules()).columns[line.number]?.gradeField != nil else {
            throw FaultList([Fault(.notACell, at: "/line")])
        }
        // Writing about a student takes knowing whose work it is.
        guard line.marking != .anonymous else { throw FaultList([Fault(.anonymousLine, at: "/line")]) }
        guard structure.holds(line.id, within: scope.lines) else {
            throw FaultList([Fault(.lineNotAssigned, at: "/line")])
        }
        guard scope.holds(row.enrolment) else { throw FaultList([Fault(.rowNotAssigned, at: "/row")]) }
        guard request.text.contains(where: { !$0.isWhitespace }) else {
            throw FaultList([Fault(.missingField, at: "/text")])
        }
        guard ground.comments.count < ClassLimits.comments else {
            throw FaultList([Fault(.commentLimit, ["limit": .number(String(ClassLimits.comments))])])
        }
        let comment = CellComment(
            id: request.id, classID: head.id, enrolment: request.enrolment, line: line.number,
            account: request.account, at: request.at, audience: request.audience, text: request.text)
        let isSeen =
            comment.audience == .student && head.state != .draft && line.shows(row.row[line.number])
            && !structure.drafts.contains(line.id)
        var plan = ActPlan("comment")
        plan.comment = .written(comment, isSeen: isSeen)
        plan.rows = [row]
        plan.lines = [.comment(comment, isDeleted: false)]
        return (plan, comment)
    }

    /// Deletes a comment on the cell in the ground.
    ///
    /// - Throws: `FaultList` with `class_closed`; `StoreError.notFound` for a comment that is gone.
    public func deleteComment(_ id: CommentID, in ground: ActGround) throws -> ActDecision<CellComment> {
        guard ground.snapshot.head.state != .closed else { throw FaultList([Fault(.classClosed)]) }
        guard let comment = ground.comments.first(where: { $0.id == id }),
            let row = ground.rows.first(where: { $0.enrolment.id == comment.enrolment })
        else { throw StoreError.notFound }
        var plan = ActPlan("comment_deleted")
        plan.comment = .deleted(id)
        plan.rows = [row]
        plan.lines = [.comment(comment, isDeleted: true)]
        return (plan, comment)
    }
}
