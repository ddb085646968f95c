import Live
import Shared

/// A cluster in one deterministic run: nodes with the real hub, readers, caches and leases, a database, clients that come
/// and go, and between them delays, losses, partitions, pauses, crashes and clocks that differ, all drawn from one seed.
///
/// Faults happen for a while; then all is calm, and everything must come right. `faults` says what contradicts the
/// promises.
package final class Cluster {
    let mistake: Mistake?
    var chance: Chance
    var agenda = Agenda()
    var now: Int64 = 1_000_000
    var database = Database()
    /// Whether the database takes questions.
    var databaseIsUp = true
    /// Rises with every crash of the database; transactions of an earlier life are lost.
    var databaseLife = 0
    var nodes: [Node] = []
    var clients: [Client] = []
    var sessions = 0
    var keys = 0
    var claims = 0
    /// Keys of the changes that were acknowledged.
    var acknowledged: [Int] = []
    /// When the call returned that took a right, or ended a session, and on which node.
    var silenced: [Database.Right: (at: Int64, node: Int)] = [:]
    var silencedSessions: [Int: (at: Int64, node: Int)] = [:]
    var isCalm = false
    package private(set) var faults: [String] = []
    /// How much happened, to see that runs are not empty.
    package internal(set) var events = 0

    /// How long faults happen, and how long all is calm then, in microseconds.
    static let turmoil: Int64 = 60_000_000
    static let calm: Int64 = 120_000_000

    package init(seed: UInt64, mistake: Mistake? = nil) {
        self.mistake = mistake
        chance = Chance(seed: seed)
        for number in 0..<(2 + chance.below(2)) {
            let offset = Int64(chance.below(20_001) - 10_000) * 1_000
            nodes.append(Node(number, offset: offset, epoch: database.epoch, place: 0, at: now))
        }
        for number in 0..<4 {
            clients.append(Client(number, account: number % 2, session: number))
            sessions += 1
        }
        for account in 0..<2 {
            for document in Database.documents.indices {
                database.rights.insert(Database.Right(account: account, document: document))
            }
        }
    }

    func fault(_ text: String) {
        if faults.count < 20 { faults.append(text) }
    }

    /// Runs all of it.
    package func run() {
        for node in nodes { begin(node) }
        for client in clients { live(client) }
        accident()
        write()
        administer()
        agenda.plan(at: now + Self.turmoil) { [unowned self] in endFaults() }
        let end = now + Self.turmoil + Self.calm
        while let (moment, act) = agenda.next(), moment <= end {
            now = max(now, moment)
            events += 1
            act()
        }
        judge()
    }

    // MARK: Time

    func after(_ time: Int64, _ act: @escaping () -> Void) { agenda.plan(at: now + time, act) }

    /// Plans something on a node, which is void if the node dies meanwhile and waits while it is paused.
    func on(_ node: Node, after time: Int64, _ act: @escaping () -> Void) {
        let life = node.life
        agenda.plan(at: now + time) {
            guard node.isUp, node.life == life else { return }
            if node.isPaused { node.deferred.append(act) } else { act() }
        }
    }

    /// Runs something on a node again and again.
    func every(_ interval: Int64, on node: Node, _ act: @escaping () -> Void) {
        on(node, after: interval / 2 + Int64(chance.below(Int(interval)))) { [unowned self] in
            act()
            every(interval, on: node, act)
        }
    }

    // MARK: The database

    /// One transaction of a node. `answer` gets `nil` when none came: then it may have been committed or not.
    func ask<Value>(
        _ node: Node, _ transaction: @escaping (inout Database) -> Value, answer: @escaping (Value?) -> Void
    ) {
        let lost: Int64 = 1_000_000
        let life = databaseLife
        after(chance.delay()) { [unowned self] in
            guard databaseIsUp, databaseLife == life, !node.isCutOff else {
                return on(node, after: lost) { answer(nil) }
            }
            let value = transaction(&database)
            after(chance.delay()) { [unowned self] in
                let isLost = !databaseIsUp || databaseLife != life || node.isCutOff
                on(node, after: isLost ? lost : 0) { answer(isLost ? nil : value) }
            }
        }
    }
}
