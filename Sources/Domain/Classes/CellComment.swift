public import Shared

/// What a member of a class's staff writes about what a student has in one column.
public struct CellComment: Sendable, Equatable {
    /// Who reads a comment.
    public enum Audience: String, Sendable, CaseIterable {
        /// The student, as soon as the student sees the result, and the staff.
        case student
        /// The staff of the class.
        case staff
    }

    /// The comment.
    public let id: CommentID
    /// The class.
    public let classID: ClassID
    /// Whose row.
    public let enrolment: EnrolmentID
    /// The number of the line.
    public let line: Int
    /// Who wrote it; `nil` after the account was deleted.
    public let account: AccountID?
    /// When.
    public let at: Timestamp
    /// Who reads it.
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

/// The comments on one cell, counted.
public struct CommentCount: Sendable, Equatable {
    /// How many the staff read.
    public let all: Int
    /// How many of them the student reads once the result is shown.
    public let forStudent: Int
    /// The number of the newest of those; 0 for none.
    public let newest: Int

    /// So many comments.
    public init(all: Int, forStudent: Int, newest: Int) {
        self.all = all
        self.forStudent = forStudent
        self.newest = newest
    }

    /// No comment.
    public static let none = CommentCount(all: 0, forStudent: 0, newest: 0)
}
