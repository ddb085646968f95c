import Accounts
public import Cryptography
public import Gradebook
import Institutions
public import Live
public import Records
public import Shared

/// The work on programs that runs beside requests: rehearsals, bulk changes, long imports and cohort statistics.
public struct ProgramWork: Sendable {
    /// The stores that the work uses.
    public struct Stores: Sendable {
        /// The store that iterates over many records.
        public var browser: any RecordBrowser
        /// The store of bulk changes.
        public var bulkChanges: any BulkChangeStore
        /// The store of rehearsals.
        public var rehearsals: any RehearsalStore
        /// The store of imports.
        public var imports: any ImportStore
        /// The store of classes, whose rows change with the records.
        public var gradebook: any GradebookStore

        /// Collects the stores.
        public init(
            browser: any RecordBrowser, bulkChanges: any BulkChangeStore, rehearsals: any RehearsalStore,
            imports: any ImportStore, gradebook: any GradebookStore
        ) {
            self.browser = browser
            self.bulkChanges = bulkChanges
            self.rehearsals = rehearsals
            self.imports = imports
            self.gradebook = gradebook
        }
    }

    /// Rehearsals of drafts and of new executables.
    public let rehearsals: RehearsalRunner
    /// Bulk changes of a program's records.
    public let bulkChanges: BulkChanges
    /// The statistics of cohorts.
    public let cohorts: CohortProjector
    /// Imports of results.
    public let imports: ImportRunner
    /// What staff read of a program's records.
    public let students: ProgramStudents
    let bulkChangeRunner: BulkChangeRunner

    /// Creates the work over the records of a service.
    public init(
        _ stores: Stores, projections: any ProjectionStore, records: RecordService, accounts: AccountServices,
        bookCache: ClassBookCache, identifiers: UUIDSource, clock: WallClock
    ) {
        rehearsals = RehearsalRunner(
            store: stores.rehearsals, browser: stores.browser, records: records, gradebook: stores.gradebook,
            identifiers: identifiers, clock: clock)
        bulkChangeRunner = BulkChangeRunner(
            store: stores.bulkChanges, browser: stores.browser, records: records, gradebook: stores.gradebook,
            bookCache: bookCache, identifiers: identifiers, clock: clock)
        bulkChanges = BulkChanges(rehearsals: rehearsals, runner: bulkChangeRunner, identifiers: identifiers)
        cohorts = CohortProjector(
            projections: projections, browser: stores.browser, programs: records.institutions.programs, clock: clock)
        imports = ImportRunner(
            store: stores.imports, browser: stores.browser, records: records, accounts: accounts,
            identifiers: identifiers, clock: clock)
        students = ProgramStudents(browser: stores.browser, records: records)
    }

    /// Returns the current statistics of a program's cohort, for the program's staff; `nil` when the program does not
    /// exist any more.
    public func cohort(of program: ProgramID, for context: AccountContext) async throws -> LiveDocument? {
        try await cohorts.document(
            under: rehearsals.records.access.permit(to: May.Oversee.self, in: program, for: context.principal))
    }

    /// Works until the task is cancelled. Interrupted work resumes at the next start, or in another process that uses
    /// the same store.
    public func run(on executor: any LowPriorityExecutor) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await executor.run(.last) { await rehearsals.run() } }
            group.addTask { await executor.run(.last) { await bulkChangeRunner.run() } }
            group.addTask { await cohorts.run() }
            group.addTask { await imports.run() }
        }
    }
}
