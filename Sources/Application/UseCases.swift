import Accounts
public import Cryptography
public import Gradebook
public import GradingKit
import Institutions
public import Observability
public import People
public import Records
public import Shared

/// The use cases of the server, built over its services, stores and schemes, and the work that runs beside requests.
public struct UseCases: Sendable {
    /// The parts that the composition root passes in.
    public struct Parts: Sendable {
        /// The account services.
        public var accounts: AccountServices
        /// The institution services.
        public var institutions: InstitutionServices
        /// The store of records.
        public var records: any RecordStore
        /// The store of classes, kept separately from the records that follow them.
        public var gradebook: any GradebookStore
        /// The search for a record whose entries of a given kind cannot stand for rows of a class.
        public var mounting: ClassService.MountingCheck
        /// The store that assigns versions to projections.
        public var projections: any ProjectionStore
        /// The store of answers kept under clients' idempotency keys.
        public var answers: any AnswerStore
        /// The store that a backup copies; `nil` for one that other tools copy.
        public var copies: (any CopyableStore)?
        /// The stores of the work that runs beside requests.
        public var work: ProgramWork.Stores
        /// The store of follows, blocks and sharing choices.
        public var people: any PeopleStore
        /// The audit trail.
        public var audit: any AuditTrail
        /// The installed schemes.
        public var schemes: SchemeRegistry
        /// The reader of regulations written as documents.
        public var regulations: any RegulationReader
        /// The executor of long work at low priority.
        public var lowPriority: any LowPriorityExecutor
        /// The metrics of the server.
        public var metrics: Metrics
        /// The log to which errors are reported.
        public var log: Log
        /// The sender of mail; `nil` if the server sends none.
        public var courier: MailCourier?
        /// What sending to webhooks needs.
        public var webhooks: WebhookParts
        /// Tells the other nodes of one store of a change.
        public var tellOthers: @Sendable (WakeUp) -> Void

        /// Collects all parts.
        public init(
            accounts: AccountServices, institutions: InstitutionServices, records: any RecordStore,
            gradebook: any GradebookStore, mounting: @escaping ClassService.MountingCheck,
            projections: any ProjectionStore,
            answers: any AnswerStore, copies: (any CopyableStore)?,
            work: ProgramWork.Stores, people: any PeopleStore, audit: any AuditTrail, schemes: SchemeRegistry,
            regulations: any RegulationReader, lowPriority: any LowPriorityExecutor, metrics: Metrics, log: Log,
            courier: MailCourier? = nil, webhooks: WebhookParts,
            tellOthers: @escaping @Sendable (WakeUp) -> Void = { _ in }
        ) {
            self.accounts = accounts
            self.institutions = institutions
            self.records = records
            self.gradebook = gradebook
            self.mounting = mounting
            self.projections = projections
            self.answers = answers
            self.copies = copies
            self.work = work
            self.people = people
            self.audit = audit
            self.schemes = schemes
            self.regulations = regulations
            self.lowPriority = lowPriority
            self.metrics = metrics
            self.log = log
            self.courier = courier
            self.webhooks = webhooks
            self.tellOthers = tellOthers
        }
    }

    /// Limits that the operator sets.
    public struct Limits: Sendable {
        /// Writes allowed per account: per second, and in a burst.
        public var writes = (perSecond: 100, burst: 500)
        /// Units of calculation allowed per second for one account, or for the guests of one address. A unit is an
        /// ordinary evaluation.
        public var evaluationsPerSecond = 200
        /// Number of large calculations of people who have signed in that run at once, beside the event loops; at least
        /// 1. Changes to classes and the calculations of guests have a thread each besides.
        public var calculationsAtOnce = 1
        /// Whether people may share their records and follow each other.
        public var letsPeopleShare = true
        /// Whether messages are sent to webhooks.
        public var sendsToWebhooks = true
        /// How long events are kept for feeds, in days.
        public var keepDays = 400

        /// Creates the default limits.
        public init() {}
    }

    /// The account services.
    public let accounts: AccountServices
    /// The institutions themselves, for whoever names one.
    public let tenants: Tenants
    /// What people do about their own memberships.
    public let members: Members
    /// What callers do with institutions.
    public let institutionService: InstitutionService
    /// What callers do about the memberships of others.
    public let memberService: MemberService
    /// The accounts through which software acts.
    public let serviceAccounts: ServiceAccountService
    /// The addresses to which events of institutions are sent.
    public let webhooks: WebhookService
    /// Years, terms and periods of institutions.
    public let terms: TermService
    /// The installed schemes.
    public let schemes: SchemeRegistry
    /// What administrators see of the providers that people use to sign in.
    public let providerReview: ProviderReview
    /// The service that reads and changes records.
    public let records: RecordService
    /// The service that reads and changes classes.
    public let classes: ClassService
    /// The limit on how fast one account may write.
    public let writes: WriteRate
    /// The export of everything held about one person.
    public let exports: AccountExport
    /// The rule for whose profile a caller may see.
    public let profileVisibility: ProfileVisibility
    /// Calculations about records that are never stored: explanations, what-ifs, goals.
    public let recordCalculations: RecordCalculations
    /// The calculation of standings of records sent in the request.
    public let evaluation: Evaluation
    /// The check of regulations written as documents.
    public let regulations: RegulationReview
    /// The service that creates, changes and describes programs.
    public let programs: ProgramService
    /// The service that publishes drafts.
    public let publishing: Publishing
    /// The work that runs beside requests.
    public let work: ProgramWork
    /// The service through which students share their records.
    public let sharings: RecordSharings
    /// The service that manages who follows whom.
    public let friends: Friends
    /// The homepages of people.
    public let homepages: Homepages
    /// The search.
    public let search: Search
    /// What people work on.
    public let myWork: MyWork
    /// The feeds of people.
    public let feeds: Feeds
    /// The announcements of institutions.
    public let announcements: Announcements
    /// What is followed live of classes.
    public let classFollowing: ClassFollowing
    /// What is followed live.
    public let live: LiveDocuments
    /// Answers to repeated requests.
    public let answers: IdempotentAnswers
    /// Copies of the whole store; `nil` if other tools make them.
    public let backups: Backups?
    /// The source of identifiers for new objects.
    public let identifiers: UUIDSource
    /// The function that writes a line of the audit trail.
    public let audit: @Sendable (AuditEntry) async throws -> Void
    /// Private, because the API may reach programs only with a permit.
    private let institutions: InstitutionServices
    private let stale: StaleRecords
    private let backlog: JobBacklog
    private let feedProjector: FeedProjector
    private let dueDays: DueDays
    private let feedNotices: FeedNotices?
    private let courier: MailCourier?
    private let webhookCourier: WebhookCourier
    private let sendsToWebhooks: Bool
    private let calculations: Calculations
    private let lowPriority: any LowPriorityExecutor
    private let clock: WallClock

    /// Connects the parts.
    public init(_ parts: Parts, limits: Limits = Limits(), clock: WallClock = .system) {
        identifiers = UUIDSource(milliseconds: { clock.now.microseconds / 1_000 })
        accounts = parts.accounts
        institutions = parts.institutions
        (tenants, members) = (institutions.tenants, institutions.members)
        schemes = parts.schemes
        answers = IdempotentAnswers(store: parts.answers)
        audit = { [trail = parts.audit] in try await trail.append($0) }
        backups = parts.copies.map { [audit] in Backups(store: $0, audit: audit) }
        lowPriority = parts.lowPriority
        self.clock = clock
        courier = parts.courier
        let access = InstitutionAccess(institutions: institutions)
        institutionService = InstitutionService(tenants: tenants, proofs: accounts.proofs, access: access)
        memberService = MemberService(members: members, access: access)
        serviceAccounts = ServiceAccountService(
            serviceAccounts: institutions.serviceAccounts, tokens: accounts.tokens, access: access)
        webhooks = WebhookService(
            webhooks: Webhooks(parts.webhooks, institutions: institutions, identifiers: identifiers), access: access)
        sendsToWebhooks = limits.sendsToWebhooks
        webhookCourier = WebhookCourier(
            parts.webhooks, records: parts.records, identifiers: identifiers, metrics: parts.metrics, log: parts.log,
            clock: clock)
        terms = TermService(terms: institutions.terms, access: access)
        providerReview = ProviderReview(of: accounts.providers)
        records = RecordService(
            store: parts.records, institutions: institutions, accounts: accounts,
            rulesCache: RecordRulesCache(
                schemes: schemes, institutions: institutions, identifiers: identifiers,
                keepShape: { [browser = parts.work.browser] in try await browser.keep(shape: $0, of: $1, $2) }),
            readings: ReadAuditLog(clock: clock, trail: parts.audit))
        writes = WriteRate(perSecond: limits.writes.perSecond, burst: limits.writes.burst)
        sharings = RecordSharings(
            store: parts.people, records: records, profiles: accounts.profiles, projections: parts.projections,
            isEnabled: limits.letsPeopleShare)
        let news = FeedNews(tellingOthers: parts.tellOthers)
        let bookCache = ClassBookCache()
        friends = Friends(
            store: parts.people, profiles: accounts.profiles, isEnabled: limits.letsPeopleShare, news: news)
        feeds = Feeds(
            store: parts.people, records: records, classes: parts.gradebook, bookCache: bookCache, sharings: sharings,
            profiles: accounts.profiles, projections: parts.projections, isEnabled: limits.letsPeopleShare, news: news)
        announcements = Announcements(
            store: parts.people, identifiers: identifiers, news: news, access: access, writes: writes,
            isEnabled: limits.letsPeopleShare)
        feedProjector = FeedProjector(
            store: parts.people, institutions: institutions.tenants, news: news, keepDays: limits.keepDays,
            clock: clock, log: parts.log)
        feedNotices = accounts.emails.map { [feeds, identifiers] in
            FeedNotices(feeds: feeds, emails: $0, identifiers: identifiers, clock: clock, log: parts.log)
        }
        homepages = Homepages(friends: friends, sharings: sharings, records: records)
        profileVisibility = ProfileVisibility(members: institutions.members)
        calculations = Calculations(perSecond: limits.evaluationsPerSecond, workers: limits.calculationsAtOnce)
        exports = AccountExport(
            accounts: accounts, institutions: institutions, records: parts.records, people: parts.people,
            classes: parts.gradebook, rulesCache: records.rulesCache, bookCache: bookCache)
        recordCalculations = RecordCalculations(records, calculations, gradebook: parts.gradebook, bookCache: bookCache)
        classes = ClassService(
            store: parts.gradebook, records: records, identifiers: identifiers, mounting: parts.mounting,
            lowPriority: parts.lowPriority, calculations: calculations, bookCache: bookCache)
        dueDays = DueDays(classes, accounts: accounts, clock: clock, log: parts.log)
        search = Search(
            store: parts.people, records: records, classes: classes, friends: friends, schemes: schemes,
            regulations: parts.regulations.library)
        myWork = MyWork(store: parts.people, records: records, classes: classes)
        evaluation = Evaluation(calculations)
        regulations = RegulationReview(
            parts.regulations, calculations, isInstalled: parts.schemes["regulations"] != nil)
        work = ProgramWork(
            parts.work, projections: parts.projections, records: records, accounts: accounts, bookCache: bookCache,
            identifiers: identifiers, clock: clock)
        classFollowing = ClassFollowing(classes, projections: parts.projections)
        live = LiveDocuments(
            records: records, lists: RecordLists(records: records, projections: parts.projections),
            cohorts: work.cohorts, sharings: sharings, feeds: feeds, classes: classFollowing)
        publishing = Publishing(institutions: institutions, work: work, calculations: calculations)
        stale = StaleRecords(
            browser: parts.work.browser, schemes: schemes, metrics: parts.metrics, log: parts.log)
        backlog = JobBacklog(parts.work.imports, metrics: parts.metrics, clock: clock)
        programs = ProgramService(
            programs: institutions.programs, access: access, proofs: accounts.proofs, stale: stale, schemes: schemes,
            rulesCache: records.rulesCache)
        parts.metrics.gauge(
            "gradecast_calculations_waiting", "Calculations waiting for their turn, in units of an ordinary one"
        ) { [calculations] in Double(calculations.waiting) }
    }

    /// Runs the work beside requests until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await work.run(on: lowPriority) }
            group.addTask { await stale.run() }
            group.addTask { await backlog.run() }
            group.addTask { await dueDays.run() }
            for worker in calculations.workers {
                let rank: LowPriorityRank = worker.lane == .guests ? .third : .second
                group.addTask { await lowPriority.run(rank) { await calculations.run(worker) } }
            }
            if feeds.isEnabled { group.addTask { await feedProjector.run() } }
            if let courier { group.addTask { await courier.run(telling: feedNotices) } }
            if let feedNotices, courier != nil, feeds.isEnabled { group.addTask { await feedNotices.run() } }
            if sendsToWebhooks { group.addTask { await webhookCourier.run() } }
            group.addTask { await tidy() }
            group.addTask { await lapse() }
        }
    }

    /// Ends memberships at the moment they lapse, and with them the connections that rest on them. A new grant lasts
    /// for days, so looking for new grants every 30 seconds is enough.
    private func lapse() async {
        while !Task.isCancelled {
            let next = try? await institutions.grants.lapse()
            let wait = next.map { max(0, $0.microseconds - clock.now.microseconds) } ?? .max
            try? await Task.sleep(for: .microseconds(min(wait, 30_000_000)))
        }
    }

    /// Deletes ended sessions, used tokens, and the row lists of imports that ended a day ago; runs once an hour.
    private func tidy() async {
        while !Task.isCancelled {
            // Whatever fails now is retried in an hour.
            try? await accounts.administration.tidy()
            try? await work.imports.tidy()
            try? await courier?.tidy()
            try? await webhookCourier.tidy()
            try? await feedProjector.sweep()
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}
