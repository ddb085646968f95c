import Live
import Shared

/// What happens to the node: writers, administrators, clients and accidents.
extension Model {
    func commit() {
        let topic = dice.below(ModelStore.documents.count)
        guard let revision = store.commit(topic, at: now) else { return }
        let name = ModelStore.documents[topic]
        for loop in loops where !(variant.losesWakes && dice.one(in: 3)) {
            loop.mail.append(
                .update(
                    TopicUpdate(
                        topic: name, revision: revision, change: .document { ModelStore.body(name, revision) })))
        }
    }

    /// Rare, so that most runs have something left to read.
    func delete() {
        let topic = dice.below(ModelStore.documents.count)
        guard dice.one(in: 4), let revision = store.newest(topic) else { return }
        store.delete(topic)
        for loop in loops where !(variant.losesWakes && dice.one(in: 3)) {
            loop.mail.append(
                .update(TopicUpdate(topic: ModelStore.documents[topic], revision: revision, change: .deleted)))
        }
    }

    /// Nobody tells the loops.
    func restore() {
        guard variant.sweeps else { return }
        store.restore(losing: dice.below(4), at: now)
    }

    func revokeRight() {
        let right = ModelStore.Right(account: dice.below(2), topic: dice.below(ModelStore.documents.count))
        guard store.rights.remove(right) != nil else { return }
        let account = AccountID("a\(right.account)")
        let isSharing = dice.one(in: 3)
        post(
            isSharing ? .topics([ModelStore.documents[right.topic]]) : .rights(of: account), account: right.account,
            topic: right.topic)
    }

    func revokeSession() {
        let client = clients[dice.below(clients.count)]
        guard store.deadSessions.insert(client.session).inserted else { return }
        post(
            .session(SessionID("s\(client.session)")), account: client.account,
            topic: nil)
    }

    private func post(_ revocation: Revocation, account: Int, topic: Int?) {
        revokings += 1
        revoking[revokings] = Revoking(revocation: revocation, loops: loops.count, account: account, topic: topic)
        for loop in loops { loop.mail.append(.revoke(revocation, number: revokings)) }
    }

    func grant() {
        let right = ModelStore.Right(account: dice.below(2), topic: dice.below(ModelStore.documents.count))
        store.rights.insert(right)
        silenced.remove(right)
        for number in revoking.keys where revoking[number]?.topic == right.topic { revoking[number]?.loops = -1 }
    }

    /// The process goes down and comes back; what was in its memory is lost.
    func restartLoop() {
        let index = dice.below(loops.count)
        for connection in loops[index].table.readers {
            connection.end = .restart
            connection.unwritten = []
        }
        let unread = loops[index].mail
        loops[index] = ModelLoop(epoch: store.epoch, seed: UInt64(now))
        for case .revoke(_, let number) in unread { acknowledge(number) }
    }

    // MARK: Clients

    func clientSends(_ index: Int) {
        guard let connection = connections[index] else { return reconnect(index) }
        let topic = dice.below(ModelStore.documents.count)
        switch dice.below(12) {
        case 0: close(index)
        case 1:
            inbox.append((connection, "{\"t\":\"unsub\",\"topic\":\"\(ModelStore.documents[topic])\"}"))
        default: subscribe(index, topic, connection)
        }
    }

    private func subscribe(_ index: Int, _ topic: Int, _ connection: ModelLoop.Connection) {
        inbox.append((connection, clients[index].sub(topic)))
    }

    private func close(_ index: Int) {
        guard let connection = connections[index] else { return }
        if let loop = loop(of: connection) {
            handle(.closed, connection, loop)
            loop.table.remove(connection.id)
        }
        connections[index] = nil
        inbox.removeAll { $0.connection === connection }
    }

    /// Comes back with what it holds; in the calm at the end it wants everything.
    func reconnect(_ index: Int) {
        if let connection = connections[index] {
            guard isCalm else { return }
            let known = clients[index].subscribed.union(clients[index].pending)
            for topic in ModelStore.documents.indices where !known.contains(topic) {
                if store.mayRead(account: clients[index].account, session: clients[index].session, topic: topic) {
                    subscribe(index, topic, connection)
                }
            }
            return
        }
        if store.deadSessions.contains(clients[index].session) {
            sessions += 1
            clients[index].session = sessions
        }
        let wanted = clients[index].subscribed.union(clients[index].held.keys)
        let connection = loops[dice.below(loops.count)].open(client: index, at: moment)
        connections[index] = connection
        clients[index].connected()
        inbox.append((connection, "{\"t\":\"hello\",\"token\":\"s\(clients[index].session)\"}"))
        for topic in wanted.sorted() { subscribe(index, topic, connection) }
    }

    /// One message reaches the server, in the order of its connection.
    func deliver(_ position: Int) {
        let connection = inbox[position].connection
        guard let first = inbox.firstIndex(where: { $0.connection === connection }) else { return }
        let message = inbox.remove(at: first).message
        if let loop = loop(of: connection) { handle(.text(Array(message.utf8)), connection, loop) }
    }

    func clientReads(_ index: Int, all: Bool = false) {
        guard let connection = connections[index] else { return }
        if all { while !connection.unwritten.isEmpty { writeSocket(index) } }
        for _ in 0..<(all ? Int.max : 1 + dice.below(3)) {
            guard !connection.wire.isEmpty else { break }
            if let answer = clients[index].read(connection.wire.removeFirst(), store) {
                inbox.append((connection, answer))
            }
        }
        if connection.isOver { close(index) }
    }
}
