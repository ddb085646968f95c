public import Shared

/// A record as a store holds it.
public struct RecordRow: Sendable, Equatable {
    /// The record as it stands.
    public let snapshot: RecordSnapshot
    /// Where its trail of changes ends.
    public let end: TrailEnd

    /// A record as it is stored.
    public init(snapshot: RecordSnapshot, end: TrailEnd) {
        self.snapshot = snapshot
        self.end = end
    }
}

/// Where a record's trail of changes ends: what the next change is tied to.
public struct TrailEnd: Sendable, Equatable {
    /// The last change's place in the table of changes.
    public let change: Int
    /// The last link of the chain.
    public let link: [UInt8]

    /// An end as it is stored.
    public init(change: Int, link: [UInt8]) {
        self.change = change
        self.link = link
    }
}

/// A change that is appended to a record's trail, tied to the one before it.
public struct AppendedChange: Sendable, Equatable {
    /// The change.
    public let row: ChangeRow
    /// The place of the one before it in the table of changes; `nil` for the record's first.
    public let previous: Int?
    /// What ties it there.
    public let seal: ChainSeal

    init(_ row: ChangeRow, after end: TrailEnd?) {
        self.row = row
        previous = end?.change
        seal = AuditChain.seal({ row.particulars(&$0) }, { row.metadata(&$0) }, after: end?.link)
    }
}

/// What a store has found of what a write concerns, and keeps from changing until the write is committed.
public struct RecordRows {
    /// What lies under the client's key; `nil` when it sent none, or it is new.
    public let answer: AnswerRow?
    /// The record; `nil` when there is none.
    public let record: RecordRow?
    /// Whether there is, or ever was, a record of the identifier. Asked for a new record alone.
    public let isIdentifierUsed: Bool
    /// The access versions of the account that writes, of the record's institution and program, and of a new record's
    /// student; of an institution and a program that were not found, 0.
    public let access: AccessVersions

    /// What was found.
    public init(
        answer: AnswerRow?, record: RecordRow?, isIdentifierUsed: Bool = false,
        access: AccessVersions
    ) {
        self.answer = answer
        self.record = record
        self.isIdentifierUsed = isIdentifierUsed
        self.access = access
    }
}
