import Accounts
import Application
import Chalkboard
import Configuration
import Cryptography
import DataStore
import Forms
import Deadlines
import GradingKit
import GradingLaws
import HTTP
import IUT
import Institutions
import PostgresStore
import Regulations
import RoseHulman
import SQLiteStore
import SchemeHost
import Shared

/// The store and the domain's services over it. Every command that uses the data begins with them.
struct Installation {
    let configuration: ServerConfiguration
    let store: DataStore
    let schemes: SchemeRegistry
    /// The processes of the schemes that have one, by the schemes' names.
    let hosts: [(scheme: String, host: SchemeHost)]
    let accounts: AccountServices
    let institutions: InstitutionServices
    /// Makes the tokens of links in mails; `nil` if no mail is sent.
    let links: LinkKeys?
    /// Encrypts the secrets in the store that the server has to read again.
    let sealer: SecretSealer
    private let hasher: PasswordHasher

    /// Opens the store and creates the services over it; `serve` also passes the providers that vouch for people.
    ///
    /// - Parameters:
    ///   - observer: called with every commit.
    ///   - report: called with every event of a scheme's process, and the scheme's path.
    ///   - refusal: called with the reason why a provider did not vouch for a person.
    ///   - storeNews: called with news of the connection to a database server.
    ///   - mayBeGuest: whether the store may be opened while a server is running.
    ///   - groups: the control groups in which each scheme gets its own. Only the server passes them: making them moves
    ///     the process to another group, and a command would leave behind a group in which systemd can start nothing.
    init(
        _ given: ServerConfiguration, providers: [any IdentityProvider] = [], mayBeGuest: Bool = false,
        groups: [String] = [],
        observer: @escaping Commit.Observer = { _ in }, gathering: @escaping Commit.Gathering = { $0() },
        report: @escaping @Sendable (String, SchemeEvent) -> Void = { _, _ in },
        refusal: @escaping @Sendable (ProviderID, ProviderError) -> Void = { _, _ in },
        storeNews: @escaping @Sendable (PostgresStoreOptions.News) -> Void = { _ in }
    ) throws {
        var configuration = given
        (schemes, hosts) = try Self.schemes(configuration, groups: groups, report: report)
        if configuration.institutions.isEmpty { configuration.institutions = [.demo(schemes)] }
        self.configuration = configuration
        try Files.makeFolder(configuration.dataFolder)
        let store = try Self.open(
            configuration, mayBeGuest: mayBeGuest, observer: observer, gathering: gathering, storeNews: storeNews)
        self.store = store
        let pepper = try KeyFile(configuration).pepper()
        links = configuration.mail.map { _ in LinkKeys(pepper: pepper) }
        let institutions = InstitutionServices(
            store: store.institutions, check: .asking(schemes, on: LowPriorityThreads()), links: links,
            configured: configuration.institutionNames, clock: store.clock)
        self.institutions = institutions
        let names = ["gradecast"] + configuration.institutions.flatMap { [$0.slug, $0.title] }
        hasher = try PasswordHasher(pepper: pepper)
        sealer = SecretSealer(pepper: pepper)
        accounts = AccountServices(
            store: store.accounts, hasher: hasher,
            rules: PasswordRules(minimumLength: configuration.passwordLength, names: names),
            allowsSignUp: configuration.allowsSignUp, providers: providers, sealing: SealingKeys(pepper: pepper),
            sealer: sealer,
            issuer: configuration.publicURL.map { "Gradecast (\($0.authority))" } ?? "Gradecast",
            party: RelyingParty(configuration),
            administratorsNeedFactor: configuration.administratorsNeedFactor ?? true, links: links,
            clock: store.clock, vouching: VouchingRules(institutions), report: refusal,
            isStaff: { try await institutions.members.isStaff($0) })
    }

    /// Applies the membership rules of the configuration's providers; throws their faults.
    func useMembershipRules() throws {
        let rules = try MembershipRules(of: configuration, over: Self.stores(configuration))
        guard rules.findings.isEmpty else { throw Failure(rules.findings.joined(separator: "\n")) }
        institutions.grants.use(rules.byIssuer)
    }

    /// Ends every thread and process of the services, and closes the store.
    func close() async {
        await hasher.close()
        await store.close()
        for scheme in schemes.schemes { scheme.close() }
    }

    /// Returns the stores of the configuration. No other code names a kind of store.
    static func stores(
        _ configuration: ServerConfiguration,
        storeNews: @escaping @Sendable (PostgresStoreOptions.News) -> Void = { _ in }
    ) -> any DataStoreFactory {
        guard let database = configuration.postgreSQL else { return SQLiteStores(path: configuration.database) }
        var options = PostgresStoreOptions(database)
        options.report = storeNews
        return PostgresStores(options)
    }

    /// Copies a file into an empty database, or a database into a new file; returns both places and the number of rows.
    static func copyStore(
        _ database: ServerConfiguration.PostgreSQL, file: String, intoFile: Bool, progress: CopyProgress
    ) throws -> (places: (from: String, to: String), rows: Int) {
        let (file, server) = (SQLiteStores(path: file), PostgresStores(PostgresStoreOptions(database)))
        do {
            if intoFile {
                return ((server.place, file.place), try server.copy(to: file, progress: progress))
            } else {
                return ((file.place, server.place), try file.copy(to: server, progress: progress))
            }
        } catch let error as StoreError {
            throw Failure("Nothing was copied: \(error.explanation)")
        }
    }

    /// Opens only the store.
    static func open(
        _ configuration: ServerConfiguration, mayBeGuest: Bool = false,
        observer: @escaping Commit.Observer = { _ in }, gathering: @escaping Commit.Gathering = { $0() },
        storeNews: @escaping @Sendable (PostgresStoreOptions.News) -> Void = { _ in }
    ) throws -> DataStore {
        let stores = stores(configuration, storeNews: storeNews)
        do {
            return try stores.open(mayBeGuest: mayBeGuest, observer: observer, gathering: gathering)
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }

    /// The most work, in steps, for checking the laws of grading before publication: some seconds.
    private static let workOfLaws = 300_000_000

    /// Returns the laws broken by regulations that are about to be published; a time limit ends the check in any case.
    private static func faults(of rules: Rulebook) -> [Fault] {
        let start = ProcessorTime.ofThread()
        let meter = WorkMeter { ProcessorTime.ofThread() - start > 20_000_000_000 }
        return LawSuite(rules, work: workOfLaws, meter: meter).review().faults
    }

    /// The schemes that are compiled in.
    static var builtin: [InstalledScheme] {
        [
            InstalledScheme(Chalkboard.self), InstalledScheme(RoseHulman.self), InstalledScheme(IUT.self),
            .regulations { faults(of: $0) },
        ]
    }

    /// The names and checks that reading a configuration needs.
    static var vocabulary: ServerConfiguration.Vocabulary {
        let builtin = builtin
        return ServerConfiguration.Vocabulary(
            schemes: builtin.map(\.identifier.text), isSlug: { Slug($0) != nil }, isProvider: { ProviderID($0) != nil },
            isEmail: { (try? EmailAddress($0)) != nil }, program: NewProgram.form.schema.unnamed,
            programFaults: { program -> FaultList in
                // A scheme that runs in its own process is asked when the program is created.
                guard let scheme = builtin.first(where: { $0.identifier.text == program["scheme"]?.string }) else {
                    return FaultList()
                }
                do throws(FaultList) {
                    _ = try scheme.rulebook(
                        preset: program["preset"]?.string, configuration: program["configuration"] ?? .null)
                    return FaultList()
                } catch {
                    return error
                }
            })
    }

    /// Returns the schemes that the configuration names: compiled in, or in their own processes, which this starts and
    /// returns, too.
    static func schemes(
        _ configuration: ServerConfiguration, groups: [String] = [],
        report: @escaping @Sendable (String, SchemeEvent) -> Void = { _, _ in }
    ) throws -> (SchemeRegistry, [(scheme: String, host: SchemeHost)]) {
        var hosts: [(scheme: String, host: SchemeHost)] = []
        let builtin = builtin
        var registry = SchemeRegistry()
        for plugin in configuration.plugins {
            switch plugin {
            case .builtin(let name):
                guard let scheme = builtin.first(where: { $0.identifier.text == name }) else {
                    let known = builtin.map(\.identifier.text).joined(separator: ", ")
                    throw Failure("There is no builtin scheme \(name); there are \(known).")
                }
                try install(scheme, in: &registry)
            case .run(let path, let configured):
                var limits = SchemeLimits(configured)
                limits.secret = configuration.secretFiles
                limits.groups = groups
                let host = SchemeHost(path, limits: limits, report: { report(path, $0) })
                let scheme = try scheme(of: host)
                try install(scheme, in: &registry)
                hosts.append((scheme.identifier.text, host))
            }
        }
        return (registry, hosts)
    }

    private static func install(_ scheme: InstalledScheme, in registry: inout SchemeRegistry) throws {
        do {
            try registry.install(scheme)
        } catch {
            throw Failure("The scheme \(error.identifier) is installed twice.")
        }
    }

    /// Starts a scheme in its own process and asks for its description.
    private static func scheme(of host: SchemeHost) throws -> InstalledScheme {
        do {
            return try InstalledScheme(host)
        } catch {
            throw Failure("\(host.path) cannot be used as a scheme: \(error)")
        }
    }
}

extension RelyingParty {
    /// The server at its public address, or at `localhost` if it has none. `nil` if passkeys are turned off or browsers
    /// refuse them: over plain HTTP from elsewhere, or if the host is an IP address.
    fileprivate init?(_ configuration: ServerConfiguration) {
        guard configuration.offersPasskeys else { return nil }
        guard let url = configuration.publicURL else {
            self = .loopback
            return
        }
        let host = url.authority.name
        guard url.isSecure || host == "localhost", url.authority.address == nil else { return nil }
        self.init(host: host, origin: url.description)
    }
}

extension VouchingRules {
    /// Makes people members by what providers assert about them.
    fileprivate init(_ institutions: InstitutionServices) {
        self.init()
        let (grants, members) = (institutions.grants, institutions.members)
        offer = { try await members.makeOut($0, to: $1, at: $2.at) }
        heed = { account, assertion, act in
            try await grants.heed(assertion.claims, of: account, by: assertion.issuer, as: act)
        }
    }
}

extension SchemeLimits {
    /// Takes the limits that an operator has set.
    fileprivate init(_ configured: ServerConfiguration.ProcessLimits) {
        self.init()
        memory = configured.memoryMiB << 20
        deadline = .milliseconds(configured.deadlineMilliseconds)
        startTime = .seconds(configured.startSeconds)
        isConfined = configured.isConfined
        readable = configured.reads
    }
}

extension StoreError {
    /// The error in words for an operator.
    var explanation: String {
        switch self {
        case .unavailable(let why), .incompatible(let why): why
        case .full: "the disk is full"
        case .notFound: "not found"
        case .taken(let field): "\(field) is taken"
        case .versionConflict, .moved, .idempotencyMismatch: "changed meanwhile"
        }
    }
}
