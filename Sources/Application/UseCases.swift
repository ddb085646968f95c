public import Accounts
public import Cryptography
public import Gradebook
public import GradingKit
public import Institutions
public import Observability
public import People
public import Records
public import Shared

/// The use-cases over given services, stores and schemes, with the work that goes on beside requests.
public struct UseCases: Sendable {
    /// The parts that the composition root introduces to each other.
    public struct Parts: Sendable {
        /// The services of accounts.
        public var accounts: AccountServices
        /// The services of institutions.
        public var institutions: InstitutionServices
        /// Where records are kept.
        public var records: any RecordStore
        /// Where classes are kept, beside the records that follow them.
        public var gradebook: any GradebookStore
        /// Looks for a record in which entries of a kind cannot stand for rows of a class.
        public var mounting: ClassService.Mounting
        /// Where projections get their versions.
        public var projections: any ProjectionStore
        /// Where answers are kept under the keys of clients.
        public var answers: any AnswerStore
        /// What a backup is made of.
        public var copies: any CopyableStore
        /// What the work beside requests rests on.
        public var work: ProgramWork.Stores
        /// What people share.
        public var people: any PeopleStore
        /// The audit trail.
        public var audit: any AuditTrail
        /// The installed schemes.
        public var schemes: SchemeRegistry
        /// Reads regulations that are written as documents.
        public var regulations: any RegulationReader
        /// Where long work runs.
        public var lowPriority: any LowPriorityExecutor
        /// What is counted.
        public var metrics: Metrics
        /// Where errors are reported.
        public var log: Log
        /// Sends mails; `nil` where none are sent.
        public var courier: MailCourier?

        /// All parts.
        public init(
            accounts: AccountServices, institutions: InstitutionServices, records: any RecordStore,
            gradebook: any GradebookStore, mounting: @escaping ClassService.Mounting, projections: any ProjectionStore,
            answers: any AnswerStore, copies: any CopyableStore,
            work: ProgramWork.Stores, people: any PeopleStore, audit: any AuditTrail, schemes: SchemeRegistry,
            regulations: any RegulationReader, lowPriority: any LowPriorityExecutor, metrics: Metrics, log: Log,
            courier: MailCourier? = nil
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
        }
    }

    /// What an operator decides.
    public struct Limits: Sendable {
        /// Writes of one account in a second, and at once.
        public var writes = (perSecond: 100, burst: 500)
        /// What an account, or guests from an address, may have calculated in a second, in units of an ordinary
        /// evaluation.
        public var evaluationsPerSecond = 200
        /// How many large calculations are done at once, beside the event loops; at least 1.
        public var calculationsAtOnce = 1
        /// Whether people may share what is theirs with each other.
        public var letsPeopleShare = true

        /// The defaults.
        public init() {}
    }

    /// The services of accounts.
    public let accounts: AccountServices
    /// Institutions themselves.
    public let tenants: Tenants
    /// Who belongs to which institution.
    public let members: Members
    /// The accounts through which software acts.
    public let serviceAccounts: ServiceAccounts
    /// The installed schemes.
    public let schemes: SchemeRegistry
    /// Lets callers through to institutions and programs.
    public let access: InstitutionAccess
    /// What administrators see of the providers that people sign in with.
    public let providerReview: ProviderReview
    /// Reads and changes records.
    public let records: RecordService
    /// Classes and their acts.
    public let classes: ClassService
    /// How fast one account may write.
    public let writes: WriteRate
    /// Everything held about one person.
    public let exports: AccountExport
    /// Whose profile a caller may see.
    public let profileVisibility: ProfileVisibility
    /// What is calculated about records and not stored.
    public let recordCalculations: RecordCalculations
    /// Calculates whatever is sent.
    public let evaluation: Evaluation
    /// Checks regulations that are written as documents.
    public let regulations: RegulationReview
    /// Makes, changes and tells of programs.
    public let programs: ProgramService
    /// Publishes drafts.
    public let publishing: Publishing
    /// What goes on beside requests.
    public let work: ProgramWork
    /// What students share of their records.
    public let sharings: RecordSharings
    /// Who follows whom.
    public let friends: Friends
    /// What people show of themselves.
    public let homepages: Homepages
    /// What is followed live of classes.
    public let classFollowing: ClassFollowing
    /// What is followed live.
    public let live: LiveDocuments
    /// The answers to repeated requests.
    public let answers: IdempotentAnswers
    /// Copies of the whole store.
    public let backups: Backups
    /// Makes identifiers for what is new.
    public let identifiers: UUIDSource
    /// Writes a line of the audit trail.
    public let audit: @Sendable (AuditEntry) async throws -> Void
    /// Kept from the API: its way to programs is a permit.
    private let institutions: InstitutionServices
    private let stale: StaleRecords
    private let courier: MailCourier?
    private let calculations: Calculations
    private let lowPriority: any LowPriorityExecutor
    private let clock: WallClock

    /// Joins the parts.
    public init(_ parts: Parts, limits: Limits = Limits(), clock: WallClock = .system) {
        identifiers = UUIDSource(milliseconds: { clock.now.microseconds / 1_000 })
        accounts = parts.accounts
        institutions = parts.institutions
        (tenants, members) = (institutions.tenants, institutions.members)
        serviceAccounts = institutions.serviceAccounts
        schemes = parts.schemes
        answers = IdempotentAnswers(store: parts.answers)
        audit = { [trail = parts.audit] in try await trail.append($0) }
        backups = Backups(store: parts.copies, audit: audit)
        lowPriority = parts.lowPriority
        self.clock = clock
        courier = parts.courier
        access = InstitutionAccess(institutions: institutions)
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
        friends = Friends(store: parts.people, profiles: accounts.profiles, isEnabled: limits.letsPeopleShare)
        homepages = Homepages(friends: friends, sharings: sharings, records: records)
        exports = AccountExport(
            accounts: accounts, institutions: institutions, records: parts.records, people: parts.people)
        profileVisibility = ProfileVisibility(members: institutions.members)
        calculations = Calculations(perSecond: limits.evaluationsPerSecond, workers: limits.calculationsAtOnce)
        let shelf = ClassBookShelf()
        recordCalculations = RecordCalculations(records, calculations, gradebook: parts.gradebook, shelf: shelf)
        classes = ClassService(
            store: parts.gradebook, records: records, identifiers: identifiers, mounting: parts.mounting,
            lowPriority: parts.lowPriority, calculations: calculations, shelf: shelf)
        evaluation = Evaluation(calculations)
        regulations = RegulationReview(
            parts.regulations, calculations, isInstalled: parts.schemes["regulations"] != nil)
        work = ProgramWork(
            parts.work, projections: parts.projections, records: records, accounts: accounts,
            identifiers: identifiers, clock: clock)
        classFollowing = ClassFollowing(classes, projections: parts.projections)
        live = LiveDocuments(
            records: records, lists: RecordLists(records: records, projections: parts.projections),
            cohorts: work.cohorts, sharings: sharings, classes: classFollowing)
        publishing = Publishing(institutions: institutions, work: work)
        stale = StaleRecords(
            browser: parts.work.browser, schemes: schemes, metrics: parts.metrics, log: parts.log)
        programs = ProgramService(
            programs: institutions.programs, access: access, stale: stale, schemes: schemes,
            rulesCache: records.rulesCache)
        parts.metrics.gauge(
            "gradecast_calculations_waiting", "Calculations waiting for their turn, in units of an ordinary one"
        ) { [calculations] in Double(calculations.waiting) }
    }

    /// Does the work that goes on beside requests until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await work.run(on: lowPriority) }
            group.addTask { await stale.run() }
            for worker in calculations.workers {
                group.addTask { await lowPriority.run(.second) { await calculations.run(worker) } }
            }
            if let courier { group.addTask { await courier.run() } }
            group.addTask { await tidy() }
            group.addTask { await lapse() }
        }
    }

    /// Ends memberships at the moment at which they lapse: connections that rest on them end then. Grants hold for days,
    /// so that it is time enough to look for new ones now and then.
    private func lapse() async {
        while !Task.isCancelled {
            let next = try? await institutions.grants.lapse()
            let wait = next.map { max(0, $0.microseconds - clock.now.microseconds) } ?? .max
            try? await Task.sleep(for: .microseconds(min(wait, 30_000_000)))
        }
    }

    /// Forgets ended sessions, used-up tokens and what imports listed a day ago, once an hour.
    private func tidy() async {
        while !Task.isCancelled {
            // What cannot be tidied now is tidied an hour later.
            try? await accounts.administration.tidy()
            try? await work.imports.tidy()
            try? await courier?.tidy()
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}
