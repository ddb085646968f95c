public import Accounts
public import Application
import Cryptography
public import GradingKit
import HTTP
public import Live
public import Institutions
public import Observability
public import Records
public import Shared
public import Transport
public import WebServer

/// The API and the web client over given services, stores and schemes: what a web server needs to answer requests.
public struct Gradecast: Sendable {
    /// The parts that the composition root introduces to each other.
    public struct Parts: Sendable {
        /// The services of accounts.
        public var accounts: AccountServices
        /// The services of institutions.
        public var institutions: InstitutionServices
        /// Where records are kept.
        public var records: any RecordStore
        /// Where projections get their versions.
        public var projections: any ProjectionStore
        /// What the work beside the requests rests on.
        public var work: ProgramWork.Stores
        /// The store's epoch.
        public var epoch: Epoch
        /// Where answers are kept under the keys of clients.
        public var answers: any AnswerStore
        /// What a backup is made of.
        public var copies: any CopyableStore
        /// Writes a line of the audit trail.
        public var audit: @Sendable (AuditEntry) async throws -> Void
        /// The installed schemes.
        public var schemes: SchemeRegistry
        /// Whether requests can be taken.
        public var readiness: Readiness
        /// Where long work runs.
        public var lowPriority: any LowPriorityExecutor
        /// What is counted.
        public var metrics: Metrics
        /// Where is told what went wrong.
        public var log: Log
        /// The web client.
        public var web: WebFiles
        /// The version of the program.
        public var version: String
        /// Who plays Rosefire in a demonstration; `nil` for nobody.
        public var rosefireStandIn: RosefireStandIn?

        /// All parts.
        public init(
            accounts: AccountServices, institutions: InstitutionServices, records: any RecordStore,
            projections: any ProjectionStore, work: ProgramWork.Stores, epoch: Epoch,
            answers: any AnswerStore, copies: any CopyableStore,
            audit: @escaping @Sendable (AuditEntry) async throws -> Void, schemes: SchemeRegistry,
            readiness: Readiness, lowPriority: any LowPriorityExecutor, metrics: Metrics, log: Log, web: WebFiles,
            version: String,
            rosefireStandIn: RosefireStandIn? = nil
        ) {
            self.accounts = accounts
            self.institutions = institutions
            self.records = records
            self.projections = projections
            self.work = work
            self.epoch = epoch
            self.answers = answers
            self.copies = copies
            self.audit = audit
            self.schemes = schemes
            self.readiness = readiness
            self.lowPriority = lowPriority
            self.metrics = metrics
            self.log = log
            self.web = web
            self.version = version
            self.rosefireStandIn = rosefireStandIn
        }
    }

    /// What an operator decides.
    public struct Policy: Sendable {
        /// Origins, besides the server's own, whose pages may use it.
        public var origins: [String] = []
        /// Who may come in, and how.
        public var door = FrontDoor()
        /// The same for the management address.
        public var managementDoor = FrontDoor()
        /// Whether loopback is exempt from rates.
        public var exemptsLoopback = false
        /// Writes of one account in a second, and at once.
        public var writes = (perSecond: 100, burst: 500)
        /// What an account, or guests from an address, may have calculated in a second, in units of an ordinary
        /// evaluation.
        public var evaluationsPerSecond = 200
        /// Sign-ups from one address in a minute.
        public var signUpsPerMinute = 20
        /// Limits of live connections.
        public var live = LiveLimits()

        /// The defaults.
        public init() {}
    }

    /// Answers requests.
    public let responder: any Responder
    /// Answers operators and their tools, on an address of their own.
    public let management: any Responder
    private let service: LiveService
    private let projector: LiveProjector
    private let work: ProgramWork
    private let stale: StaleRecords
    private let calculations: Calculations
    private let accounts: AccountServices
    private let lowPriority: any LowPriorityExecutor

    /// Joins the parts and opens the live service on the loops, which have to be running.
    ///
    /// - Parameter exchange: what the store tells of its commits.
    public init(
        _ parts: Parts, policy: Policy = Policy(), loops: [EventLoop], exchange: CommitBroadcaster,
        clock: WallClock = .system
    ) async throws {
        let identifiers = UUIDSource(milliseconds: { clock.now.microseconds / 1_000 })
        let records = RecordService(
            store: parts.records, institutions: parts.institutions, accounts: parts.accounts,
            books: RecordRulesCache(
                schemes: parts.schemes, institutions: parts.institutions, identifiers: identifiers,
                keepShape: { [browser = parts.work.browser] in try await browser.keep(shape: $0, of: $1, $2) }),
            readings: ReadAuditLog(clock: clock, write: parts.audit))
        let lists = RecordLists(desk: records, projections: parts.projections)
        work = ProgramWork(
            parts.work, projections: parts.projections, records: records, identifiers: identifiers, clock: clock)
        stale = StaleRecords(
            browser: parts.work.browser, schemes: parts.schemes, metrics: parts.metrics, log: parts.log)
        // Half as many as loops, so that calculations leave room for everything else even where ranks count for little.
        calculations = Calculations(perSecond: policy.evaluationsPerSecond, workers: loops.count / 2)
        parts.metrics.gauge(
            "gradecast_calculations_waiting", "Calculations waiting for their turn, in units of an ordinary one"
        ) { [calculations] in Double(calculations.waiting) }
        let liveDesk = LiveDataSource(
            epoch: parts.epoch, accounts: parts.accounts, desk: records, lists: lists, cohorts: work.cohorts)
        let service = await LiveService(
            on: loops, epoch: parts.epoch, source: liveDesk, authority: liveDesk, limits: policy.live, clock: clock)
        exchange.open(service, epoch: parts.epoch)
        self.service = service
        accounts = parts.accounts
        lowPriority = parts.lowPriority
        projector = LiveProjector(service: service, desk: liveDesk, exchange: exchange)
        let authenticator = Authenticator(
            sessions: parts.accounts.sessions, origins: OriginRule(others: policy.origins))
        let live = LiveRoutes(service: service, limits: policy.live, origins: authenticator.origins)
        let groups = Self.groups(
            parts, policy, records, identifiers, LongPoll(service: service), work, stale, calculations)
        let routes = groups.flatMap(\.routes) + live.routes
        let health = HealthRoutes(
            readiness: parts.readiness, described: routes, version: parts.version)
        var router = Router<Route>()
        let all = routes + health.routes
        for route in all { try router.add(route.method, route.pattern, route) }
        management = ManagementHandler(
            door: policy.managementDoor, metrics: parts.metrics, readiness: parts.readiness, version: parts.version
        ) {
            let census = await service.census()
            return [
                "live": ["readers": .number("\(census.readers)"), "topics": .number("\(census.topics)")],
                "schemes": .array(parts.schemes.schemes.map { .string($0.identifier.text) }),
            ]
        }
        responder = RequestHandler(
            router: router, door: policy.door, authenticator: authenticator, clock: clock, log: parts.log,
            traffic: Traffic(parts.metrics), web: parts.web, exchange: exchange,
            exemptsLoopback: policy.exemptsLoopback, commonBodyLimit: all.map(\.bodyLimit).min() ?? 0)
    }

    /// Keeps live connections and projections up to date, and does what goes on beside the requests, until its task is
    /// cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await service.run() }
            group.addTask { await projector.run() }
            group.addTask { await work.run(on: lowPriority) }
            group.addTask { await stale.run() }
            for worker in calculations.workers {
                group.addTask { await lowPriority.run(.second) { await calculations.run(worker) } }
            }
            group.addTask { await tidy() }
        }
    }

    /// Forgets ended sessions and used-up tokens, once an hour.
    private func tidy() async {
        while !Task.isCancelled {
            // What cannot be tidied now is tidied an hour later.
            try? await accounts.administration.tidy()
            try? await Task.sleep(for: .seconds(3_600))
        }
    }

    /// Tells every live reader that the server stops within that time.
    public func drain(within window: Duration) { service.drain(within: window) }

    /// How many live readers and topics there are.
    public func census() async -> (readers: Int, topics: Int) { await service.census() }

    private static func groups(
        _ parts: Parts, _ policy: Policy, _ records: RecordService, _ identifiers: UUIDSource, _ longPoll: LongPoll,
        _ work: ProgramWork, _ stale: StaleRecords, _ calculations: Calculations
    ) -> [any RouteGroup] {
        let access = InstitutionAccess(institutions: parts.institutions)
        let repetition = IdempotentReply(answers: parts.answers)
        let writes = WriteRate(perSecond: policy.writes.perSecond, burst: policy.writes.burst)
        return [
            AccountRoutes(
                accounts: parts.accounts,
                signUps: RateLimiter(policy.signUpsPerMinute, per: 60, burst: policy.signUpsPerMinute),
                exports: AccountExport(
                    accounts: parts.accounts, institutions: parts.institutions, records: parts.records),
                profileVisibility: ProfileVisibility(members: parts.institutions.members), audit: parts.audit),
            SessionRoutes(accounts: parts.accounts),
            RosefireRoutes(
                accounts: parts.accounts,
                attempts: RateLimiter(policy.signUpsPerMinute, per: 60, burst: policy.signUpsPerMinute)),
            SchemeRoutes(schemes: parts.schemes, evaluation: Evaluation(calculations)),
            InstitutionRoutes(
                institutions: parts.institutions, access: access, repetition: repetition),
            ProgramRoutes(
                institutions: parts.institutions, access: access, repetition: repetition, stale: stale),
            RecordRoutes(
                records: records, identifiers: identifiers, writes: writes,
                calculations: RecordCalculations(records, calculations), longPoll: longPoll),
            BackupRoutes(store: parts.copies, audit: parts.audit),
            RehearsalRoutes(access: access, work: work, writes: writes, repetition: repetition),
            PublishingRoutes(
                institutions: parts.institutions, access: access, work: work, repetition: repetition),
            RecomputationRoutes(
                access: access, work: work, writes: writes, repetition: repetition),
            CohortRoutes(access: access, work: work),
            ResultRoutes(
                access: access, accounts: parts.accounts, records: records, work: work,
                writes: writes, repetition: repetition),
        ] + [parts.rosefireStandIn].compactMap { $0 }
    }
}
