public import Accounts
public import Gradebook
public import Institutions
public import People
public import Records
public import Shared

/// An open store: every port of the domain, over one place of storage.
///
/// The parts belong together: each sees what the others commit.
public struct DataStore: Sendable {
    /// Accounts, sessions, identities, and the audit trails' lines.
    public let accounts: any AccountStore
    /// Institutions, members and programs.
    public let institutions: any InstitutionStore
    /// Single records.
    public let records: any RecordStore
    /// Classes, and the records that follow them.
    public let gradebook: any GradebookStore
    /// Many records at a time.
    public let browser: any RecordBrowser
    /// Bulk changes.
    public let bulkChanges: any BulkChangeStore
    /// Imports and their progress.
    public let imports: any ImportStore
    /// Rehearsals and their findings.
    public let rehearsals: any RehearsalStore
    /// Versions of documents that are composed on reading.
    public let projections: any ProjectionStore
    /// Answers stored under clients' idempotency keys.
    public let answers: any AnswerStore
    /// The audit trails of everything except the records' content.
    public let audit: any AuditTrail
    /// Follows, blocks and sharing choices.
    public let people: any PeopleStore
    /// Mails waiting to be sent.
    public let mails: any MailStore
    /// Webhooks, and what is to be sent to them.
    public let webhooks: any WebhookStore
    /// Copies of the store for download; `nil` for a store that other tools copy.
    public let copies: (any CopyableStore)?
    /// The store's condition, maintenance and closing.
    public let upkeep: any StoreUpkeep

    /// Creates a store whose parts are all the same value, but for what copies it.
    public init(
        _ store: some AccountStore & InstitutionStore & RecordStore & RecordBrowser & GradebookStore & BulkChangeStore
            & ImportStore & RehearsalStore & ProjectionStore & AuditTrail & PeopleStore & MailStore & StoreUpkeep
            & WebhookStore,
        copies: (any CopyableStore)?
    ) {
        accounts = store
        institutions = store
        records = store
        browser = store
        gradebook = store
        bulkChanges = store
        imports = store
        rehearsals = store
        projections = store
        answers = store
        audit = store
        people = store
        mails = store
        webhooks = store
        self.copies = copies
        upkeep = store
    }

    /// The store's epoch, which never changes while the store is open.
    public var epoch: Epoch { institutions.epoch }

    /// The clock of the store, by which all its servers go.
    public var clock: WallClock { upkeep.clock }

    /// Finishes queued work and closes the store.
    public func close() async { await upkeep.close() }
}
