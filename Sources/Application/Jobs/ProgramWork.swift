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
        public var sweeps: any SweepStore
        /// Keeps rehearsals.
        public var rehearsals: any RehearsalStore
        /// Remembers imports.
        public var imports: any ImportStore

        /// The stores.
        public init(
            browser: any RecordBrowser, sweeps: any SweepStore, rehearsals: any RehearsalStore,
            imports: any ImportStore
        ) {
            self.browser = browser
            self.sweeps = sweeps
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
        _ stores: Stores, projections: any ProjectionStore, records: RecordService, identifiers: UUIDSource,
        clock: WallClock
    ) {
        rehearsals = RehearsalRunner(
            store: stores.rehearsals, browser: stores.browser, records: records, identifiers: identifiers)
        bulkChangeRunner = BulkChangeRunner(
            store: stores.sweeps, browser: stores.browser, records: records, clock: clock)
        bulkChanges = BulkChanges(rehearsals: rehearsals, runner: bulkChangeRunner, identifiers: identifiers)
        cohorts = CohortProjector(
            projections: projections, browser: stores.browser, programs: records.institutions.programs, clock: clock)
        imports = ImportRunner(
            store: stores.imports, browser: stores.browser, records: records, identifiers: identifiers, clock: clock)
        students = ProgramStudents(browser: stores.browser, records: records)
    }

    /// Runs until the task is cancelled. Bulk changes resume at the next start; rehearsals and imports that were under
    /// way are marked failed.
    public func run(on executor: any LowPriorityExecutor) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await executor.run(.last) { await rehearsals.run() } }
            group.addTask { await bulkChangeRunner.run() }
            group.addTask { await cohorts.run() }
            group.addTask { await imports.run() }
        }
    }
}
