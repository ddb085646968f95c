public import GradingKit
public import Shared

/// What a person shows of a record of their own, and to whom. By default, nothing is shown.
public struct RecordSharing: Sendable, Equatable {
    /// How much is shown. It is never a single grade.
    public enum Extent: String, Sendable, CaseIterable {
        /// The first figure and the first outcome of the record.
        case headline
        /// All figures and outcomes of the record as a whole.
        case standing
    }

    /// The people to whom a record is shown.
    public enum Audience: String, Sendable, CaseIterable {
        /// Those whom the student follows and who follow the student.
        case friends
        /// The members of the record's institution.
        case members
        /// Everyone who is signed in.
        case everyone
    }

    /// How much is shown.
    public var what: Extent
    /// The audiences; if empty, only the owner sees the record.
    public var with: Set<Audience>

    /// Creates a choice.
    public init(what: Extent = .headline, with: Set<Audience> = []) {
        self.what = what
        self.with = with
    }

    /// Writes the choice as an object, with the audiences in rising size.
    public func write(to writer: inout JSONWriter) {
        writer.object { writeMembers(to: &$0) }
    }

    /// Writes the members of that object.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("what", what.rawValue)
        writer.member("with", .array(Audience.allCases.filter { with.contains($0) }.map { .string($0.rawValue) }))
    }
}

/// A stored record that its owner shares.
public struct SharedRecord: Sendable, Equatable {
    /// The record.
    public let record: RecordID
    /// The institution that the record belongs to.
    public let institution: InstitutionID
    /// The student of the record, who shares it.
    public let owner: AccountID
    /// What is shared, with at least one audience.
    public let sharing: RecordSharing
    /// When it was first shared, or when the choice last changed.
    public let since: Timestamp

    /// Creates a shared record.
    public init(
        record: RecordID, institution: InstitutionID, owner: AccountID, sharing: RecordSharing, since: Timestamp
    ) {
        self.record = record
        self.institution = institution
        self.owner = owner
        self.sharing = sharing
        self.since = since
    }

    /// Writes the shared record for its owner's export.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("record", record.text)
            sharing.writeMembers(to: &$0)
            $0.member("since", since.description)
        }
    }
}

/// Returns the choice before and after a change as JSON text.
func auditDetail(of record: RecordID, before: RecordSharing, after: RecordSharing) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
        $0.member("record", record.text)
        $0.member("before") { before.write(to: &$0) }
        $0.member("after") { after.write(to: &$0) }
    }
    return writer.bytes
}
