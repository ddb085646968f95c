import API
import Accounts
import Application
import Configuration
import Cryptography
import DataStore
import Glibc
import GradingKit
import GradingLaws
import HTTP
import Live
import Observability
import PostgresStore
import Records
import SQLiteStore
import SchemeHost
import SchemeSandbox
import Shared
import Transport
import WebServer
import WebhookSender

/// The running server. Its parts are stopped in the reverse order of their start.
struct Service {
    private let configuration: ServerConfiguration
    private let isDemo: Bool
    private let isInsecure: Bool
    private let output: LogOutput
    private let log: Log
    private let manager = ServiceManager()
    private let ending = StoreEnd()

    init(_ configuration: ServerConfiguration, isDemo: Bool, isInsecure: Bool = false) throws {
        self.configuration = configuration
        self.isDemo = isDemo
        self.isInsecure = isInsecure
        output = try .standardError(time: { WallClock.system.now.description })
        log = Log(level: LogLevel(rawValue: configuration.logLevel) ?? .info, output: output)
    }

    /// Serves until SIGTERM or SIGINT. Then lets all connections end, closes the store and writes the rest of the log.
    func run(until stop: StopSignal) async throws {
        do {
            try await serve(until: stop)
        } catch {
            await output.close(within: Self.flushTime)
            throw error
        }
        await output.close(within: Self.flushTime)
    }

    /// The longest time that the program waits at its end for a log that nobody reads.
    private static let flushTime = Duration.seconds(2)

    private func serve(until stop: StopSignal) async throws {
        // From here on, SIGHUP asks for a reload and does not stop the server.
        stop.onHangup { [log] in log.info("nothing to reload") }
        let sockets = try ServerSockets(configuration, loops: loopCount)
        let broadcaster = CommitBroadcaster()
        let providers = try SignInProviders(configuration)
        let mail = try MailServer(configuration)?.connection()
        let webhooks = WebhookSender(allowing: configuration.webhookNetworks)
        let installation = try Installation(
            configuration, providers: providers.all, groups: schemeGroups,
            observer: { commit in
                broadcaster.committed(commit.records, commit.events)
                if commit.queuesMails { mail?.signal.send() }
            },
            gathering: { broadcaster.gather($0) },
            report: { [log] path, event in log.scheme(path, event) },
            refusal: { [log] provider, error in log.signIn(provider, error) },
            storeNews: { [log, ending] news in
                log.store(news)
                guard case .ended(let why) = news else { return }
                ending.reason = why
                stop.raise()
            })
        do {
            try ExecutableReview(
                of: installation.schemes.schemes, over: Installation.stores(installation.configuration))?.check()
            let isPrepared = try await begin(with: installation)
            try warnOfFormerNames(installation.configuration)
            try await serve(
                installation, isPrepared: isPrepared, providers.standIn, mail, webhooks, broadcaster, at: sockets,
                until: stop)
        } catch {
            await installation.close()
            await providers.close()
            await mail?.close()
            await webhooks.close()
            throw error
        }
        await installation.close()
        await providers.close()
        await mail?.close()
        await webhooks.close()
        log.info("stopped")
        if let why = ending.reason { throw Failure("The store cannot be served: \(why).", status: .storeReplaced) }
    }

    /// Creates what the configuration names and a demonstration needs, on one server of a store at a time.
    private func prepare(_ installation: Installation) async throws {
        do {
            try await Installation.stores(installation.configuration).inTurn {
                try await Provisioner(installation: installation).provide()
                if isDemo { try await Demonstration(installation: installation).prepare() }
            }
        } catch let error as StoreError where error != .full {
            throw Failure(error.explanation)
        }
    }

    /// Prepares the installation, and applies the configuration's rules; returns whether all of that is done.
    ///
    /// If the disk is full, the server still answers reads; `catchUp` creates what is missing later.
    private func begin(with installation: Installation) async throws -> Bool {
        do {
            try await prepare(installation)
            try installation.useMembershipRules()
            if installation.store.upkeep.obstacle == nil { return true }
        } catch StoreError.full {
            // A rule may name an institution that does not exist yet.
            try? installation.useMembershipRules()
        }
        log.error(
            "the store is read, and takes no changes for now",
            [
                "store": .text(Installation.stores(installation.configuration).place),
                "obstacle": .text(installation.store.upkeep.obstacle ?? StoreError.full.explanation),
            ])
        return false
    }

    /// How long to wait before checking for disk space again.
    private static let pauseWithoutRoom = Duration.seconds(5)

    /// Creates what the start had no disk space for, once there is some; ends if the task is cancelled.
    private func catchUp(_ installation: Installation, at address: SocketAddress) async {
        while !Task.isCancelled {
            if await installation.store.upkeep.checkWritable() {
                do {
                    try await prepare(installation)
                    try installation.useMembershipRules()
                    try await announceFirstAdministrator(installation, at: address)
                    return log.info("the store takes changes")
                } catch StoreError.full {
                    // The disk is full again.
                } catch {
                    return log.error("what the configuration names cannot be made", ["error": .text("\(error)")])
                }
            }
            try? await Task.sleep(for: Self.pauseWithoutRoom)
        }
    }

    private func warnOfFormerNames(_ configuration: ServerConfiguration) throws {
        for name in try configuration.formerNames(over: Installation.stores(configuration)) {
            log.warning(
                "the configuration names an institution by a former short name",
                ["former": .text(name.former), "now": .text(name.now)])
        }
    }

    /// The control groups for schemes, created only if a scheme needs one.
    private var schemeGroups: [String] {
        let runsSchemes = configuration.plugins.contains { if case .run = $0 { true } else { false } }
        return runsSchemes ? ControlGroups.available : []
    }

    private func serve(
        _ installation: Installation, isPrepared: Bool, _ standIn: ProviderStandIn?,
        _ mail: MailServer.Connection?, _ webhooks: WebhookSender, _ broadcaster: CommitBroadcaster,
        at sockets: ServerSockets, until stop: StopSignal
    ) async throws {
        let drain = Drain()
        let identity = try TLSIdentity(configuration)
        let group = try EventLoopGroup(count: loopCount, batchesSends: configuration.batchesSends)
        let metrics = Metrics()
        if let identity { metrics.register(identity) }
        for (scheme, host) in installation.hosts { metrics.register(host, of: scheme) }
        let courier = mail?.courier(over: installation, metrics, log)
        let useCases = useCases(over: installation, metrics, courier, webhooks)
        let gradecast = try await Gradecast(
            parts(installation.store, useCases, standIn, drain, metrics), policy: policy, loops: group.loops,
            broadcaster: broadcaster, clock: installation.store.clock)
        let server = WebServer(
            listeningAt: sockets.main, on: group.loops, securedBy: identity, responder: gradecast.responder,
            settings: Settings(configuration),
            report: { [log] event in log.warning("listener", ["event": .text("\(event)")]) })
        metrics.register(server)
        let management = WebServer(
            listeningAt: sockets.management, on: group.loops, responder: gradecast.management,
            settings: .management)
        if let identity { stop.onHangup { reload(identity) } }
        let living = Task { await gradecast.run() }
        let heeding = Task { await installation.store.upkeep.heedOthers(broadcaster.others) }
        let running = Task { try await server.run() }
        let managing = Task { try await management.run() }
        let watched = Task { await manager?.keepTelling { await isWell(gradecast, installation.store) } }
        if isPrepared { try await announceFirstAdministrator(installation, at: server.address) }
        let catching = isPrepared ? nil : Task { await catchUp(installation, at: server.address) }
        announce(server.address, management.address, group)
        manager?.tell(.ready("Listening on \(scheme)://\(server.address)"))
        await stop.wait()
        manager?.tell(.stopping)
        drain.begin()
        // The store has ended and no request can be answered, so do not wait for clients to leave.
        let isOver = ending.reason != nil
        if !isOver { await giveNotice() }
        let timeLeft = isOver ? 0 : configuration.limits.drainSeconds
        sayWhatIsWaitedFor(await gradecast.census().readers, for: timeLeft)
        gradecast.drain(within: .seconds(timeLeft))
        running.cancel()
        try await running.value
        managing.cancel()
        try await managing.value
        catching?.cancel()
        living.cancel()
        heeding.cancel()
        await catching?.value
        await living.value
        await heeding.value
        watched.cancel()
        await watched.value
        await group.shutdown()
    }

    /// Returns whether the store and every event loop answer. A store that cannot be written is no reason for a
    /// restart.
    private func isWell(_ gradecast: Gradecast, _ store: DataStore) async -> Bool {
        _ = await gradecast.census()
        return await store.upkeep.isReadable()
    }

    private func useCases(
        over installation: Installation, _ metrics: Metrics, _ courier: MailCourier?, _ webhooks: WebhookSender
    ) -> UseCases {
        let store = installation.store
        let parts = UseCases.Parts(
            accounts: installation.accounts, institutions: installation.institutions, records: store.records,
            gradebook: store.gradebook,
            mounting: { rules, kind in
                LawSuite(rules, records: 100, work: 60_000_000).counterexample(toMounting: kind)
                    .map { MountingObstacle(figure: $0.figure, of: $0.figureKind) }
            },
            projections: store.projections, answers: store.answers, copies: store.copies,
            work: ProgramWork.Stores(
                browser: store.browser, bulkChanges: store.bulkChanges, rehearsals: store.rehearsals,
                imports: store.imports, gradebook: store.gradebook),
            people: store.people, audit: store.audit, schemes: installation.schemes, regulations: RegulationDesk(),
            lowPriority: LowPriorityThreads(), metrics: metrics, log: log, courier: courier,
            webhooks: WebhookParts(store: store.webhooks, transport: webhooks, sealer: installation.sealer),
            tellOthers: { store.upkeep.tellOthers($0) })
        var limits = UseCases.Limits()
        limits.writes = (configuration.limits.writesPerSecond, configuration.limits.writeBurst)
        limits.evaluationsPerSecond = configuration.limits.evaluationsPerSecond
        // Half the number of loops, so that calculations leave room for everything else even if thread priorities have
        // little effect.
        limits.calculationsAtOnce = loopCount / 2
        limits.letsPeopleShare = configuration.letsPeopleShare
        limits.sendsToWebhooks = configuration.sendsToWebhooks
        limits.keepDays = configuration.keepDays
        return UseCases(parts, limits: limits, clock: store.clock)
    }

    private func parts(
        _ store: DataStore, _ useCases: UseCases, _ standIn: ProviderStandIn?, _ drain: Drain, _ metrics: Metrics
    ) throws -> Gradecast.Parts {
        metrics.registerProcess()
        metrics.registerProgram()
        metrics.counter("gradecast_log_dropped_lines_total", "Lines of the log that were dropped or not written") {
            Double(output.droppedLines)
        }
        if store.projections.hasOtherWriters {
            let news = store.records.accessNews
            metrics.gauge(
                "gradecast_nodes_log_lag_seconds", "Seconds since the log of the nodes was last read to its end"
            ) { news.followedAgo / .seconds(1) }
        }
        metrics.register(store.upkeep)
        // Of PostgreSQL's disk, which may be another machine's, nothing is known here.
        if configuration.postgreSQL == nil {
            metrics.registerFreeSpace(beside: configuration.database)
            metrics.registerTime(
                of: SQLiteStores.markOfBackup(of: configuration.database),
                as: "gradecast_last_backup_timestamp_seconds",
                "When the last backup was complete, in seconds since 1970; 0 if there was none")
        }
        return Gradecast.Parts(
            useCases: useCases, epoch: store.epoch,
            readiness: Readiness {
                if drain.hasBegun { return "The server is about to stop" }
                guard await !store.upkeep.checkWritable() else { return nil }
                return store.upkeep.obstacle.map { "The store does not take changes: \($0)" }
                    ?? "The store does not take changes"
            }, metrics: metrics, log: log, requests: requestLog, web: try .installed(by: configuration, log),
            version: Program.version, standIn: standIn)
    }

    /// Its lines are written whatever the level of the log is.
    private var requestLog: RequestLog? {
        switch configuration.loggedRequests {
        case .off: nil
        case .errors: RequestLog(Log(level: .info, output: output), onlyErrors: true)
        case .all: RequestLog(Log(level: .info, output: output), onlyErrors: false)
        }
    }

    private var policy: Gradecast.Policy {
        var policy = Gradecast.Policy()
        policy.origins = configuration.origins + [configuration.publicURL?.description].compactMap { $0 }
        policy.publicAddress = configuration.publicURL?.description
        policy.door = configuration.door(isInsecure: isInsecure)
        policy.managementDoor = configuration.managementDoor
        policy.exemptsLoopback = isDemo
        policy.signUpsPerMinute = configuration.limits.signUpsPerMinute
        policy.timeout = .seconds(configuration.limits.requestSeconds)
        policy.live.compresses = configuration.compressesLive
        policy.live.topics = configuration.limits.subscriptions
        policy.live.documentBytes = configuration.limits.documentBytes
        policy.live.connectionsPerAccount = configuration.limits.connectionsPerAccount
        policy.live.guestsPerAddress = configuration.limits.guestsPerAddress
        return policy
    }

    private var loopCount: Int { configuration.loops == 0 ? EventLoopGroup.coreCount : configuration.loops }

    /// Says why stopping takes its time, and how to hurry it.
    private func sayWhatIsWaitedFor(_ readers: Int, for seconds: Int) {
        log.info("draining", ["readers": .integer(readers), "seconds": .integer(seconds)])
        guard readers > 0, seconds > 0 else { return }
        Console.say(
            "Stopping. Live readers have \(seconds) s to leave (\(readers) now). "
                + "A second signal (Ctrl-C) stops at once.")
    }

    /// Keeps serving while `/readyz` already reports the stop, so that a load balancer sends its requests elsewhere
    /// before any is refused.
    private func giveNotice() async {
        guard configuration.limits.noticeSeconds > 0 else { return }
        log.info("about to stop", ["seconds": .integer(configuration.limits.noticeSeconds)])
        try? await Task.sleep(for: .seconds(configuration.limits.noticeSeconds))
    }

    private func announce(_ address: SocketAddress, _ management: SocketAddress, _ group: EventLoopGroup) {
        Console.say("Gradecast \(Program.version) listening on \(scheme)://\(address)")
        Console.say("Metrics and readiness on http://\(management)")
        log.info(
            "serving",
            [
                "address": .text(address.description), "management": .text(management.description),
                "loops": .integer(group.loops.count), "batchedSends": .flag(group.loops.allSatisfy(\.batchesSends)),
            ])
        if configuration.isNameless {
            log.warning("others are not answered: name the hosts of this server in publicUrl or listen.names")
        }
    }

    private func announceFirstAdministrator(_ installation: Installation, at address: SocketAddress) async throws {
        guard let token = try await installation.accounts.administration.firstAdministratorToken() else { return }
        Console.say("There is no administrator yet. Make one with this link, which holds once, within a day:")
        Console.say("  \(link(address))/first#\(token.text)")
    }

    /// Returns the address to open in a browser: the public one, or else one of this machine.
    private func link(_ address: SocketAddress) -> String {
        if let publicURL = configuration.publicURL { return publicURL.description }
        let isEverywhere = IPAddress(bytes: address.ip)?.isUnspecified == true
        return "\(scheme)://\(isEverywhere ? "localhost:\(address.port)" : address.description)"
    }

    private var scheme: String { configuration.tls == nil ? "http" : "https" }

    /// Presents a renewed certificate to new connections; an invalid one changes nothing.
    private func reload(_ identity: TLSIdentity) {
        manager?.tell(.reloading)
        defer { manager?.tell(.ready("Reloaded")) }
        do {
            try configuration.tls?.checkKey()
            try identity.reload()
            log.info("certificate reloaded")
        } catch {
            log.error("the certificate cannot be reloaded; the old one stays", ["error": .text("\(error)")])
        }
    }
}

extension CommitBroadcaster {
    /// Passes on news from other nodes of the store.
    fileprivate var others: OtherNodes {
        OtherNodes(heard: { self.heard($0) }, lostTrack: { self.lostTrack() })
    }
}
