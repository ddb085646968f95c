public import Cryptography
import GradingKit
public import Shared

/// A change of the rows in which it is kept what people share.
public enum PeopleRowChange: Sendable {
    /// A record is shared, or shared differently.
    case setShared(SharedRecord)
    /// A record is shared no more.
    case removeShared(RecordID)
    /// Who may read what an account shares is another question: told of each record after the commit.
    case announceShared(by: AccountID)

    /// An account follows another, or asks to.
    case setFollow(Follow)
    /// An account follows another no more.
    case removeFollow(by: AccountID, of: AccountID)
    /// An account has asked once more to follow another.
    case noteAsked(AccountID, at: Timestamp)
    /// An account blocks another.
    case setBlock(by: AccountID, of: AccountID, at: Timestamp)
    /// An account blocks another no more.
    case removeBlock(by: AccountID, of: AccountID)
    /// The link by which an account can be followed, in the place of the one before.
    case setLink(TokenDigest, of: AccountID)
}

/// What one write does to what people share.
public typealias PeoplePlan<Value: Sendable> = WritePlan<PeopleRowChange, Value>

/// What a store has found of a record that is to be shared.
public struct SharingRows: Sendable {
    /// The record.
    public let record: RecordID
    /// The tenant.
    public let institution: InstitutionID
    /// Whose record it is; `nil` after the account was deleted.
    public let student: AccountID?
    /// Whether the institution lets its records be shared.
    public let isAllowed: Bool
    /// How it is shared now; `nil` for not at all.
    public let shared: SharedRecord?

    /// What was found.
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

/// The rules of writing what people share, over the rows that a store has found.
public enum PeoplePlans {
    /// An owner's choice for a record; `nil` when it is no longer shared. The same choice once more changes nothing.
    ///
    /// - Throws: `StoreError.notFound` when the record is not there or not the caller's own; a `FaultList` with
    ///   `sharing_forbidden` where the institution lets no record be shared.
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
