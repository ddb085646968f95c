public import Shared

/// Something that an account works on, with its last change.
public struct WorkRow: Sendable, Equatable {
    /// What it is.
    public enum Subject: Sendable, Hashable {
        /// A record of its own.
        case record(RecordID)
        /// A program that it manages.
        case program(ProgramID)
        /// A class that it teaches.
        case taughtClass(ClassID)
    }

    /// What it is.
    public let subject: Subject
    /// When it last changed as far as the account may know: of a record, in its released view.
    public let changedAt: Timestamp

    /// Creates a row.
    public init(_ subject: Subject, changedAt: Timestamp) {
        self.subject = subject
        self.changedAt = changedAt
    }
}

/// The store of what people work on.
public protocol WorkStore: Sendable {
    /// Returns what an account works on, the last change first.
    ///
    /// - Parameters:
    ///   - institutions: those whose registrar it is.
    ///   - programs: those that it teaches.
    ///   - limit: the greatest number of rows, and of each kind at most ``WorkRow/mostOfKind`` are looked at, the newest.
    func work(
        of account: AccountID, registrarOf institutions: [InstitutionID], teaching programs: [ProgramID], limit: Int
    ) async throws -> [WorkRow]
}

extension WorkRow {
    /// The number of records, programs and classes that are looked at.
    public static let mostOfKind = 500
}
