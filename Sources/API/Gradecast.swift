import Accounts
public import Application
import Cryptography
import GradingKit
import HTTP
public import Live
import Institutions
public import Observability
import Records
public import Shared
import Threads
public import Transport
public import WebServer

/// The API and the web client on top of the use-cases: everything that a web server needs to answer requests.
public struct Gradecast: Sendable {
    /// The parts that the composition root assembles.
    public struct Parts: Sendable {
        /// The use-cases that the routes call.
        public var useCases: UseCases
        /// The store's epoch at start; the store announces later epochs to live readers.
        public var epoch: Epoch
        /// Whether the server can take requests.
        public var readiness: Readiness
        /// The registry of counters and histograms.
        public var metrics: Metrics
        /// Where errors are reported.
        public var log: Log
        /// Where requests are reported; `nil` if they are not.
        public var requests: RequestLog?
        /// The web client.
        public var web: WebFiles
        /// The version of the program.
        public var version: String
        /// The stand-in that plays sign-in providers in a demonstration; `nil` outside one.
        public var standIn: ProviderStandIn?

        /// Collects the parts.
        public init(
            useCases: UseCases, epoch: Epoch, readiness: Readiness, metrics: Metrics, log: Log,
            requests: RequestLog? = nil, web: WebFiles, version: String, standIn: ProviderStandIn? = nil
        ) {
            self.useCases = useCases
            self.epoch = epoch
            self.readiness = readiness
            self.metrics = metrics
            self.log = log
            self.requests = requests
            self.web = web
            self.version = version
            self.standIn = standIn
        }
    }

    /// The settings that the operator chooses.
    public struct Policy: Sendable {
        /// Origins, besides the server's own, whose pages may use it.
        public var origins: [String] = []
        /// The URL at which people reach the server, such as `https://grades.example.org`, without a trailing slash.
        public var publicAddress: String?
        /// How requests may reach the API's address.
        public var door = FrontDoor()
        /// How requests may reach the management address.
        public var managementDoor = FrontDoor()
        /// Whether requests from loopback are exempt from rate limits.
        public var exemptsLoopback = false
        /// How many sign-ups one address may make per minute.
        public var signUpsPerMinute = 20
        /// Limits of live connections.
        public var live = LiveLimits()
        /// How long a request may wait for the writer, a password hash or a calculation before it fails.
        public var timeout = Duration.seconds(30)

        /// Creates the default policy.
        public init() {}
    }

    /// The responder of the API and the web client.
    public let responder: any Responder
    /// The responder for operators and their tools, on its own address.
    public let management: any Responder
    private let service: LiveService
    private let projector: LiveProjector
    private let useCases: UseCases
    private let bodies = WorkerPool("bodies", niceness: 10, capacity: 1_000)

    /// Connects the parts and opens the live service on the event loops, which must already be running.
    ///
    /// - Parameter broadcaster: passes the store's commits on to the live service.
    public init(
        _ parts: Parts, policy: Policy = Policy(), loops: [EventLoop], broadcaster: CommitBroadcaster,
        clock: WallClock = .system
    ) async throws {
        useCases = parts.useCases
        let liveSource = LiveDataSource(accounts: useCases.accounts, documents: useCases.live)
        let service = await LiveService(
            on: loops, epoch: parts.epoch, source: liveSource, authority: liveSource, limits: policy.live,
            metrics: parts.metrics, clock: clock)
        broadcaster.open(service, epoch: parts.epoch, telling: useCases.live.feeds.news)
        self.service = service
        projector = LiveProjector(service: service, documents: useCases.live, broadcaster: broadcaster)
        let authenticator = Authenticator(
            sessions: useCases.accounts.sessions, tokens: useCases.accounts.tokens,
            origins: OriginRule(others: policy.origins))
        let live = LiveRoutes(service: service, limits: policy.live, origins: authenticator.origins)
        let groups = Self.groups(parts, policy, LongPoll(service: service))
        let routes = groups.flatMap(\.routes) + live.routes
        let health = HealthRoutes(
            readiness: parts.readiness, described: routes, version: parts.version)
        management = ManagementHandler(
            door: policy.managementDoor, metrics: parts.metrics, readiness: parts.readiness, version: parts.version
        ) {
            let census = await service.census()
            return [
                "live": ["readers": .number("\(census.readers)"), "topics": .number("\(census.topics)")],
                "schemes": .array(parts.useCases.schemes.schemes.map { .string($0.identifier.text) }),
            ]
        }
        responder = try RequestHandler(
            routes + health.routes, door: policy.door, authenticator: authenticator, clock: clock, log: parts.log,
            requests: parts.requests, traffic: Traffic(parts.metrics), web: parts.web, broadcaster: broadcaster,
            exemptsLoopback: policy.exemptsLoopback, timeout: policy.timeout, bodies: bodies)
    }

    /// Keeps live connections up to date and runs the background work until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await service.run() }
            group.addTask { await projector.run() }
            group.addTask { await useCases.run() }
        }
        await bodies.join()
    }

    /// Tells every live reader that the server will stop within `window`.
    public func drain(within window: Duration) { service.drain(within: window) }

    /// Returns the numbers of live readers and of topics.
    public func census() async -> (readers: Int, topics: Int) { await service.census() }

    private static func groups(
        _ parts: Parts, _ policy: Policy, _ longPoll: LongPoll
    ) -> [any RouteGroup] {
        let useCases = parts.useCases
        let (accounts, tenants, members) = (useCases.accounts, useCases.tenants, useCases.members)
        let (work, writes) = (useCases.work, useCases.writes)
        let idempotency = IdempotentReply(answers: useCases.answers)
        let links = PublicLinks(address: policy.publicAddress)
        let compressed = CompressedForms()
        return [
            AccountRoutes(
                accounts: accounts,
                signUps: ClientLimiter(perMinute: policy.signUpsPerMinute),
                exports: useCases.exports, profileVisibility: useCases.profileVisibility, friends: useCases.friends,
                audit: useCases.audit,
                links: links, writes: writes),
            EmailRoutes(accounts: accounts, requests: ClientLimiter(perMinute: 10)),
            SessionRoutes(accounts: accounts, tickets: RateLimiter(60, per: 60, burst: 60)),
            CurrentSessionRoute(accounts: accounts, tenants: tenants, members: members),
            SecondFactorRoutes(accounts: accounts),
            ProofRoutes(proofs: accounts.proofs),
            TokenRoutes(accounts: accounts),
            ServiceAccountRoutes(serviceAccounts: useCases.serviceAccounts, proofs: accounts.proofs),
            WebhookRoutes(webhooks: useCases.webhooks, proofs: accounts.proofs),
            TermRoutes(terms: useCases.terms),
            OAuthRoutes(
                tokens: accounts.tokens, failures: RateLimiter(600, per: 60, burst: 600),
                repetitions: RateLimiter(60, per: 60, burst: 60), grants: RateLimiter(30, per: 60, burst: 60)),
            PasskeyRoutes(accounts: accounts, challenges: ClientLimiter(perMinute: 60)),
            ProviderRoutes(
                accounts: accounts, review: useCases.providerReview, tenants: tenants, members: members,
                attempts: ClientLimiter(perMinute: policy.signUpsPerMinute)),
            SchemeRoutes(
                schemes: useCases.schemes, evaluation: useCases.evaluation, compressed: compressed),
            RegulationRoutes(regulations: useCases.regulations),
            InstitutionRoutes(
                institutions: useCases.institutionService, members: useCases.memberService, own: members,
                tenants: tenants, proofs: accounts.proofs, idempotency: idempotency, links: links),
            ProgramRoutes(
                programs: useCases.programs, classes: useCases.classes, idempotency: idempotency, compressed: compressed
            ),
            RecordRoutes(
                records: useCases.records, identifiers: useCases.identifiers, writes: writes,
                calculations: useCases.recordCalculations, sharings: useCases.sharings, longPoll: longPoll),
            SharingRoutes(sharings: useCases.sharings, writes: writes),
            FriendRoutes(
                friends: useCases.friends, homepages: useCases.homepages, links: links, writes: writes),
            SearchRoutes(
                search: useCases.search, work: useCases.myWork, ofAccounts: RateLimiter(10, per: 1, burst: 20),
                ofGuests: RateLimiter(2, per: 1, burst: 10)),
            FeedRoutes(
                feeds: useCases.feeds, announcements: useCases.announcements, writes: writes,
                longPoll: longPoll, reads: RateLimiter(10, per: 1, burst: 30)),
            ClassRoutes(
                classes: useCases.classes, following: useCases.classFollowing, writes: writes, idempotency: idempotency,
                longPoll: longPoll),
            MetricsRoutes(metrics: parts.metrics),
            RehearsalRoutes(work: work, writes: writes, idempotency: idempotency),
            PublishingRoutes(
                programs: useCases.programs, proofs: accounts.proofs, publishing: useCases.publishing,
                changes: work.bulkChanges, idempotency: idempotency),
            RecomputationRoutes(work: work, writes: writes, idempotency: idempotency),
            CohortRoutes(work: work),
            ResultRoutes(
                work: work, writes: writes, idempotency: idempotency),
        ] + (useCases.backups.map { [BackupRoutes(backups: $0, proofs: accounts.proofs)] } ?? [])
            + [parts.standIn].compactMap { $0 }
    }
}
