public import GradingKit
public import Shared

/// What a person shows of an own record, and to whom. Without the person's word nothing is shown.
public struct RecordSharing: Sendable, Equatable {
    /// How much is shown; never a single grade.
    public enum Extent: String, Sendable, CaseIterable {
        /// The first figure and the first outcome of the record.
        case headline
        /// All figures and outcomes of the record as a whole.
        case standing
    }

    /// Who is shown it.
    public enum Audience: String, Sendable, CaseIterable {
        /// Those whom the student follows and who follow the student.
        case friends
        /// The members of the record's institution.
        case members
        /// All people who are signed in.
        case everyone
    }

    /// How much is shown.
    public var what: Extent
    /// To whom; empty shows it to the owner alone.
    public var with: Set<Audience>

    /// A choice.
    public init(what: Extent = .headline, with: Set<Audience> = []) {
        self.what = what
        self.with = with
    }

    /// Writes it as an object, the audiences in the order in which they grow.
    public func write(to writer: inout JSONWriter) {
        writer.object { writeMembers(to: &$0) }
    }

    /// Writes its members into an object.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("what", what.rawValue)
        writer.member("with", .array(Audience.allCases.filter { with.contains($0) }.map { .string($0.rawValue) }))
    }
}

/// A record that its owner shares, as it is stored.
public struct SharedRecord: Sendable, Equatable {
    /// The record.
    public let record: RecordID
    /// The tenant of the record.
    public let institution: InstitutionID
    /// Who shares it: the student whose record it is.
    public let owner: AccountID
    /// What is shared, and with whom; at least one audience.
    public let sharing: RecordSharing
    /// When it was shared first, or differently.
    public let since: Timestamp

    /// A record that is shared.
    public init(
        record: RecordID, institution: InstitutionID, owner: AccountID, sharing: RecordSharing, since: Timestamp
    ) {
        self.record = record
        self.institution = institution
        self.owner = owner
        self.sharing = sharing
        self.since = since
    }

    /// Writes what its owner exports.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("record", record.text)
            sharing.writeMembers(to: &$0)
            $0.member("since", since.description)
        }
    }
}

/// JSON text of what a choice replaced and what holds now.
func auditDetail(of record: RecordID, before: RecordSharing, after: RecordSharing) -> [UInt8] {
    var writer = JSONWriter()
    writer.object {
        $0.member("record", record.text)
        $0.member("before") { before.write(to: &$0) }
        $0.member("after") { after.write(to: &$0) }
    }
    return writer.bytes
}
