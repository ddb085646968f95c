public import Storage

/// Which of a record's two views: staff see everything, the student sees what is released.
public enum RecordView: Sendable {
    case full
    case released
}

/// The two documents of one view, as they are stored and served.
public struct RecordContent: Sendable, Equatable {
    /// The `record` object: `{"id","program","fields","entries"}`.
    public let tree: [UInt8]
    /// The standing.
    public let standing: [UInt8]

    /// The two documents' bytes.
    public init(tree: [UInt8], standing: [UInt8]) {
        self.tree = tree
        self.standing = standing
    }
}

/// Whose record it is and which rules judge it.
public struct RecordHead: Sendable, Equatable {
    /// The record.
    public let id: RecordID
    /// The tenant.
    public let institution: InstitutionID
    /// The program whose rules apply.
    public let program: ProgramID
    /// The published version of the program by which the record is judged.
    public let programVersion: Version
    /// The student; `nil` after the account was deleted.
    public let student: AccountID?
    /// When the record was created.
    public let createdAt: Instant

    /// A record's head.
    public init(
        id: RecordID, institution: InstitutionID, program: ProgramID, programVersion: Version, student: AccountID?,
        createdAt: Instant
    ) {
        self.id = id
        self.institution = institution
        self.program = program
        self.programVersion = programVersion
        self.student = student
        self.createdAt = createdAt
    }
}

/// A record as it stands at one moment.
public struct RecordSnapshot: Sendable, Equatable {
    /// Whose it is and which rules apply.
    public let head: RecordHead
    /// The store's epoch.
    public let epoch: Epoch
    /// The full view's version.
    public let fullVersion: Version
    /// The released view's version.
    public let releasedVersion: Version
    /// What staff see.
    public let full: RecordContent
    /// What the student sees; `nil` when it is the same, which it is while nothing is hidden.
    public let released: RecordContent?

    /// A record as it stands.
    public init(
        head: RecordHead, epoch: Epoch, fullVersion: Version, releasedVersion: Version, full: RecordContent,
        released: RecordContent?
    ) {
        self.head = head
        self.epoch = epoch
        self.fullVersion = fullVersion
        self.releasedVersion = releasedVersion
        self.full = full
        self.released = released
    }

    /// The documents of one view.
    public func content(_ view: RecordView) -> RecordContent {
        switch view {
        case .full: full
        case .released: released ?? full
        }
    }

    /// The place in time of one view.
    public func revision(_ view: RecordView) -> Revision {
        Revision(epoch: epoch, version: view == .full ? fullVersion : releasedVersion)
    }
}

/// What a change says of itself in the audit trail and in the history, for one view.
public struct ChangeDescription: Sendable, Equatable {
    /// `create`, `add`, `patch`, `delete`, `fields`, `changes`, `release`, `undo`, `move` …
    public let operation: String
    /// The entry concerned, if there is just one.
    public let entry: String?
    /// JSON text of what stood there before; `nil` for nothing.
    public let before: [UInt8]?
    /// JSON text of what stands there now; `nil` for nothing.
    public let after: [UInt8]?
    /// JSON text of the record's own figures after the change, `{"gpa":"3.43"}`.
    public let figures: [UInt8]
    /// Why, in the words of whoever made the change.
    public let reason: String?

    /// Describes a change.
    public init(
        operation: String, entry: String?, before: [UInt8]?, after: [UInt8]?, figures: [UInt8], reason: String?
    ) {
        self.operation = operation
        self.entry = entry
        self.before = before
        self.after = after
        self.figures = figures
        self.reason = reason
    }
}

/// What one accepted change makes of a record. Made by a pure function of the snapshot, stored whole or not at all.
public struct Amendment: Sendable {
    /// The program version that judged this content (differs from the snapshot's when a record moves).
    public let programVersion: Version
    /// What staff see from now on.
    public let full: RecordContent
    /// What the student sees from now on; `nil` when it is the same.
    public let released: RecordContent?
    /// The audit row, and the history item of the full view.
    public let change: ChangeDescription
    /// The history item of the released view; `nil` when it is the same. Only kept if that view changed.
    public let releasedChange: ChangeDescription?
    /// Renders the answer once the versions are known; kept with the idempotency key.
    public let answer: @Sendable (Revision) -> StoredAnswer

    /// An amendment.
    public init(
        programVersion: Version, full: RecordContent, released: RecordContent?, change: ChangeDescription,
        releasedChange: ChangeDescription?, answer: @escaping @Sendable (Revision) -> StoredAnswer
    ) {
        self.programVersion = programVersion
        self.full = full
        self.released = released
        self.change = change
        self.releasedChange = releasedChange
        self.answer = answer
    }
}

/// An answer that can be given again.
public struct StoredAnswer: Sendable, Equatable {
    /// The HTTP status, 200…299.
    public let status: Int
    /// The body.
    public let body: [UInt8]

    /// An answer.
    public init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}

/// Who changes what, from where, and under which conditions.
public struct WriteContext: Sendable {
    /// Who.
    public let account: AccountID
    /// From where: the peer's address, `cli`, `job`.
    public let source: String
    /// The moment.
    public let at: Instant
    /// The view the caller sees: its version is answered, and `expected` compares with it.
    public let view: RecordView
    /// The version `If-Match` named; `nil` for none or `*`.
    public let expected: Revision?
    /// The client's key, if it sent one.
    public let idempotency: IdempotencyKey?
    /// The access version on which the permission rests; the store refuses with `moved` when it has risen since.
    public let accessVersion: Int

    /// A context.
    public init(
        account: AccountID, source: String, at: Instant, view: RecordView, expected: Revision?,
        idempotency: IdempotencyKey?, accessVersion: Int
    ) {
        self.account = account
        self.source = source
        self.at = at
        self.view = view
        self.expected = expected
        self.idempotency = idempotency
        self.accessVersion = accessVersion
    }
}

/// A client's promise that a request with this key is the same request.
public struct IdempotencyKey: Sendable, Hashable {
    /// 1–128 visible ASCII characters; its scope is the account.
    public let key: String
    /// SHA-256 over method, path and body.
    public let digest: [UInt8]

    /// A key and what it stands for.
    public init(key: String, digest: [UInt8]) {
        self.key = key
        self.digest = digest
    }
}

/// How a write ended.
public struct WriteOutcome: Sendable {
    /// What to answer.
    public let answer: StoredAnswer
    /// The caller's view after the change; `nil` when the answer was given again from a key.
    public let revision: Revision?

    /// An outcome.
    public init(answer: StoredAnswer, revision: Revision?) {
        self.answer = answer
        self.revision = revision
    }
}

/// One version of one view of a record.
public struct HistoryItem: Sendable {
    /// The version that the change made.
    public let version: Version
    /// When.
    public let at: Instant
    /// Who; `nil` when the account is gone.
    public let account: AccountID?
    /// Who, by the name shown.
    public let displayName: String?
    /// What.
    public let change: ChangeDescription

    /// An item.
    public init(version: Version, at: Instant, account: AccountID?, displayName: String?, change: ChangeDescription) {
        self.version = version
        self.at = at
        self.account = account
        self.displayName = displayName
        self.change = change
    }
}

/// What happened to a record, told to the live hub after the commit, in commit order.
public enum RecordEvent: Sendable {
    /// A new record or a new version. `releasedChanged` says whether the student's view is a new version too.
    case changed(RecordSnapshot, releasedChanged: Bool)
    /// The record is gone.
    case deleted(RecordHead)
}

/// What the records room needs of a store. One contract suite runs over every implementation.
public protocol RecordStore: Sendable {
    /// Rises with every change of a role, membership, session or program setting on which permissions rest.
    var accessVersion: Int { get }

    /// Stores a new record as version 1 of both views.
    func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) async throws -> WriteOutcome

    /// Applies `change` to the record's truth, inside the transaction that stores what it returns.
    ///
    /// Order: the idempotency key (hit: the stored answer), access version, `expected`, then `change`. What
    /// `change` throws is thrown here and nothing is stored.
    func amend(
        _ record: RecordID, by context: WriteContext,
        _ change: @escaping @Sendable (RecordSnapshot) throws -> Amendment
    ) async throws -> WriteOutcome

    /// Deletes the record, keeping its audit trail.
    func delete(_ record: RecordID, by context: WriteContext) async throws

    /// The record as it stands; `nil` when there is none.
    func snapshot(of record: RecordID) async throws -> RecordSnapshot?

    /// The record's head without its documents; `nil` when there is none.
    func head(of record: RecordID) async throws -> RecordHead?

    /// The heads and versions of a student's records, or of a program's, oldest first, after `cursor`.
    func records(
        student: AccountID?, program: ProgramID?, after cursor: RecordID?, limit: Int
    ) async throws -> [RecordSnapshot]

    /// One view's history, newest first, below version `before`.
    func history(
        of record: RecordID, view: RecordView, before version: Version?, limit: Int
    ) async throws -> [HistoryItem]

    /// Current versions of many records at once, for the sweep: `(record, full, released)`; what is gone is absent.
    func versions(of records: [RecordID]) async throws -> [(record: RecordID, full: Version, released: Version)]
}
