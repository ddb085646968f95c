import Cryptography
import GradingKit
import Institutions
public import Records
import Shared

/// What goes on beside the requests: rehearsals, sweeps over records, long imports and the pictures of cohorts.
public struct ProgramWork: Sendable {
    /// Where the work finds and keeps its things.
    public struct Stores: Sendable {
        /// Goes through many records.
        public var browser: any RecordBrowser
        /// Keeps sweeps.
        public var sweeps: any SweepStore
        /// Keeps rehearsals.
        public var rehearsals: any RehearsalStore
        /// Remembers imports.
        public var imports: any ImportStore

        /// The stores.
        public init(_ programs: any RecordBrowser & SweepStore, work: any RehearsalStore & ImportStore) {
            browser = programs
            sweeps = programs
            rehearsals = work
            imports = work
        }
    }

    let rehearsals: RehearsalRunner
    let sweeper: Sweeper
    let cohorts: CohortProjector
    let imports: ImportRunner

    init(
        _ stores: Stores, projections: any ProjectionStore, desk: RecordService, identifiers: UUIDSource,
        clock: WallClock
    ) {
        rehearsals = RehearsalRunner(
            store: stores.rehearsals, browser: stores.browser, desk: desk, identifiers: identifiers)
        sweeper = Sweeper(store: stores.sweeps, browser: stores.browser, desk: desk, clock: clock)
        cohorts = CohortProjector(
            projections: projections, browser: stores.browser, programs: desk.institutions.programs, clock: clock)
        imports = ImportRunner(store: stores.imports, identifiers: identifiers)
    }

    /// Works until the task is cancelled. What was under way then goes on at the next start, but for rehearsals and
    /// imports, which are told to have failed.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await LowPriorityExecutor.run { await rehearsals.run() } }
            group.addTask { await sweeper.run() }
            group.addTask { await cohorts.run() }
            group.addTask { await imports.run() }
        }
    }
}
