public import Shared

/// A record as the store holds it.
public struct RecordRow: Sendable, Equatable {
    /// The current record.
    public let snapshot: RecordSnapshot
    /// The end of its trail of changes.
    public let end: TrailEnd

    /// Creates a row as it is stored.
    public init(snapshot: RecordSnapshot, end: TrailEnd) {
        self.snapshot = snapshot
        self.end = end
    }
}

/// The end of a record's trail of changes, to which the next change is linked.
public struct TrailEnd: Sendable, Equatable {
    /// The position of the last change in the table of changes.
    public let change: Int
    /// The last link of the chain.
    public let link: [UInt8]

    /// Creates an end as it is stored.
    public init(change: Int, link: [UInt8]) {
        self.change = change
        self.link = link
    }
}

/// A change to append to a record's trail, linked to the one before it.
public struct AppendedChange: Sendable, Equatable {
    /// The change.
    public let row: ChangeRow
    /// The position of the previous change in the table of changes; `nil` for the record's first.
    public let previous: Int?
    /// The seal that links it to the previous change.
    public let seal: ChainSeal

    init(_ row: ChangeRow, after end: TrailEnd?) {
        self.row = row
        previous = end?.change
        seal = AuditChain.seal({ row.particulars(&$0) }, { row.metadata(&$0) }, after: end?.link)
    }
}

/// The rows that the store found for a write. They cannot change until the write is committed.
public struct RecordRows {
    /// The answer stored under the client's key; `nil` if the client sent none, or it is new.
    public let answer: AnswerRow?
    /// The record; `nil` if there is none.
    public let record: RecordRow?
    /// Whether a record has or ever had the identifier. Looked up only for a new record.
    public let isIdentifierUsed: Bool
    /// The access versions of the account that writes, of the record's institution and program, and of a new record's
    /// student. An institution or a program that was not found has version 0.
    public let access: AccessVersions

    /// Creates the rows that were found.
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
