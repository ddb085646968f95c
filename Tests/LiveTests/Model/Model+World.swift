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
        guard connection.encoding.isSocket else {
            if dice.one(in: 12) { close(index) }
            return
        }
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
            return complete(index, connection)
        }
        if store.deadSessions.contains(clients[index].session) {
            sessions += 1
            clients[index].session = sessions
        }
        let wanted = wanted(by: index)
        let encoding = encoding(for: index, wanted)
        let loop = loops[dice.below(loops.count)]
        let connection = loop.open(client: index, as: encoding, at: moment)
        connections[index] = connection
        clients[index].connected()
        switch encoding {
        case .socket:
            inbox.append((connection, "{\"t\":\"hello\",\"token\":\"s\(clients[index].session)\"}"))
            for topic in wanted { subscribe(index, topic, connection) }
        case .stream(let events, _): request(events.topics, nil, connection, loop)
        case .poll(let topic): request([topic], .seconds(60), connection, loop)
        }
    }

    /// In the calm at the end a client wants everything that it may read.
    private func complete(_ index: Int, _ connection: ModelLoop.Connection) {
        let client = clients[index]
        let missing = readable(by: index).filter { !client.subscribed.union(client.pending).contains($0) }
        switch connection.encoding {
        case .socket: for topic in missing { subscribe(index, topic, connection) }
        case .stream: if !missing.isEmpty { close(index) }
        case .poll(let polled):
            // One whose own document is old is still waited for; the others have their turn.
            let stale = stale(index)
            if !stale.isEmpty, !stale.contains(where: { ModelStore.documents[$0] == polled.topic }) { close(index) }
        }
    }

    private func readable(by index: Int) -> [Int] {
        ModelStore.documents.indices.filter {
            store.mayRead(account: clients[index].account, session: clients[index].session, topic: $0)
        }
    }

    private func stale(_ index: Int) -> [Int] {
        readable(by: index).filter { clients[index].held[$0] != store.newest($0) }
    }

    private func wanted(by index: Int) -> [Int] {
        let client = clients[index]
        return (isCalm ? Set(readable(by: index)) : client.subscribed.union(client.held.keys)).sorted()
    }

    private func encoding(for index: Int, _ wanted: [Int]) -> ModelLoop.Encoding {
        let all = wanted.isEmpty && !isCalm ? [dice.below(ModelStore.documents.count)] : wanted
        switch forms[dice.below(forms.count)] {
        case .stream where !all.isEmpty:
            let places = all.map { clients[index].held[$0]?.description ?? "-" }.joined(separator: ",")
            return .stream(EventStream(all.map { ModelStore.documents[$0] }, lastEventID: places), isAccepted: false)
        case .poll where !all.isEmpty:
            let topics = isCalm && !stale(index).isEmpty ? stale(index) : all
            let topic = topics[dice.below(topics.count)]
            return .poll(TopicRequest(ModelStore.documents[topic], have: clients[index].held[topic]))
        case .socket, .stream, .poll: return .socket
        }
    }

    /// A request tells at once who reads, as its session was known when it came.
    private func request(
        _ topics: [TopicRequest], _ time: Duration?, _ connection: ModelLoop.Connection, _ loop: ModelLoop
    ) {
        clients[connection.client].asked(for: topics.map(\.topic))
        let client = clients[connection.client]
        let identity = LiveIdentity(
            account: AccountID("a\(client.account)"), session: SessionID("s\(client.session)"),
            expires: Timestamp(microseconds: .max))
        handle(.request(identity, topics, time: time), connection, loop)
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
            guard let answer = clients[index].read(connection.wire.removeFirst(), store) else { continue }
            // A client that cannot say it on its connection comes back with it.
            guard connection.encoding.isSocket else { return close(index) }
            inbox.append((connection, answer))
        }
        if connection.isOver { close(index) }
    }
}
