import GradingKit
import Shared
import Testing

@testable import Live

/// Three loops of a node with the real boards: people come, move, change roles and go while news between the loops get lost.
/// After one sweep all loops show the same people in the same cells.
private struct PresenceModel {
    static let topics = [Topic.grid(ClassID("C")), Topic.grid(ClassID("D"))]

    private struct Connection {
        let id: SubscriberID
        let loop: Int
        let topic: Topic
        let account: Int
        /// Where its person is and since when; `nil` for one that has said nothing.
        var row: Int?
    }

    private var dice: Dice
    private let losses: Int
    private var boards = [PresenceBoard(), PresenceBoard(), PresenceBoard()]
    private var tables = [SubscriberTable<Int>(), SubscriberTable<Int>(), SubscriberTable<Int>()]
    private var mail: [(to: Int, from: Int, news: PresenceNews)] = []
    private var connections: [Connection] = []
    private var now = Timestamp(microseconds: 0)

    init(seed: UInt64, losses: Int) {
        dice = Dice(seed: seed)
        self.losses = losses
    }

    mutating func run() -> [String] {
        for _ in 0..<(100 + dice.below(200)) { step() }
        // A connection speaks again before its person is taken for gone.
        for index in connections.indices { say(index) }
        for _ in 0..<3 {
            for loop in boards.indices { boards[loop].sweep() }
            now = now.advanced(by: PresenceBoard.pause)
            for loop in boards.indices { draw(loop, losing: 0) }
            deliverAll()
        }
        return faults()
    }

    private mutating func step() {
        now = now.advanced(by: .milliseconds(Int64(dice.below(400))))
        switch dice.below(10) {
        case 0, 1: join()
        case 2: leave()
        case 3, 4, 5: if !connections.isEmpty { say(dice.below(connections.count)) }
        case 6, 7: draw(dice.below(boards.count), losing: losses)
        case 8: if !mail.isEmpty { deliver(dice.below(mail.count)) }
        default: boards[dice.below(boards.count)].sweep()
        }
    }

    private mutating func join() {
        guard connections.count < 12 else { return }
        let loop = dice.below(boards.count)
        let connection = Connection(
            id: tables[loop].reserve(), loop: loop, topic: Self.topics[dice.below(2)], account: dice.below(6))
        boards[loop].join(connection.topic, connection.id, as: participant(connection.account))
        connections.append(connection)
    }

    private func participant(_ account: Int) -> Participant {
        Participant(AccountID("a\(account)"), name: "a\(account)", isWorking: account != 5)
    }

    private mutating func leave() {
        guard !connections.isEmpty else { return }
        let connection = connections.remove(at: dice.below(connections.count))
        boards[connection.loop].leave(connection.topic, connection.id)
        tables[connection.loop].remove(connection.id)
    }

    private mutating func say(_ index: Int) {
        let row = dice.below(4)
        // Each at a moment of its own, within the rate.
        now = now.advanced(by: .milliseconds(300))
        boards[connections[index].loop].here(
            in: connections[index].topic, connections[index].id, at: PresencePlace(row: "\(row)", line: "L"),
            isEditing: false, now: now)
        connections[index].row = row
    }

    private mutating func draw(_ loop: Int, losing losses: Int) {
        for news in boards[loop].draw(at: now).news {
            for other in boards.indices where other != loop && dice.below(100) >= losses {
                mail.append((other, loop, news))
            }
        }
    }

    /// News of one loop arrive in their order.
    private mutating func deliver(_ index: Int) {
        let way = mail[index]
        guard let first = mail.firstIndex(where: { $0.to == way.to && $0.from == way.from }) else { return }
        let letter = mail.remove(at: first)
        boards[letter.to].take(letter.news, from: letter.from)
    }

    private mutating func deliverAll() {
        while !mail.isEmpty { deliver(0) }
    }

    private mutating func faults() -> [String] {
        var faults: [String] = []
        for connection in connections where connection.account != 5 {
            boards[connection.loop].forgetSeen(connection.topic, by: connection.id)
            let message = boards[connection.loop].take(connection.topic, for: connection.id)
            let shown = (message?.people ?? []).map { "\($0.seat.participant.name)@\($0.seat.place?.row ?? "-")" }
            let truth = self.truth(of: connection.topic)
            if shown.sorted() != truth { faults.append("\(shown.sorted()), not \(truth)") }
        }
        return faults
    }

    /// Everybody who is there; of several windows of a person, all of which spoke at the end, the last one that moved is
    /// the one whose row was said last, unless it stayed where it was.
    private func truth(of topic: Topic) -> [String] {
        let there = connections.filter { $0.topic == topic && $0.row != nil }
        return Set(there.map(\.account)).map { account in
            account == 5 ? "a5@-" : "a\(account)@\(place(of: account, in: topic))"
        }.sorted()
    }

    private func place(of account: Int, in topic: Topic) -> String {
        let windows = connections.filter { $0.topic == topic && $0.account == account }
        var newest: PresenceSeat?
        for window in windows {
            guard let seat = boards[window.loop].seat(of: window.id, in: topic) else { continue }
            if newest.map({ $0.movedAt < seat.movedAt }) ?? true { newest = seat }
        }
        return newest?.place?.row ?? "-"
    }
}

extension PresenceBoard {
    fileprivate func seat(of reader: SubscriberID, in topic: Topic) -> PresenceSeat? {
        rooms[topic]?.guests[reader]?.seat
    }
}

@Suite struct PresenceConvergenceTests {
    @Test(arguments: [0, 30, 100])
    func `all loops show the same people after one sweep, however many news were lost`(losses: Int) {
        for seed in 0..<500 {
            var model = PresenceModel(seed: UInt64(seed), losses: losses)
            let faults = model.run()
            #expect(faults == [], "seed \(seed)")
            guard faults.isEmpty else { return }
        }
    }
}
