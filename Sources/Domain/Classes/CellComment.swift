public import Shared

/// A comment by a member of a class's staff on a student's result in one column.
public struct CellComment: Sendable, Equatable {
    /// Who may read a comment.
    public enum Audience: String, Sendable, CaseIterable {
        /// The staff, and the student once the student sees the result.
        case student
        /// The staff of the class.
        case staff
    }

    /// The comment.
    public let id: CommentID
    /// The class.
    public let classID: ClassID
    /// The enrolment of the row.
    public let enrolment: EnrolmentID
    /// The number of the line.
    public let line: Int
    /// Who wrote it; `nil` after the account was deleted.
    public let account: AccountID?
    /// When it was written.
    public let at: Timestamp
    /// Who may read it.
    public let audience: Audience
    /// The text, of at most ``ClassLimits/comment`` characters.
    public let text: String

    /// A comment.
    public init(
        id: CommentID, classID: ClassID, enrolment: EnrolmentID, line: Int, account: AccountID?, at: Timestamp,
        audience: Audience, text: String
    ) {
        self.id = id
        self.classID = classID
        self.enrolment = enrolment
        self.line = line
        self.account = account
        self.at = at
        self.audience = audience
        self.text = text
    }
}

/// The number of comments on one cell.
public struct CommentCount: Sendable, Equatable {
    /// How many there are.
    public let all: Int
    /// How many of them the student may read once the result is shown.
    public let forStudent: Int
    /// The number of the newest comment for the student; 0 for none.
    public let newest: Int

    /// Creates a count.
    public init(all: Int, forStudent: Int, newest: Int) {
        self.all = all
        self.forStudent = forStudent
        self.newest = newest
    }

    /// No comments.
    public static let none = CommentCount(all: 0, forStudent: 0, newest: 0)
}
