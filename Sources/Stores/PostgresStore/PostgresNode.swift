import DataStore
import Database
import Glibc
import PostgreSQL
import RelationalStore
import Shared
import Synchronization

/// What one node knows of the others over the same database: it follows their log, tells them of its own changes, and
/// measures the store's clock.
///
/// One connection does all of that, on a thread of its own: it listens for notifications, sends this node's, and reads the
/// log a few times a second whether it was woken or not. Nothing waits for it: when the connection ends, it is made again,
/// and what this node keeps in memory is trusted no longer than ``LogReading/trust``.
final class PostgresNode: Sendable {
    /// The channel of the notifications between nodes.
    private static let channel = "gradecast_nodes"
    /// How often old entries of the log are deleted, and the database is measured.
    private static let tidying = Duration.seconds(60)

    private struct State {
        var queue = WakeUpQueue()
        var reading: LogReading
        var interrupter: PostgreSQLInterrupter?
        /// Who is told of other nodes, while they are followed.
        var others: OtherNodes?
        var isStopping = false
    }

    /// The node's name, which it also has as a writer.
    let name: String
    private let epoch: Epoch
    private let ended: @Sendable (String) -> Void
    private let options: PostgresStoreOptions
    private let news: AccessNews
    private let observer: Commit.Observer
    private let state: Mutex<State>
    private let offset: Mutex<ClockOffset>
    /// Whether other nodes are serving: if not, nothing is sent.
    private let hasOthers = Atomic(false)
    private let measured: Atomic<Int>
    private let now = ContinuousClock()

    /// Reads where the log ends, the store's time and its size.
    ///
    /// - Parameter ended: called when the database tells another history than that of the epoch.
    init(
        _ name: String, of epoch: Epoch, over connection: Connection, _ options: PostgresStoreOptions, news: AccessNews,
        observer: @escaping Commit.Observer, ended: @escaping @Sendable (String) -> Void
    ) throws {
        self.name = name
        self.epoch = epoch
        self.ended = ended
        self.options = options
        self.news = news
        self.observer = observer
        let log = NodeLog(connection)
        let begun = now.now
        state = Mutex(State(reading: LogReading(at: try log.end(), readAt: begun)))
        var offset = ClockOffset()
        let asked = WallClock.system.now
        offset.measure(try log.time(), askedAt: asked, answeredAt: WallClock.system.now)
        self.offset = Mutex(offset)
        measured = Atomic(try connection.databaseSize())
        // Until the log is followed.
        news.follow(until: begun)
    }

    /// The store's clock.
    var clock: WallClock {
        WallClock { [self] in
            Timestamp(microseconds: WallClock.system.now.microseconds &+ offset.withLock { $0.microseconds })
        }
    }

    /// The number of bytes of the database when it was last measured.
    var size: Int { measured.load(ordering: .relaxed) }

    /// The number of the last entry of the log that was taken in.
    var place: Int { state.withLock { $0.reading.place } }

    /// Tells the other nodes of changes. Quick: the writer waits for it.
    func tellOthers(_ wakeUps: some Sequence<WakeUp>) {
        guard hasOthers.load(ordering: .relaxed) else { return }
        state.withLock { state in
            for wakeUp in wakeUps { state.queue.add(wakeUp) }
            return state.interrupter
        }?.interrupt()
    }

    /// Passes on what this node's writer has committed: here, and to the other nodes.
    ///
    /// A node that was paused may write before it knows what others took away meanwhile. Its readers are then told that
    /// the documents have changed, and get them once that is known.
    func committed(_ commit: Commit) {
        let wakeUps = commit.wakeUps
        if !news.isFollowed, let others = state.withLock({ $0.others }) {
            let events = commit.events.filter { !$0.isClassChange }
            observer(Commit(records: [], events: events, queuesMails: commit.queuesMails))
            others.heard(wakeUps)
        } else {
            observer(commit)
        }
        tellOthers(wakeUps)
    }

    /// Ends ``run(_:)`` soon.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            return state.interrupter
        }?.interrupt()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Follows the other nodes until ``stop()``.
    func run(_ others: OtherNodes) {
        state.withLock { $0.others = others }
        while !isStopping {
            do {
                let connection = try options.connectToListen()
                state.withLock { $0.interrupter = connection.interrupter }
                defer { state.withLock { $0.interrupter = nil } }
                try follow(over: connection, others)
            } catch {
                // The writer reports that the database is away. What is in memory is soon trusted no longer.
                usleep(useconds_t(options.reconnectDelay / .microseconds(1)))
            }
        }
    }

    private func follow(over connection: PostgreSQLConnection, _ others: OtherNodes) throws {
        guard try DatabaseHistory.isServed(as: epoch, on: Connection(connection)) else {
            stop()
            return ended(DatabaseHistory.isAnother)
        }
        try connection.listen(Self.channel)
        // What was told before is not known.
        others.heard([.everything])
        var (nextRead, nextTidying, dropped) = (now.now, now.now + Self.tidying, 0)
        while !isStopping {
            if now.now >= nextRead {
                nextRead = now.now + LogReading.interval
                try read(over: connection, others)
            }
            if now.now >= nextTidying {
                nextTidying = now.now + Self.tidying
                try NodeLog(Connection(connection)).tidy()
                measured.store(try Connection(connection).databaseSize(), ordering: .relaxed)
            }
            let (messages, due) = state.withLock { ($0.queue.take(at: now.now), $0.queue.due(at: now.now)) }
            for message in messages { try connection.notify(Self.channel, message) }
            let came = try connection.waitForNotifications(until: min(nextRead, due ?? nextRead))
            var wakeUps = came.filter { $0.sender != connection.processID }.flatMap { WakeUp.wakeUps(in: $0.payload) }
            if connection.droppedNotifications > dropped {
                dropped = connection.droppedNotifications
                wakeUps.append(.everything)
            }
            guard !wakeUps.isEmpty else { continue }
            // What takes permissions away comes before what may be read.
            if !Set(wakeUps).isDisjoint(with: [.log, .everything]) { try read(over: connection, others) }
            others.heard(wakeUps)
        }
    }

    /// Takes in the log up to its end, and reports that.
    private func read(over connection: PostgreSQLConnection, _ others: OtherNodes) throws {
        let log = NodeLog(Connection(connection))
        var reading = state.withLock { $0.reading }
        while true {
            let asked = now.now
            let entries = try log.entries(after: reading.place, limit: LogReading.slice)
            take(entries, others)
            let outcome = reading.note(entries.map(\.number), readAt: asked)
            state.withLock { [reading] in $0.reading = reading }
            if outcome.isLost { lostTrack(others) }
            guard let end = outcome.trustedUntil else { continue }
            news.follow(until: end)
            break
        }
        let asked = WallClock.system.now
        let report = try log.report(name, heard: reading.place)
        let answered = WallClock.system.now
        offset.withLock { $0.measure(report.now, askedAt: asked, answeredAt: answered) }
        hasOthers.store(report.hasOthers, ordering: .relaxed)
    }

    private func take(_ entries: [NodeLog.Entry], _ others: OtherNodes) {
        var events: [StoreEvent] = []
        for entry in entries where entry.writer != name {
            switch Notice(text: entry.notice) {
            case .event(let event)?: events.append(event)
            case .altered(let subject)?: news.tell(of: subject)
            // A newer node wrote it, and it may concern anything.
            case nil: lostTrack(others)
            }
        }
        if !events.isEmpty { observer(Commit(records: [], events: events)) }
    }

    private func lostTrack(_ others: OtherNodes) {
        news.tellOfEverything()
        others.lostTrack()
    }
}

extension Connection {
    /// Returns the number of bytes that the database takes, without the log of the server, which is all databases' own.
    fileprivate func databaseSize() throws -> Int {
        try first("SELECT pg_database_size(current_database())") { $0.integer(0) } ?? 0
    }
}

extension StoreEvent {
    fileprivate var isClassChange: Bool { if case .classChanged = self { true } else { false } }
}
