public import Cryptography
import GradingKit
public import Shared

/// A change of the stored rows of sharing, following and blocking.
public enum PeopleRowChange: Sendable {
    /// Stores how a record is shared.
    case setShared(SharedRecord)
    /// Stops sharing a record.
    case removeShared(RecordID)
    /// Announces each record that an account shares after the commit, because other people may read it now.
    case announceShared(by: AccountID)

    /// Changes how an account stands to others.
    case relation(RelationRowChange)

    /// Stores an announcement.
    case insertAnnouncement(Announcement)
    /// Removes an announcement.
    case removeAnnouncement(String)
}

/// A change of the stored rows of following and blocking.
public enum RelationRowChange: Sendable {
    /// Stores that an account follows another or asks to.
    case setFollow(Follow)
    /// Stores that an account no longer follows another.
    case removeFollow(by: AccountID, of: AccountID)
    /// Counts a request of an account to follow another.
    case noteAsked(AccountID, at: Timestamp)
    /// Stores that an account blocks another.
    case setBlock(by: AccountID, of: AccountID, at: Timestamp, isSeen: Bool)
    /// Stores that an account no longer blocks another.
    case removeBlock(by: AccountID, of: AccountID)
    /// Sets the link with which an account can be followed, replacing an earlier one.
    case setLink(TokenDigest, of: AccountID)
}

/// The plan of one write to sharing, following and blocking.
public typealias PeoplePlan<Value: Sendable> = WritePlan<PeopleRowChange, Value>

/// The rows that the store found for a record to be shared.
public struct SharingRows: Sendable {
    /// The record.
    public let record: RecordID
    /// The institution that the record belongs to.
    public let institution: InstitutionID
    /// The student of the record; `nil` after the account was deleted.
    public let student: AccountID?
    /// Whether the institution allows its records to be shared.
    public let isAllowed: Bool
    /// How it is shared now; `nil` if it is not.
    public let shared: SharedRecord?

    /// Creates the rows that were found.
    public init(
        record: RecordID, institution: InstitutionID, student: AccountID?, isAllowed: Bool, shared: SharedRecord?
    ) {
        self.record = record
        self.institution = institution
        self.student = student
        self.isAllowed = isAllowed
        self.shared = shared
    }
}

/// Plans the writes of sharing from the rows that the store found.
public enum PeoplePlans {
    /// Plans an owner's choice of how to share a record. The value is `nil` if it is no longer shared. A repetition
    /// changes nothing.
    ///
    /// - Throws: `StoreError.notFound` if the record does not exist or is not the caller's own; `FaultList` with
    ///   `sharing_forbidden` if the institution does not allow sharing.
    public static func sharing(
        _ sharing: RecordSharing, found rows: SharingRows?, by act: AuditContext
    ) throws -> PeoplePlan<SharedRecord?> {
        guard let rows, let owner = act.account, rows.student == owner else { throw StoreError.notFound }
        let endsIt = sharing.with.isEmpty
        guard rows.isAllowed || endsIt else { throw FaultList([Fault(.sharingForbidden, at: "/with")]) }
        let before = rows.shared?.sharing ?? RecordSharing()
        if sharing == before || endsIt && before.with.isEmpty { return PeoplePlan([], value: rows.shared) }
        let after = SharedRecord(
            record: rows.record, institution: rows.institution, owner: owner, sharing: sharing, since: act.at)
        let detail = auditDetail(of: rows.record, before: before, after: sharing)
        return PeoplePlan(
            [endsIt ? .removeShared(rows.record) : .setShared(after)],
            audit: [act.entry("sharing.changed", of: owner.text, detail: detail)],
            events: [.sharingChanged(rows.record)], value: endsIt ? nil : after)
    }
}
