public import Accounts
public import Cryptography
import Institutions
public import Records
public import Shared

/// What goes on beside the requests: rehearsals, changes of many records, long imports and the pictures of cohorts.
public struct ProgramWork: Sendable {
    /// Where the work finds and keeps its things.
    public struct Stores: Sendable {
        /// Goes through many records.
        public var browser: any RecordBrowser
        /// Keeps changes of many records.
        public var bulkChanges: any BulkChangeStore
        /// Keeps rehearsals.
        public var rehearsals: any RehearsalStore
        /// Remembers imports.
        public var imports: any ImportStore

        /// The stores.
        public init(
            browser: any RecordBrowser, bulkChanges: any BulkChangeStore, rehearsals: any RehearsalStore,
            imports: any ImportStore
        ) {
            self.browser = browser
            self.bulkChanges = bulkChanges
            self.rehearsals = rehearsals
            self.imports = imports
        }
    }

    /// Dry runs of drafts.
    public let rehearsals: RehearsalRunner
    /// Changes of many records.
    public let bulkChanges: BulkChanges
    /// The pictures of cohorts.
    public let cohorts: CohortProjector
    /// Imports of results.
    public let imports: ImportRunner
    /// What staff read of a program's records.
    public let students: ProgramStudents
    let bulkChangeRunner: BulkChangeRunner

    /// Work on the records of a service.
    public init(
        _ stores: Stores, projections: any ProjectionStore, records: RecordService, accounts: AccountServices,
        identifiers: UUIDSource, clock: WallClock
    ) {
        rehearsals = RehearsalRunner(
            store: stores.rehearsals, browser: stores.browser, records: records, identifiers: identifiers,
            clock: clock)
        bulkChangeRunner = BulkChangeRunner(
            store: stores.bulkChanges, browser: stores.browser, records: records, identifiers: identifiers,
            clock: clock)
        bulkChanges = BulkChanges(rehearsals: rehearsals, runner: bulkChangeRunner, identifiers: identifiers)
        cohorts = CohortProjector(
            projections: projections, browser: stores.browser, programs: records.institutions.programs, clock: clock)
        imports = ImportRunner(
            store: stores.imports, browser: stores.browser, records: records, accounts: accounts,
            identifiers: identifiers, clock: clock)
        students = ProgramStudents(browser: stores.browser, records: records)
    }

    /// Works until the task is cancelled. What was under way then goes on at the next start, or at another process of the
    /// same store.
    public func run(on executor: any LowPriorityExecutor) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await executor.run(.last) { await rehearsals.run() } }
            group.addTask { await bulkChangeRunner.run() }
            group.addTask { await cohorts.run() }
            group.addTask { await imports.run() }
        }
    }
}
