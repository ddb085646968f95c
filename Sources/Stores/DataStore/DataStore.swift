public import Accounts
public import Gradebook
public import Institutions
public import People
public import Records
public import Shared

/// A store, open: every port that the domain asks for, over one place where things are kept.
///
/// The parts belong together: what one of them commits, the others see.
public struct DataStore: Sendable {
    /// Accounts, sessions and identities, and what the trails say.
    public let accounts: any AccountStore
    /// Institutions, members and programs.
    public let institutions: any InstitutionStore
    /// Records, one by one.
    public let records: any RecordStore
    /// Classes, and the records that follow them.
    public let gradebook: any GradebookStore
    /// Records, many at a time.
    public let browser: any RecordBrowser
    /// Bulk changes.
    public let bulkChanges: any BulkChangeStore
    /// How far imports are.
    public let imports: any ImportStore
    /// What rehearsals found.
    public let rehearsals: any RehearsalStore
    /// Versions of documents that are composed when they are read.
    public let projections: any ProjectionStore
    /// Answers under the keys of clients.
    public let answers: any AnswerStore
    /// The trails of everything but the records' content.
    public let audit: any AuditTrail
    /// What people share.
    public let people: any PeopleStore
    /// Mails that wait to be sent.
    public let mails: any MailStore
    /// Copies to take away.
    public let copies: any CopyableStore
    /// How the store is, and its end.
    public let upkeep: any StoreUpkeep

    /// A store whose parts are all one value.
    public init(
        _ store: some AccountStore & InstitutionStore & RecordStore & RecordBrowser & GradebookStore & BulkChangeStore
            & ImportStore & RehearsalStore & ProjectionStore & AuditTrail & PeopleStore & MailStore & CopyableStore
            & StoreUpkeep
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
        copies = store
        upkeep = store
    }

    /// The store's epoch; it is the same as long as the store is open.
    public var epoch: Epoch { institutions.epoch }

    /// Lets what is queued finish and closes the store.
    public func close() async { await upkeep.close() }
}
