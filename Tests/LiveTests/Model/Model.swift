import GradingKit
@testable import Live
import Shared

/// A whole node in one deterministic run: a store, loops with the real hub and readers, sockets that stall, clients
/// that come and go in every encoding, and a scheduler that lets any of it happen before any other, all drawn from one seed.
///
/// What happens off the loops takes two steps that anything may come between: looking at the truth, and bringing the
/// answer back. `run` throws dice for a while; `settle` then lets everything come to rest; `faults` says what
/// contradicts the guarantees.
final class Model {
    /// The algorithm, or one of its known mistakes.
    enum Variant {
        case correct
        /// Wake-ups are never lost, and nothing else is there to notice.
        case withoutSweep
        /// Wake-ups get lost, and nothing else is there to notice.
        case lossyWithoutSweep
        /// A topic only hears of updates once its first read is back.
        case readThenRegister
        /// What a read brings is sent as it is.
        case withoutVersionGuard
        /// The loops are not told of revocations.
        case deafToRevocations
        /// A revocation stops what is to be sent, but not what lies unwritten before the socket.
        case revokedStaysInBuffer
        /// `asOf` is the moment the sweep ended instead of the moment it began.
        case lateAsOf

        var sweeps: Bool { self != .withoutSweep && self != .lossyWithoutSweep && self != .readThenRegister }
        var losesWakes: Bool { self != .withoutSweep && self != .readThenRegister }
    }

    /// In which encodings clients come.
    enum Form: CaseIterable {
        case socket, stream, poll
    }

    enum Question {
        case token(ModelLoop.Connection, session: Int, Confirmation?, Authentication?)
        case permission(ModelLoop.Connection, PermissionRequest, Permission?)
        case read(ModelLoop, [ReadRequest], [ReadOutcome]?)
        case sweep(ModelLoop, SweepBatch, answer: TopicVersions??)
    }

    struct Revoking {
        let revocation: Revocation
        var loops: Int
        let account: Int
        let topic: Int?
    }

    let variant: Variant
    let forms: [Form]
    var dice: Dice
    var store: ModelStore
    var now: Int64 = 1_000_000
    var loops: [ModelLoop]
    var clients: [ModelClient]
    var connections: [ModelLoop.Connection?]
    var inbox: [(connection: ModelLoop.Connection, message: String)] = []
    var questions: [Question] = []
    var revoking: [Int: Revoking] = [:]
    var revokings = 0
    /// Rights and sessions whose revoking call has returned.
    var silenced: Set<ModelStore.Right> = []
    var silencedSessions: Set<Int> = []
    var sessions = 0
    var sweeping: Set<Int> = []
    var isCalm = false
    private var busyness = 14
    private(set) var faults: [String] = []

    init(seed: UInt64, variant: Variant = .correct, forms: [Form] = Form.allCases) {
        self.variant = variant
        self.forms = forms
        dice = Dice(seed: seed)
        store = ModelStore(accounts: 2)
        loops = (0..<2).map { ModelLoop(epoch: Epoch("e1"), seed: seed &+ UInt64($0)) }
        clients = (0..<3).map { ModelClient(account: $0 % 2, session: $0) }
        connections = clients.map { _ in nil }
        sessions = clients.count
    }

    var moment: Timestamp { Timestamp(microseconds: now) }

    func fault(_ text: String) { faults.append(text) }

    /// Throws dice for a while. Some runs are full of changes, some have few, so that the last one counts.
    func run() {
        busyness = 1 + dice.below(14)
        for _ in 0..<(100 + dice.below(400)) {
            now += Int64(dice.below(40)) * 1_000
            step()
        }
    }

    private func step() {
        switch dice.below(100) {
        case 0..<busyness: commit()
        case 14: if dice.one(in: 3) { delete() }
        case 15: if dice.one(in: 3) { restore() }
        case 16..<19: revokeRight()
        case 19: revokeSession()
        case 20..<22: grant()
        case 22: if variant.sweeps { store.isDown.toggle() }
        case 23: if dice.one(in: 3) { restartLoop() }
        case 24..<42: loopStep(dice.below(loops.count))
        case 42..<62: if !questions.isEmpty { questionStep(dice.below(questions.count)) }
        case 62..<72: clientSends(dice.below(clients.count))
        case 72..<80: if !inbox.isEmpty { deliver(dice.below(inbox.count)) }
        case 80..<86: writeSocket(dice.below(clients.count))
        case 86..<94: clientReads(dice.below(clients.count))
        case 94..<96: sweepStep(dice.below(loops.count))
        case 96: now += Int64(dice.below(12)) * 1_000_000
        case 97...: tick(dice.below(clients.count))
        default: break
        }
    }

    /// Lets everything that is under way end, the sweep included if there is one, until nothing moves.
    func settle() {
        isCalm = true
        store.isDown = false
        for round in 0..<60 {
            now += 1_000
            for client in clients.indices { reconnect(client) }
            while !inbox.isEmpty { deliver(0) }
            while !questions.isEmpty { questionStep(0) }
            for loop in loops.indices {
                while !loops[loop].mail.isEmpty || loops[loop].hub.hasWakes || loops[loop].hub.wantsReads {
                    loopStep(loop)
                }
                if round % 4 == 0 { sweepStep(loop) }
            }
            for client in clients.indices {
                while connections[client]?.unwritten.isEmpty == false { writeSocket(client) }
                while connections[client]?.wire.isEmpty == false || connections[client]?.isOver == true {
                    clientReads(client)
                }
            }
        }
        judge()
    }

    /// Convergence and freshness, once everything is at rest.
    private func judge() {
        for index in clients.indices {
            faults += clients[index].faults.map { "client \(index): \($0)" }
            guard let connection = connections[index] else {
                fault("client \(index) is not connected")
                continue
            }
            for topic in ModelStore.documents.indices {
                let mayRead = store.mayRead(
                    account: clients[index].account, session: clients[index].session, topic: topic)
                if connection.encoding.polled == nil, clients[index].subscribed.contains(topic) != mayRead {
                    fault("client \(index): subscribed to \(ModelStore.documents[topic]) is \(!mayRead)")
                }
                if mayRead, clients[index].held[topic] != store.newest(topic) {
                    fault(
                        "4: client \(index) holds \(String(describing: clients[index].held[topic])) of "
                            + "\(ModelStore.documents[topic]), newest is \(String(describing: store.newest(topic)))")
                }
            }
            if connection.encoding.polled == nil,
                connection.reader.subscriptionCount != clients[index].subscribed.count
            {
                fault("client \(index) and its reader disagree about its subscriptions")
            }
        }
        if variant.sweeps { judgeFreshness() }
    }

    /// After a silent half minute the next ping vouches for a moment at which everything was at rest.
    private func judgeFreshness() {
        let rest = now
        now += 1_000_000
        for loop in loops.indices {
            sweepStep(loop)
            while !questions.isEmpty { questionStep(0) }
        }
        now += 31_000_000
        for index in clients.indices where connections[index]?.encoding.polled == nil {
            tick(index)
            clientReads(index, all: true)
            if clients[index].lastAsOf ?? 0 < rest / 1_000 * 1_000 {
                fault("5: client \(index) is not told that all is fresh")
            }
        }
    }
}

/// The chance of a run.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: (state >> 33) % UInt64(max(1, bound)))
    }

    mutating func one(in bound: Int) -> Bool { below(bound) == 0 }
}
