import GradingKit
import Shared

@testable import Live

/// A loop with the real hub and three real readers of one collection, in one deterministic run: acts, wake-ups that get
/// lost, sockets that stall, clients that come back with what they hold, backups that come back.
///
/// A read takes two steps that anything may come between: looking at the truth, and bringing the answer back.
final class GridModel {
    /// The algorithm, or one of its known mistakes.
    enum Variant {
        case correct
        /// The version is read behind the rows.
        case rowsBeforeVersion
        /// Nothing is compared with the store.
        case withoutReconciliation
    }

    final class Connection {
        var reader: LiveReader
        var unwritten: [[UInt8]] = []

        init(_ reader: LiveReader) { self.reader = reader }
    }

    private enum Question {
        case read(ReadRequest, ReadOutcome?)
        case permission(SubscriberID, PermissionRequest)
    }

    static let topic = Topic.grid(ClassID("C"))
    private let variant: Variant
    /// Of a hundred wake-ups, how many are lost.
    private let losses: Int
    private var dice: Dice
    private var truth = GridTruth()
    private var hub: Hub
    private var table = SubscriberTable<Connection>()
    private var names: [SubscriberID?] = [nil, nil, nil]
    private var clients = [GridClient(), GridClient(), GridClient()]
    /// Clients that were told to ask again later.
    private var refused: Set<Int> = []
    private var questions: [Question] = []
    private var isDown = false
    private let now = Timestamp(microseconds: 1_000_000)
    private(set) var faults: [String] = []

    init(seed: UInt64, variant: Variant = .correct, losses: Int) {
        self.variant = variant
        self.losses = losses
        dice = Dice(seed: seed)
        var limits = LiveLimits()
        limits.slice = 2
        limits.documentBytes = 512
        hub = Hub(epoch: Epoch("e1"), limits: limits, seed: seed) { "/\($0)" }
    }

    func run() {
        for _ in 0..<(100 + dice.below(300)) { step() }
        settle()
    }

    private func step() {
        switch dice.below(100) {
        case 0..<12: act()
        case 12: if dice.one(in: 4), variant != .withoutReconciliation { truth.restore(losing: dice.below(4)) }
        case 13: isDown.toggle()
        case 14..<20: connect(dice.below(3))
        case 20..<24: leave(dice.below(3))
        case 24..<50: loopStep()
        case 50..<75: if !questions.isEmpty { questionStep(dice.below(questions.count)) }
        case 75..<94: write(dice.below(3))
        case 94: askAgain()
        case 95..<97: if variant != .withoutReconciliation { sweep() }
        default: break
        }
    }

    /// Everything under way ends; then one reconciliation has to make good whatever was lost.
    private func settle() {
        isDown = false
        for client in names.indices { connect(client) }
        calm()
        if variant != .withoutReconciliation { sweep() }
        askAgain()
        calm()
        for (index, client) in clients.enumerated() {
            faults += client.faults.map { "client \(index): \($0)" }
            if client.place != truth.revision {
                faults.append("client \(index) holds \(String(describing: client.place)), not \(truth.revision)")
            }
            if client.shown.mapValues(\.text) != truth.all { faults.append("client \(index) shows other rows") }
        }
    }

    private func calm() {
        var rounds = 0
        while rounds < 2 {
            let before = (questions.count, hub.hasWakes, hub.wantsReads)
            while hub.hasWakes || hub.wantsReads { loopStep() }
            while !questions.isEmpty { questionStep(0) }
            for client in names.indices { while write(client) {} }
            let isCalm = before == (0, false, false) && questions.isEmpty && !hub.hasWakes && !hub.wantsReads
            rounds = isCalm ? rounds + 1 : 0
        }
    }

    // MARK: The store

    private func act() {
        truth.act(&dice)
        guard dice.below(100) >= losses else { return }
        hub.publish(TopicUpdate(topic: Self.topic, revision: truth.revision, change: .rows))
    }

    private func read(_ request: ReadRequest) -> ReadOutcome {
        if isDown { return .failed }
        return switch request.kind {
        case .version: .version(truth.revision)
        case .rows(let cursor): .rows(truth.rows(at: cursor))
        case .document: .failed
        }
    }

    private func sweep() {
        var isOver = false
        while !isOver {
            let batch = hub.nextSweepBatch(at: now)
            let versions = batch.topics.map { _ -> Version? in truth.state.version }
            isOver = hub.finish(batch, isDown ? nil : TopicVersions(epoch: truth.epoch, versions: versions))
        }
    }

    // MARK: The loop

    private func loopStep() {
        if hub.hasWakes {
            if let wake = hub.nextWake() { handle(.changed(wake.topicID), wake.subscriber) }
        } else if hub.wantsReads {
            questions += hub.takeReads().map { .read($0, nil) }
        }
    }

    private func questionStep(_ index: Int) {
        switch questions[index] {
        case .permission(let id, let request):
            questions.remove(at: index)
            handle(.authorised(request, .granted), id)
        case .read(let request, nil): questions[index] = .read(request, read(request))
        case .read(let request, let outcome?):
            questions.remove(at: index)
            hub.finish(request, late(outcome, request))
        }
    }

    /// For the known mistake: the rows as they were, under a version that was read behind them.
    private func late(_ outcome: ReadOutcome, _ request: ReadRequest) -> ReadOutcome {
        guard variant == .rowsBeforeVersion, case .rows(let rows?) = outcome, case .rows(let cursor) = request.kind,
            cursor.version == nil, rows.revision.epoch == truth.epoch
        else { return outcome }
        return .rows(
            LiveRows(revision: truth.revision, structure: rows.structure, items: rows.items, next: rows.next))
    }

    private func handle(_ event: ReaderEvent, _ id: SubscriberID) {
        guard let connection = table[id] else { return }
        var actions: [ReaderAction] = []
        connection.reader.handle(event, at: now, in: &hub, do: &actions)
        for action in actions {
            switch action {
            case .send(let message): connection.unwritten.append(message.text(hub.limits))
            case .authenticate:
                let identity = LiveIdentity(
                    account: AccountID("a"), session: SessionID("s"), expires: Timestamp(microseconds: .max))
                handle(.authenticated(.identity(identity)), id)
            case .authorise(let request): questions.append(.permission(id, request))
            case .close, .cut, .accept, .confirm: faults.append("\(action)")
            }
        }
    }

    // MARK: The clients

    private func connect(_ client: Int) {
        guard names[client] == nil else { return }
        let id = table.reserve()
        table[id] = Connection(LiveReader(id, at: now, in: &hub))
        names[client] = id
        refused.remove(client)
        clients[client].connected()
        handle(.text(Array(#"{"t":"hello","token":"t"}"#.utf8)), id)
        subscribe(client)
    }

    private func askAgain() {
        for client in refused.sorted() { subscribe(client) }
        refused = []
    }

    private func subscribe(_ client: Int) {
        guard let id = names[client] else { return }
        let have = clients[client].place.map { #","have":{"e":"\#($0.epoch)","v":\#($0.version)}"# } ?? ""
        handle(.text(Array(#"{"t":"sub","topic":"\#(Self.topic)"\#(have)}"#.utf8)), id)
    }

    private func leave(_ client: Int) {
        guard let id = names[client] else { return }
        handle(.closed, id)
        table.remove(id)
        names[client] = nil
    }

    /// The client reads one message; whether there was one.
    @discardableResult
    private func write(_ client: Int) -> Bool {
        guard let id = names[client], let connection = table[id], !connection.unwritten.isEmpty else { return false }
        let bytes = connection.unwritten.removeFirst()
        if connection.unwritten.count > 8 { faults.append("\(connection.unwritten.count) messages wait") }
        guard let message = try? JSON.parse(bytes), let type = message["t"]?.string else { return false }
        switch type {
        case "rows": clients[client].read(message)
        case "end":
            clients[client].end()
            subscribe(client)
        case "error": refused.insert(client)
        default: break
        }
        if connection.unwritten.isEmpty { handle(.flushed, id) }
        return true
    }
}
